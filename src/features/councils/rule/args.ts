/** Arguments of a helper: `--k v` and `--k=v` alike, each flag as often as it is given. */

export interface RuleArgs {
  /** By flag, its values in order; a switch has an empty one for each time. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** Words that belong to no flag. */
  readonly words: readonly string[];
  /** What is wrong with them; null for nothing. */
  readonly problem: string | null;
}

export interface RuleFlags {
  readonly values?: readonly string[];
  readonly switches?: readonly string[];
}

/** The word after a flag is its value, whatever it looks like. Reads to the first problem. */
export function readArgs(args: readonly string[], { values = [], switches = [] }: RuleFlags): RuleArgs {
  const given = new Map<string, string[]>();
  const words: string[] = [];
  const note = (flag: string, value: string): void => void given.set(flag, [...(given.get(flag) ?? []), value]);
  const answer = (problem: string | null): RuleArgs => ({ given, words, problem });
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index]!;
    const cut = arg.startsWith('--') ? arg.indexOf('=') : -1;
    const flag = cut === -1 ? arg : arg.slice(0, cut);
    if (values.includes(flag)) {
      const value = cut === -1 ? args[(index += 1)] : arg.slice(cut + 1);
      if (value === undefined) return answer(`${flag} needs a value`);
      note(flag, value);
    } else if (switches.includes(flag)) {
      if (cut !== -1) return answer(`${flag} takes no value`);
      note(flag, '');
    } else if (arg.startsWith('--')) {
      return answer(`unknown argument ${JSON.stringify(flag.slice(0, 80))}`);
    } else {
      words.push(arg);
    }
  }
  return answer(null);
}

/** The same for a helper that takes no words of its own. */
export function readFlags(args: readonly string[], flags: RuleFlags): RuleArgs {
  const read = readArgs(args, flags);
  const word = read.words[0];
  return read.problem !== null || word === undefined
    ? read
    : { ...read, problem: `unknown argument ${JSON.stringify(word.slice(0, 80))}` };
}

export function hasFlag({ given }: RuleArgs, flag: string): boolean {
  return given.has(flag);
}

/** The last value of a flag; undefined where it is not given. */
export function valueOf({ given }: RuleArgs, flag: string): string | undefined {
  return given.get(flag)?.at(-1);
}

/** Which of the flags are missing or empty, as a sentence; null where all are there. */
export function missingOf(args: RuleArgs, flags: readonly string[], mayBeEmpty: readonly string[] = []): string | null {
  const missing = flags.filter((flag) => {
    const value = valueOf(args, flag);
    return value === undefined || (value === '' && !mayBeEmpty.includes(flag));
  });
  return missing.length === 0 ? null : `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`;
}

/** A whole number from `least` on, in digits alone; undefined for anything else. */
export function countOf(text: string | undefined, least = 0): number | undefined {
  if (text === undefined || !/^\d{1,15}$/.test(text)) return undefined;
  const count = Number(text);
  return count < least ? undefined : count;
}
