// must trip: resolvable
export { nothing } from './not-there.ts';
