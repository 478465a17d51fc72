/** Codex by way of its ACP adapter. Its model is its own: the gateway does not speak its language. */
import { tomlText } from '../../terminal/files.ts';
import type { AcpEntry } from '../entry.ts';

export const codexAcpEntry: AcpEntry = {
  name: 'codex',
  title: 'Codex (ACP)',
  takesGateway: false,
  command: ['codex-acp'],
  install: 'npm install -g @zed-industries/codex-acp@0.16.0',
  signIn:
    "Give it the key of the hall's environment: `sessions: { agents: { codex: { variables: [OPENAI_API_KEY] } } }` in config.yaml, and start the hall with OPENAI_API_KEY set.",
  start: ({ cwd, configDir, isAttended, variables }) => {
    const lines = [
      `approval_policy = "${isAttended ? 'on-request' : 'never'}"`,
      // The hall's sandbox is around it where there is one; its own, inside of that, cannot be made.
      'sandbox_mode = "workspace-write"',
      'check_for_update_on_startup = false',
      ...(variables.includes('OPENAI_API_KEY') ? ['model_provider = "with-key"'] : []),
      '[analytics]',
      'enabled = false',
      '[model_providers.with-key]',
      'name = "OpenAI"',
      'base_url = "https://api.openai.com/v1"',
      'env_key = "OPENAI_API_KEY"',
      'wire_api = "responses"',
      // What the repository sets is not obeyed.
      `[projects.${tomlText(cwd)}]`,
      'trust_level = "untrusted"',
    ];
    return { env: { CODEX_HOME: configDir }, files: [{ path: 'config.toml', text: `${lines.join('\n')}\n` }] };
  },
};
