// must trip: no-cycle
import { back } from './ring-back.ts';
export const planted = back;
