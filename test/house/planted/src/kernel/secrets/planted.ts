// must trip: kernel-order-secrets
import { value } from '../workers/value.ts';
export const planted = value;
