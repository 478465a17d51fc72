// must trip: kernel-known-folder
import { value } from '../workers/value.ts';
export const planted = value;
