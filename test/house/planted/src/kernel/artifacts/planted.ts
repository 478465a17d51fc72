// must trip: kernel-order-artifacts
import { value } from '../workers/value.ts';
export const planted = value;
