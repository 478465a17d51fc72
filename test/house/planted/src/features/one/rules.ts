// must trip: pure-imports-pure
import { readFileSync } from 'node:fs';
export const planted = readFileSync;
