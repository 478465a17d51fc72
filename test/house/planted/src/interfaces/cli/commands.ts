// must trip: interfaces-apart
import { serve } from '../http/serve.ts';
export const planted = serve;
