/** The driver with every process of the agent in the real sandbox of this machine. */
import { createClaudeRig, type ClaudeRig } from '../../../../../test/fixtures/claude-rig.ts';
import { makeTestSandbox } from '../../../../../test/fixtures/test-sandbox.ts';
import { describeConformance } from '../../conformance.ts';

async function rigInSandbox(): Promise<ClaudeRig> {
  const sandbox = await makeTestSandbox();
  const rig = await createClaudeRig({}, { sandbox });
  return {
    ...rig,
    close: async () => {
      await rig.close();
      await sandbox.close();
    },
  };
}

describeConformance('claude in a sandbox', rigInSandbox);
