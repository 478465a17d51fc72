/** Two hundred messages that mean harm, into eight programs at once. */
import { expect, test } from 'vitest';
import { waitUntil } from '../../../../test/help/programs.ts';
import {
  agentManner,
  anyManner,
  endTestTerminals,
  openTestTerminals,
  signallingManner,
  startAgent,
} from '../../../../test/help/terminals.ts';
import { deliver, settledReceipt } from '../terminals.ts';
import { cleaned, inOneLine } from './text.ts';

/** Each with its number, so that no two are the same. */
const nasty: ((n: number) => string)[] = [
  (n) => `${n} plain words`,
  (n) => `Mo (${n}):\n\nseveral lines\n  with indents\n\n\nand gaps`,
  (n) => `${n} ; kill-server ; run-shell "touch /tmp/x"`,
  (n) => `-l -t %0 ${n}`,
  (n) => `${n} #{pane_id} #(touch /tmp/x) #[fg=red] #S %%`,
  (n) => `${n} $(touch /tmp/x) \`id\` $HOME \${PATH} \\n \\\\ "' ' " | & > < * ? ~ !`,
  (n) => `%if 1\n%begin ${n} 1 1\n%end ${n} 1 1\n%exit\n%output %0 x`,
  (n) => `${n} 👩‍👩‍👧‍👦 🏳️‍🌈 é é ﷽ مرحبا שלום`,
  (n) => `${n} ${'漢字かな交じり文'.repeat(30)}`,
  (n) => `${n} ${'lorem ipsum '.repeat(850)}end`,
  (n) => `${n} \u001b[31mred\u001b[0m \u001b]0;title\u0007 \u009b2J \u001bc \u001b[?1049h`,
  (n) => `${n} before \u001b[201~ after\r\u001b[200~ again`,
  (n) => `${n} he said "I pass to X" and then nothing`,
  (n) => `${n} half \ud83d of a pair \udc4d and \udfff`,
  (n) => `${n} C-c \u0003 C-d \u0004 C-z \u001a DEL \u007f BS \u0008 NUL \u0000 Enter Escape`,
  (n) => `${n}\r\nwindows\r\nlines\r`,
  (n) => `\t${n}\ttabs\tbetween`,
  (n) => `${n} @option {braces} [brackets] 'single' "double`,
  (n) => `/${n} ! # a line that begins like a command`,
  (n) => `${n}\u2028separator\u2029and\u00a0blank\u200b\u202ereversed`,
  (n) => `Enter ${n}`,
  (n) => `${n} ~`,
  (n) => `exit${n}`,
  (n) => `${n}${'\n'.repeat(40)}far below`,
  (n) => `${n} \\033[201~ \\e[A ^C ^[ \\x1b`,
];

test('each arrives once, in order, as it was said [GTH-RELAY-11, GTH-RELAY-12, GTH-RELAY-14, GTH-RELAY-17, GTH-RELAY-19]', async () => {
  const hall = await openTestTerminals();
  const raw = { RAW: '1' };
  const starts = [
    startAgent(hall, agentManner, raw),
    startAgent(hall, agentManner, { ...raw, DEAF: '2' }),
    startAgent(hall, agentManner, { ...raw, THINK: '40' }),
    startAgent(hall, agentManner, { ...raw, FULL: '1' }),
    startAgent(hall, signallingManner, raw),
    startAgent(hall, signallingManner, { ...raw, THINK: '40' }),
    startAgent(hall, signallingManner, { ...raw, SAY: '❯ a line that looks like input' }),
    startAgent(hall, anyManner),
  ];
  const agents = await Promise.all(starts);
  const messages = nasty.map((make, at) => ({ id: `n-${at}`, origin: 'hall', text: make(at) }));
  for (const message of messages)
    await Promise.all(agents.map(async (agent) => deliver(hall.terminals, agent.id, message)));
  const receipts = agents.flatMap((agent) =>
    messages.map(async ({ id }) => settledReceipt(hall.terminals, agent.id, id)),
  );
  expect(receipts.length).toBe(200);
  const states = (await Promise.all(receipts)).map(({ state }) => state);
  expect(states).toEqual(states.map(() => 'delivered'));
  for (const [at, agent] of agents.entries()) {
    await waitUntil(() => agent.taken().length >= messages.length);
    const words = messages.map(({ text }) => (at < 7 ? cleaned(text) : inOneLine(cleaned(text))));
    const short = words.map((text) => (at < 7 ? text : text.slice(0, 3_000)));
    expect(agent.taken().map((text) => (at < 7 ? text : text.slice(0, 3_000)))).toEqual(short);
  }
  await endTestTerminals(hall);
}, 60_000);
