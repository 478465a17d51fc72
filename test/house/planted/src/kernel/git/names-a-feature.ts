// must trip: kernel-below-features
import { ruled } from '../../features/two/internals.ts';
export const planted = ruled;
