/** Reading all that a pane shows, in one step with letting its output come again. */
import { ask, type Connection, type TmuxCommand } from './connection.ts';
import { pasteOption } from './signs.ts';
import type { Pane, ShownPane } from './state.ts';

const facts = [
  '#{pane_width}',
  '#{pane_height}',
  '#{history_size}',
  '#{alternate_on}',
  '#{cursor_x}',
  '#{cursor_y}',
  '#{cursor_flag}',
  '#{insert_flag}',
  '#{keypad_cursor_flag}',
  '#{keypad_flag}',
  '#{wrap_flag}',
  '#{origin_flag}',
  '#{scroll_region_upper}',
  '#{scroll_region_lower}',
  '#{mouse_standard_flag}',
  '#{mouse_button_flag}',
  '#{mouse_all_flag}',
  '#{mouse_sgr_flag}',
  `p#{${pasteOption}}`,
].join(' ');

/** Scrolled off, on the screen, and what stands under a full-screen program. */
const parts = [
  { name: 'hall-past', options: ['-S', '-', '-E', '-1'] },
  { name: 'hall-now', options: ['-S', '0'] },
  { name: 'hall-under', options: ['-a', '-q', '-S', '0'] },
] as const;

/**
 * Reads the pane, which has to be paused, and lets its output come again at that very moment.
 *
 * A program can write what looks like tmux's own lines, so each part is first read into a buffer, whose size tmux tells:
 * then exactly so many bytes are taken.
 */
export async function readShown(connection: Connection, { id }: Pick<Pane, 'id'>): Promise<ShownPane> {
  const read = (options: readonly string[], to: readonly string[]): TmuxCommand => {
    return ['capture-pane', '-e', '-J', ...to, '-t', id, ...options];
  };
  const commands: TmuxCommand[] = [
    ['display-message', '-p', '-t', id, facts],
    // Where there is nothing to read the buffer stays as it is, and what is printed then has one byte, too.
    ...parts.map(({ name }) => ['set-buffer', '-b', name, ' ']),
    ...parts.map(({ name, options }) => read(options, ['-b', name])),
    ...parts.map(({ name }) => ['list-buffers', '-f', `#{==:#{buffer_name},${name}}`, '-F', '#{buffer_size}']),
    ...parts.map(({ options }) => read(options, ['-p'])),
    ...parts.map(({ name }) => ['delete-buffer', '-b', name]),
    ['refresh-client', '-A', `${id}:continue`],
  ];
  const firstSize = 1 + 2 * parts.length;
  const firstText = firstSize + parts.length;
  const replies = await ask(connection, commands, (earlier) => {
    const part = earlier.length - firstText;
    if (part < 0 || part >= parts.length) return undefined;
    return Number(earlier[firstSize + part]!.toString('latin1'));
  });
  const [past, now, under] = replies.slice(firstText, firstText + parts.length);
  return shownOf(parseFacts(replies[0]!.toString('latin1')), { past: past!, now: now!, under: under! });
}

type Facts = ReturnType<typeof parseFacts>;

function parseFacts(line: string) {
  const words = line.split(' ');
  const number = (at: number): number => Number(words[at] ?? 0) || 0;
  const flag = (at: number): boolean => words[at] === '1';
  return {
    cols: number(0) || 80,
    rows: number(1) || 24,
    history: number(2),
    isAlternate: flag(3),
    cursor: { x: number(4), y: number(5), isShown: flag(6) },
    insert: flag(7),
    cursorKeys: flag(8),
    keypad: flag(9),
    wrap: flag(10),
    origin: flag(11),
    region: { upper: number(12), lower: number(13) },
    mouse: { standard: flag(14), button: flag(15), all: flag(16), sgr: flag(17) },
    takesPaste: words[18] === 'p1',
  };
}

interface Texts {
  readonly past: Buffer;
  readonly now: Buffer;
  readonly under: Buffer;
}

function shownOf(pane: Facts, { past, now, under }: Texts): ShownPane {
  const { cols, rows, isAlternate } = pane;
  // Each part ends with a line break, but for one whose last row goes on in the next part.
  const scrolled = pane.history === 0 ? Buffer.alloc(0) : past;
  const main = asRows(Buffer.concat([scrolled, isAlternate ? under : now]));
  const full = isAlternate ? `${csi}?1049h${csi}H${asRows(now)}` : '';
  return { cols, rows, isAlternate, bytes: Buffer.from(`${csi}0m${main}${full}${csi}0m${modesOf(pane)}`) };
}

function asRows(text: Buffer): string {
  return text.toString('utf8').replace(/\n$/, '').replaceAll('\n', '\r\n');
}

const csi = '\u001b[';

function modesOf({ cursor, region, mouse, ...pane }: Facts): string {
  const set = (isOn: boolean, sequence: string): string => (isOn ? sequence : '');
  const hasRegion = region.upper !== 0 || region.lower !== pane.rows - 1;
  const top = pane.origin ? region.upper : 0;
  return [
    set(hasRegion, `${csi}${region.upper + 1};${region.lower + 1}r`),
    set(pane.origin, `${csi}?6h`),
    `${csi}${cursor.y - top + 1};${cursor.x + 1}H`,
    set(!cursor.isShown, `${csi}?25l`),
    set(pane.insert, `${csi}4h`),
    set(!pane.wrap, `${csi}?7l`),
    set(pane.cursorKeys, `${csi}?1h`),
    set(pane.keypad, '\u001b='),
    set(mouse.standard, `${csi}?1000h`),
    set(mouse.button, `${csi}?1002h`),
    set(mouse.all, `${csi}?1003h`),
    set(mouse.sgr, `${csi}?1006h`),
    set(pane.takesPaste, `${csi}?2004h`),
  ].join('');
}
