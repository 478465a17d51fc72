/**
 * Runs before every test file, also where one process runs many: a home of its own in a temporary folder, and an
 * environment without what the person at this machine has set up, and without what npm says of its own run. Tests that
 * need git's or a model's settings make them themselves.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, vi } from 'vitest';

const foreign =
  /^(GIT_|ANTHROPIC_|CLAUDE|GUILD_HALL_|XDG_|MCP_|AWS_|GOOGLE_|VERTEX_|TMUX|npm_(?:command|lifecycle_event)$)/;

for (const name of Object.keys(process.env)) if (foreign.test(name)) delete process.env[name];

const home = mkdtempSync(join(tmpdir(), 'guild-hall-home-'));
process.env['HOME'] = home;
process.env['GUILD_HALL_HOME'] = join(home, '.guild-hall');
// The machine's own git settings (a signing key, a hooks path) are not part of any test.
process.env['GIT_CONFIG_NOSYSTEM'] = '1';

/** As this file began; its home stands in it, so that what ends late does not find the person's. */
const environment = { ...process.env };

afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  rmSync(home, { recursive: true, force: true, maxRetries: 10 });
});
