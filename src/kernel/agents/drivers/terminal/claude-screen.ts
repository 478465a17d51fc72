/** What Claude Code shows on its screen: where its input is, whether it works or asks. Pure. */
import type { ScreenText } from '../../../terminals/contract.ts';

/** Above and below its input, and above a dialog. */
const rule = /^─{20,}(?: .{0,60} ─*)?$/;
/** Rows below the input: modes, hints, how full its window is. */
const maxFooter = 8;
/** What it shows in an input in which nothing is. */
const placeholder = /^(?:Press up to edit queued messages|Try ".*)$/;
/** Below a dialog it says how to answer. */
const dialogHint = /\b(?:Esc to (?:cancel|close|exit)|Enter to (?:select|confirm|continue))\b/i;
const choice = /^\s*(?:❯\s*)?\d+\.\s/;
/** `✶ Boogieing… (1s · ↓ 13 tokens)` */
const spinner = /^[·✢✳✶✻✽✺∗*] \S[^…]{0,80}…/;
const finished = /^[·✢✳✶✻✽✺∗*] \S+ for \d.*/;

interface Box {
  /** Indices of its rules. */
  readonly top: number;
  readonly bottom: number;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

/** Where its input is; undefined where a dialog or nothing stands in its place. */
function boxOf({ lines, firstVisible }: ScreenText): Box | undefined {
  const bottom = lines.findLastIndex((line) => rule.test(line));
  if (bottom === -1 || lines.slice(bottom + 1).filter((line) => !isBlank(line)).length > maxFooter) return undefined;
  const top = lines.findLastIndex((line, at) => at < bottom && rule.test(line));
  if (top === -1 || top < firstVisible - 1 || !/^[❯!#>]/.test(lines[top + 1] ?? '')) return undefined;
  const footer = lines.slice(bottom + 1);
  if (footer.some((line) => dialogHint.test(line) || choice.test(line))) return undefined;
  return { top, bottom };
}

/** What stands in its input; undefined where it shows none. */
export function claudeInput(screen: ScreenText): string | undefined {
  const box = boxOf(screen);
  if (box === undefined) return undefined;
  const [first = '', ...more] = screen.lines.slice(box.top + 1, box.bottom);
  const text = [first.slice(1), ...more].map((line) => line.replace(/^[ \u00A0]{1,2}/, '').trimEnd()).join('\n');
  return placeholder.test(text.trim()) ? '' : text.trim();
}

export function isClaudeBusy(screen: ScreenText): boolean {
  const box = boxOf(screen);
  if (box === undefined) return false;
  const { lines } = screen;
  if (lines.slice(box.bottom + 1).some((line) => /\besc to interrupt\b/.test(line))) return true;
  const above = lines.slice(Math.max(0, box.top - 12), box.top);
  return above.some((line) => spinner.test(line)) || above.some((line) => /^\s+⎿ {2}Queued/.test(line));
}

export function isClaudeIdle(screen: ScreenText): boolean {
  return boxOf(screen) !== undefined && !isClaudeBusy(screen);
}

/** More than a screen holds: two questions that differ anywhere are two. */
const maxQuestion = 8_000;

/** What it asks: the rows above the choices. */
export function claudeDialog(screen: ScreenText): string | undefined {
  if (boxOf(screen) !== undefined) return undefined;
  const { lines, firstVisible } = screen;
  const end = lines.findLastIndex((line) => !isBlank(line));
  if (!lines.slice(Math.max(firstVisible, end - 3), end + 1).some((line) => dialogHint.test(line))) return undefined;
  let first = lines.findLastIndex((line) => /^\s*❯/.test(line));
  if (first < firstVisible) return undefined;
  while (choice.test(lines[first - 1] ?? '')) first -= 1;
  const start = lines.findLastIndex((line, at) => at < first && rule.test(line));
  const said = lines
    .slice(Math.max(start + 1, firstVisible), first)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[╌─]+$/.test(line) && !line.startsWith('Tip:'));
  return said.join('\n').slice(-maxQuestion) || 'It asks something.';
}

const hints = [
  /\b(?:esc to interrupt|\? for shortcuts|ctrl\+g to edit|shift\+tab to cycle|← for agents)\b/i,
  /^\s*(?:⏸|⏵⏵) /,
  /^\s*tmux focus-events off\b/,
  /^\s*Tip: /,
  /^\s+⎿/,
  /^\s*◐ /,
  /^ ?[▐▝▘▛▜█▌▖▗ ]{4,}/,
];

/** Frames, spinners, hints, results of tools: no words of its own. */
export function isClaudeNoise(line: string): boolean {
  if (/^[─╌]{3,}/.test(line) || spinner.test(line) || finished.test(line)) return true;
  return hints.some((hint) => hint.test(line)) || line.startsWith('❯');
}

/** Without the mark at the beginning of what it says. */
export function plainClaude(line: string): string {
  return line.replace(/^(?:● | {2})/, '').replace(/^▎ /, '> ');
}
