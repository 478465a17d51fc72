// must trip: kernel-order-clock
import { value } from '../workers/value.ts';
export const planted = value;
