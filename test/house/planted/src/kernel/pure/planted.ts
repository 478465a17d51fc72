// must trip: kernel-order-pure
import { value } from '../workers/value.ts';
export const planted = value;
