// must trip: nobody-imports-main
import type { hall } from '../../main/hall.ts';
export type Planted = typeof hall;
