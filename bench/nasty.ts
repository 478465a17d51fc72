/**
 * Two hundred messages of nasty text (many lines, `;`, `-l`, emoji, 10 kB, escape sequences, "I pass" in quotes) into eight
 * terminals of all kinds at once: how many came, once each and in order, and how long it took.
 *
 *   npm run bench -- nasty [--json <path>]
 *
 * Fails when a message is lost, comes twice, out of order or otherwise than it was said, or is called delivered wrongly.
 */
import { parseArgs } from 'node:util';
import { nastyTexts, type NastyAgent, startNastyAgents } from '../test/help/nasty.ts';
import { waitUntil } from '../test/help/programs.ts';
import { endTestTerminals, openTestTerminals } from '../test/help/terminals.ts';
import { deliver, settledReceipt } from '../src/kernel/terminals/terminals.ts';
import { machineNow, quantile } from './parts/commission-hall.ts';
import { writeFileSync } from 'node:fs';

const { values: flags } = parseArgs({ options: { json: { type: 'string' } } });
const hall = await openTestTerminals();
try {
  const agents = await startNastyAgents(hall);
  const began = performance.now();
  const rows = await Promise.all(agents.map(async (agent) => giveAll(agent)));
  const seconds = (performance.now() - began) / 1_000;
  console.table(rows);
  const sum = (name: 'sent' | 'arrived' | 'twice' | 'lost'): number => rows.reduce((all, row) => all + row[name], 0);
  console.log(
    `${sum('sent')} messages into ${agents.length} terminals in ${seconds.toFixed(1)} s: ${sum('arrived')} arrived, ` +
      `${sum('lost')} lost, ${sum('twice')} twice. ${machineNow()}`,
  );
  if (flags.json !== undefined) writeFileSync(flags.json, JSON.stringify({ seconds, rows }, null, 2));
  const isWell = rows.every((row) => row.arrived === row.sent && row.twice === 0 && row['in order'] && row.exact);
  process.exitCode = isWell && sum('sent') === 200 ? 0 : 1;
} finally {
  await endTestTerminals(hall);
}

async function giveAll(agent: NastyAgent) {
  const times: number[] = [];
  const receipts = nastyTexts.map(async (text, at) => {
    const id = `n-${at}`;
    await deliver(hall.terminals, agent.id, { id, origin: 'hall', text });
    const given = performance.now();
    const { state } = await settledReceipt(hall.terminals, agent.id, id);
    times.push(performance.now() - given);
    return state;
  });
  const states = await Promise.all(receipts);
  const delivered = states.filter((state) => state === 'delivered').length;
  await waitUntil(() => agent.taken().length >= delivered);
  const wanted = nastyTexts.map(agent.shaped);
  const taken = agent.taken();
  const arrived = wanted.filter((text) => taken.includes(text)).length;
  return {
    terminal: agent.what,
    sent: wanted.length,
    delivered,
    arrived,
    lost: wanted.length - arrived,
    twice: taken.length - new Set(taken).size,
    'in order': isInOrder(taken, wanted),
    exact: taken.every((text) => wanted.includes(text)),
    'p50 ms': Math.round(quantile(times, 0.5)),
    'last ms': Math.round(Math.max(...times)),
  };
}

function isInOrder(taken: readonly string[], wanted: readonly string[]): boolean {
  const places = taken.map((text) => wanted.indexOf(text)).filter((place) => place !== -1);
  return places.every((place, at) => at === 0 || place > places[at - 1]!);
}
