/**
 * Two real Claude Code CLIs, in terminals of the built hall, before the rehearsal: one is asked to talk to the other, and
 * they go on for six turns by themselves. A row a turn: who, when, whether it arrived, and how it begins.
 *
 *   npm run bench -- claudes [--turns 3] [--json <path>]
 *
 * `turns` is of each side. Fails when words come twice or as an echo, do not arrive, or a tool is called again. Builds
 * first where the build is old. To watch two of them in the browser: docs/guide/terminals.md.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endAllTerminals, haveTwoTalk, notSaid, sampleFiles, toolCallsOf } from '../test/help/two-claudes.ts';
import { makeTortureHome, type RunningHall, startHall, stopHall } from '../test/torture/parts/hall-process.ts';
import { builtProgram } from './parts/built.ts';
import { machineNow } from './parts/commission-hall.ts';

const { values: flags } = parseArgs({
  options: { turns: { type: 'string', default: '3' }, json: { type: 'string' } },
});
const program = await builtProgram();
const place = makeTortureHome(sampleFiles(), writeFileSync);
mkdirSync(place.home, { mode: 0o700 });
writeFileSync(join(place.home, 'config.yaml'), `conversations: { turns: ${Number(flags.turns)} }\n`);
const hall = await startHall(place, {}, { program });
if (hall === 'died') throw new Error('The hall did not start.');
try {
  process.exitCode = (await watchTwo(hall)) ? 0 : 1;
} finally {
  await endAllTerminals(hall.client);
  await stopHall(hall);
  rmSync(place.root, { recursive: true, force: true, maxRetries: 5 });
}

/** @returns whether all was well */
async function watchTwo({ client }: RunningHall): Promise<boolean> {
  await client.call('project.add', { path: place.repo, name: 'tally' });
  const { ada, mira, view, words } = await haveTwoTalk(client, 'tally');
  const beganMs = Date.parse(words[0]!.at);
  const rows = words.map(({ from, at, text, fate, receipts }) => ({
    from: from === 1 ? 'Ada (1)' : 'Mira (2)',
    'after s': ((Date.parse(at) - beganMs) / 1_000).toFixed(1),
    receipt: fate === 'sent' ? receipts.map(({ receipt }) => receipt.state).join() : 'kept: the turns are used',
    words: text.replaceAll(/\s+/g, ' ').slice(0, 60),
  }));
  console.table(rows);
  const echoes = words.length - new Set(words.map(({ text }) => text)).size;
  const marks = words.filter(({ text }) => notSaid.test(text)).length;
  const tools = [ada, mira].flatMap((terminal) => toolCallsOf(place.home, terminal));
  console.log(
    `${view.used.join(' + ')} turns by one call of a tool (${tools.join(', ')}); ${echoes} echoes, ${marks} with signs of a screen. ${machineNow()}`,
  );
  if (flags.json !== undefined) writeFileSync(flags.json, JSON.stringify({ rows, echoes, marks, tools }, null, 2));
  const sent = words.filter(({ fate }) => fate === 'sent').slice(0, -2);
  const haveArrived = sent.every(({ receipts }) => receipts.every(({ receipt }) => receipt.state === 'delivered'));
  const isLongEnough = view.used.every((turns) => turns >= Number(flags.turns));
  return haveArrived && isLongEnough && echoes === 0 && marks === 0 && tools.length === 1;
}
