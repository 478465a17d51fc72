/** The real Claude Agent SDK as a client of the hall's MCP door, before a scripted model. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type McpServerConfig, type OnElicitation, query } from '@anthropic-ai/claude-agent-sdk';
import { onTestFinished } from 'vitest';
import { callTool, say } from '../../src/kernel/agents/conformance-bench.ts';
import { startScriptedModel } from '../fixtures/scripted-model.ts';
import { tempFolder } from './repositories.ts';

export interface ClaudeTurn {
  /** How it stands with the server when the turn begins: `connected`, `failed`, … */
  readonly status: string | undefined;
  /** Names of the hall's tools that the model was offered, without their prefix. */
  readonly tools: readonly string[];
  /** What the model was told that came of its calls, as JSON. */
  readonly results: string;
}

/** One turn in which the model calls these tools of the hall, one after another. */
export async function claudeTurn(
  server: McpServerConfig,
  calls: readonly (readonly [name: string, input: object])[],
  onElicitation?: OnElicitation,
): Promise<ClaudeTurn> {
  const folder = await tempFolder();
  await mkdir(join(folder, 'config'));
  const model = await startScriptedModel();
  onTestFinished(async () => await model.close());
  model.answer('a-key', ...calls.map(([name, input]) => callTool(`mcp__guild__${name}`, input)), say('Done.'));
  const turn = query({
    prompt: 'Begin.',
    options: {
      cwd: folder,
      tools: [],
      settingSources: [],
      persistSession: false,
      permissionMode: 'dontAsk',
      allowedTools: ['mcp__guild__*'],
      mcpServers: { guild: server },
      ...(onElicitation && { onElicitation }),
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        CLAUDE_CONFIG_DIR: join(folder, 'config'),
        ANTHROPIC_BASE_URL: model.baseUrl,
        ANTHROPIC_API_KEY: 'a-key',
        CLAUDE_CODE_MAX_RETRIES: '0',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    },
  });
  let status: string | undefined;
  for await (const message of turn) {
    if (message.type === 'system' && message.subtype === 'init') status = message.mcp_servers[0]?.status;
  }
  const requests = model.requests('a-key');
  const names = requests[0]?.body.tools?.map(({ name }) => name) ?? [];
  return {
    status,
    tools: names.filter((name) => name.startsWith('mcp__guild__')).map((name) => name.slice('mcp__guild__'.length)),
    results: requests.at(-1)?.conversation ?? '',
  };
}
