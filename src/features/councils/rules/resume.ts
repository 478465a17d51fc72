/** The flags with which a council goes on. Pure. */

export type ResumeAction = 'fresh' | 'resume_default' | 'continue' | 'interject' | 'wrap_up';

export type ResumeFlags =
  | { readonly ok: true; readonly id: string; readonly action: ResumeAction; readonly text: string | null }
  | { readonly ok: false; readonly reason: string };

const actions: Readonly<Record<string, ResumeAction>> = {
  '--continue': 'continue',
  '--interject': 'interject',
  '--wrap-up': 'wrap_up',
};

/** `--resume <id>`, and at most one of `--continue`, `--interject <text>`, `--wrap-up` with it; `--k v` or `--k=v`. */
export function parseResumeFlags(args: readonly string[]): ResumeFlags {
  const found = readFlags(args);
  if (!found.ok) return found;
  const { id, chosen, text } = found;
  if (chosen.length > 1)
    return refused(`at most one of ${Object.keys(actions).join(', ')}; given ${chosen.join(' and ')}`);
  const flag = chosen[0];
  if (id === undefined)
    return flag === undefined
      ? { ok: true, id: '', action: 'fresh', text: null }
      : refused(`${flag} needs --resume <session-id>`);
  return { ok: true, id, action: flag === undefined ? 'resume_default' : actions[flag]!, text };
}

type Found =
  | {
      readonly ok: true;
      readonly id: string | undefined;
      readonly chosen: readonly string[];
      readonly text: string | null;
    }
  | { readonly ok: false; readonly reason: string };

function readFlags(args: readonly string[]): Found {
  const chosen: string[] = [];
  let id: string | undefined;
  let text: string | null = null;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index]!;
    const cut = arg.indexOf('=');
    const flag = arg.startsWith('--') && cut !== -1 ? arg.slice(0, cut) : arg;
    const given = flag === arg ? undefined : arg.slice(cut + 1);
    if (flag !== '--resume' && !Object.hasOwn(actions, flag))
      return refused(`unknown argument ${JSON.stringify(arg.slice(0, 80))}`);
    if (flag === '--continue' || flag === '--wrap-up') {
      if (given !== undefined) return refused(`${flag} takes no value`);
      chosen.push(flag);
      continue;
    }
    const value = given ?? args[(index += 1)];
    if (value === undefined) return refused(`${flag} needs a value`);
    if (flag === '--interject') [text] = [value, chosen.push(flag)];
    else if (id !== undefined) return refused('--resume is given twice');
    else if (!isId(value)) return refused(`--resume needs the id of a session, such as 2026-05-18-who-owns-the-cache`);
    else id = value;
  }
  return { ok: true, id, chosen, text };
}

/** What an id may look like: it becomes part of a path. */
function isId(value: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(value);
}

function refused(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

/** `resume_id=`, `action=` and, for an interjection, `interject_text=`: one line each, whatever the text holds. */
export function printResumeFlags(flags: ResumeFlags & { readonly ok: true }): string[] {
  const lines = [`resume_id=${flags.id}`, `action=${flags.action}`];
  return flags.text === null ? lines : [...lines, `interject_text=${escapeBreaks(flags.text)}`];
}

/** A break becomes `\n`, so that text cannot begin a line of its own. A backslash stays as it is. */
function escapeBreaks(text: string): string {
  return text.replaceAll(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, String.raw`\n`);
}
