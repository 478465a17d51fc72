// must trip: kernel-order-processes
import { value } from '../workers/value.ts';
export const planted = value;
