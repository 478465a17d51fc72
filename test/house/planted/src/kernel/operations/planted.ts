// must trip: kernel-order-operations
import { value } from '../workers/value.ts';
export const planted = value;
