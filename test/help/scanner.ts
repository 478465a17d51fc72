/** Runs before every test file of units: secrets are found by all rules, as in the hall, whichever files ran before in this process. */
import { readyToFind } from '../../src/kernel/secrets/find.ts';

await readyToFind();
