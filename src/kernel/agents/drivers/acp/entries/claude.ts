/** Claude Code by way of its ACP adapter. */
import { agentProgram } from '../../claude/program.ts';
import type { AcpEntry } from '../entry.ts';

export const claudeAcpEntry: AcpEntry = {
  name: 'claude-acp',
  title: 'Claude Code (ACP)',
  takesGateway: true,
  hasAsides: true,
  command: ['claude-agent-acp'],
  install: 'npm install -g @agentclientprotocol/claude-agent-acp@0.49.0',
  signIn: 'Check the key of the model in config.yaml; see: guild-hall doctor',
  carriesSystemPrompt: true,
  start: ({ configDir, tmpDir, model, maxRetries }) => {
    const program = agentProgram();
    return {
      env: {
        CLAUDE_CONFIG_DIR: configDir,
        CLAUDE_CODE_TMPDIR: tmpDir,
        // The program that the hall brings; the adapter needs none of its own then.
        ...(program === undefined ? {} : { CLAUDE_CODE_EXECUTABLE: program }),
        ANTHROPIC_BASE_URL: model.baseUrl,
        ANTHROPIC_API_KEY: model.token,
        CLAUDE_CODE_MAX_RETRIES: String(maxRetries),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
        DISABLE_AUTOUPDATER: '1',
        MAX_MCP_OUTPUT_TOKENS: '100000',
        // A tool of the hall may wait for a person. Milliseconds.
        MCP_TOOL_TIMEOUT: '86400000',
        ENABLE_TOOL_SEARCH: 'false',
        CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
        CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
      },
      files: [],
    };
  },
  metaOf: (open, token) => ({
    ...(open.systemPrompt === '' ? {} : { systemPrompt: { append: open.systemPrompt } }),
    claudeCode: {
      options: {
        model: open.model.model,
        // The repository's own settings may hold commands; nothing that stands in it starts anything here.
        settingSources: ['user'],
        strictMcpConfig: true,
        ...(open.builtInTools.length === 0 ? {} : { tools: [...open.builtInTools] }),
        // By its token the hall knows which session makes a call.
        env: { ANTHROPIC_API_KEY: token },
      },
    },
  }),
};
