// must trip: source-without-tests
import { fixture } from './planted.test.ts';
export const planted = fixture;
