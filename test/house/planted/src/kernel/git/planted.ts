// must trip: kernel-order-git
import { value } from '../workers/value.ts';
export const planted = value;
