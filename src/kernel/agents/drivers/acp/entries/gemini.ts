/** Gemini CLI. Its model is its own: the gateway does not speak its language. */
import { jsonFile } from '../../terminal/files.ts';
import type { AcpEntry } from '../entry.ts';

export const geminiAcpEntry: AcpEntry = {
  name: 'gemini',
  title: 'Gemini CLI (ACP)',
  takesGateway: false,
  command: ['gemini', '--experimental-acp'],
  install: 'npm install -g @google/gemini-cli@0.61.0',
  signIn:
    "Give it the key of the hall's environment: `sessions: { agents: { gemini: { variables: [GEMINI_API_KEY] } } }` in config.yaml, and start the hall with GEMINI_API_KEY set.",
  start: ({ configDir, variables }) => ({
    env: { GEMINI_CLI_HOME: configDir, GEMINI_CLI_NO_RELAUNCH: 'true' },
    files: [
      jsonFile('.gemini/settings.json', {
        security: {
          ...(variables.includes('GEMINI_API_KEY') ? { auth: { selectedType: 'gemini-api-key' } } : {}),
          // What the repository sets is not obeyed.
          folderTrust: { enabled: true },
        },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    ],
  }),
};
