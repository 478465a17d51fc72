/** OpenCode: its own ACP mode, its model reached through the hall. */
import { jsonFile } from '../../terminal/files.ts';
import type { AcpEntry } from '../entry.ts';

export const opencodeAcpEntry: AcpEntry = {
  name: 'opencode',
  title: 'OpenCode (ACP)',
  takesGateway: true,
  hasAsides: true,
  command: ['opencode', 'acp'],
  install: 'npm install -g opencode-ai@1.18.33',
  signIn: 'Check the key of the model in config.yaml; see: guild-hall doctor',
  start: ({ model, isAttended }) => {
    const own = isAttended ? 'ask' : 'allow';
    const provider = {
      options: { baseURL: `${model.baseUrl}/v1`, apiKey: '{env:ANTHROPIC_API_KEY}' },
      models: { [model.model]: { name: model.model } },
    };
    const settings = {
      autoupdate: false,
      share: 'disabled',
      permission: { edit: own, bash: own, webfetch: own, external_directory: isAttended ? 'ask' : 'deny' },
      model: `anthropic/${model.model}`,
      small_model: `anthropic/${model.model}`,
      enabled_providers: ['anthropic'],
      provider: { anthropic: provider },
    };
    return {
      env: {
        ANTHROPIC_API_KEY: model.token,
        // Neither settings nor plugins of the repository.
        OPENCODE_DISABLE_PROJECT_CONFIG: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
        OPENCODE_DISABLE_SHARE: '1',
      },
      files: [jsonFile('xdg/config/opencode/opencode.json', settings)],
    };
  },
};
