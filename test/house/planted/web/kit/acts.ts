// must trip: web-shares-what-is-pure
import { ruled } from '../../src/features/two/internals.ts';
export const planted = ruled;
