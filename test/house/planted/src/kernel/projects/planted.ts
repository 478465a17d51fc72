// must trip: kernel-order-projects
import { value } from '../workers/value.ts';
export const planted = value;
