// must trip: source-without-dev-packages
import { expect } from 'vitest';
export const planted = expect;
