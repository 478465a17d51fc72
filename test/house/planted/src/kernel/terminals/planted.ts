// must trip: kernel-order-terminals
import { value } from '../workers/value.ts';
export const planted = value;
