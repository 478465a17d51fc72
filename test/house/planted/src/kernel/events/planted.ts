// must trip: kernel-order-events
import { value } from '../workers/value.ts';
export const planted = value;
