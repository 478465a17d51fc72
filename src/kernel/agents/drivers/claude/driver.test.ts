import { createClaudeRig } from '../../../../../test/fixtures/claude-rig.ts';
import { describeConformance } from '../../conformance.ts';

describeConformance('claude', createClaudeRig);
