// must trip: kernel-order-agents
import { value } from '../workers/value.ts';
export const planted = value;
