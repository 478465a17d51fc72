// must trip: kernel-order-log
import { value } from '../workers/value.ts';
export const planted = value;
