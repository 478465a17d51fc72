import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockCheck } from '../../scripts/checks/lock.ts';
import { houseRoot, makeHouseCopy } from '../help/house-copies.ts';

const manifest = readFileSync(join(houseRoot, 'package.json'), 'utf8');
const lock = readFileSync(join(houseRoot, 'package-lock.json'), 'utf8');

const findIn = (files: Record<string, string>) =>
  lockCheck.find(makeHouseCopy({ 'package.json': manifest, 'package-lock.json': lock, ...files }));

function withoutEntry(path: string): string {
  const parsed = JSON.parse(lock) as { packages: Record<string, unknown> };
  expect(parsed.packages[path]).toBeDefined();
  delete parsed.packages[path];
  return JSON.stringify(parsed);
}

test('the lock of the house passes', async () => {
  expect(await findIn({})).toEqual([]);
});

test.each([
  '@anthropic-ai/claude-agent-sdk-darwin-arm64',
  '@anthropic-ai/claude-agent-sdk-linux-arm64',
  '@esbuild/darwin-x64',
  '@oxlint/binding-darwin-arm64',
  '@oxfmt/binding-linux-x64-gnu',
  '@swc/core-darwin-x64',
])('a lock without %s is refused', async (name) => {
  const findings = await findIn({ 'package-lock.json': withoutEntry(`node_modules/${name}`) });
  expect(findings).toEqual([expect.stringContaining(`lacks ${name}`)]);
});

test('an address in the lock is refused', async () => {
  const findings = await findIn({
    'package-lock.json': lock.replace(
      '"version": "4.6.7",',
      '"version": "4.6.7", "resolved": "http://localhost/zod.tgz",',
    ),
  });
  expect(findings).toEqual([expect.stringContaining('node_modules/zod has an address')]);
});

test('a version that is not exact is refused', async () => {
  const findings = await findIn({ 'package.json': manifest.replace('"zod": "4.6.7"', '"zod": "^4.6.7"') });
  expect(findings[0]).toContain('write the exact version');
});

test('a registry in .npmrc is refused', async () => {
  expect(await findIn({ '.npmrc': 'registry=http://localhost:4873\n' })).toEqual([
    expect.stringContaining('names a registry'),
  ]);
});
