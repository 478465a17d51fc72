// must trip: interface-contract-only
import { ruled } from '../../features/two/internals.ts';
export const planted = ruled;
