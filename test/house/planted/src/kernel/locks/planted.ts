// must trip: kernel-order-locks
import { value } from '../workers/value.ts';
export const planted = value;
