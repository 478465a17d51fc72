// must trip: kernel-order-background
import { value } from '../workers/value.ts';
export const planted = value;
