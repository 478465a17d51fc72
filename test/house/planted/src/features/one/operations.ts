// must trip: feature-contract-only
import { ruled } from '../two/internals.ts';
export const planted = ruled;
