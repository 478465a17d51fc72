// must trip: kernel-order-workers
import { value } from '../manager/value.ts';
export const planted = value;
