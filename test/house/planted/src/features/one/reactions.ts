// must trip: feature-below-interfaces
import { serve } from '../../interfaces/http/serve.ts';
export const planted = serve;
