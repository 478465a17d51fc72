import { planted } from './ring.ts';
export const back = planted;
