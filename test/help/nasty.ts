/** Twenty-five messages that mean harm, and eight programs of all kinds to take them. */
import { cleaned, inOneLine } from '../../src/kernel/terminals/delivery/text.ts';
import {
  agentManner,
  anyManner,
  signallingManner,
  startAgent,
  type StartedAgent,
  type TestTerminals,
} from './terminals.ts';

/** Each with its number, so that no two are the same. */
const makers: ((n: number) => string)[] = [
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

export const nastyTexts: readonly string[] = makers.map((make, at) => make(at));

export interface NastyAgent extends StartedAgent {
  readonly what: string;
  /** A message as it should arrive there. */
  readonly shaped: (text: string) => string;
}

/** The rest of what a terminal's own line input can take at once is in a file. Characters that are compared. */
const ofOneLine = 3_000;

const raw = { RAW: '1' };
const asItIs = (text: string): string => cleaned(text);
const programs = [
  ['takes pastes', agentManner, raw],
  ['overlooks Enter twice', agentManner, { ...raw, DEAF: '2' }],
  ['thinks for a moment', agentManner, { ...raw, THINK: '40' }],
  ['draws its whole screen', agentManner, { ...raw, FULL: '1' }],
  ['signals', signallingManner, raw],
  ['signals, and thinks', signallingManner, { ...raw, THINK: '40' }],
  ['shows what looks like input', signallingManner, { ...raw, SAY: '❯ a line that looks like input' }],
  ['reads lines', anyManner, {}],
] as const;

export async function startNastyAgents(hall: TestTerminals): Promise<NastyAgent[]> {
  return Promise.all(
    programs.map(async ([what, manner, env]): Promise<NastyAgent> => {
      const agent = await startAgent(hall, manner, env);
      if (manner !== anyManner) return { ...agent, what, shaped: asItIs };
      const taken = (): string[] => agent.taken().map((text) => text.slice(0, ofOneLine));
      return { ...agent, what, taken, shaped: (text) => inOneLine(cleaned(text)).slice(0, ofOneLine) };
    }),
  );
}
