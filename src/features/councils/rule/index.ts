/**
 * `guild-hall rule <name> …`: each helper of a council by its name, for scripts that were written for them. Needs no
 * hall and no model (but for one), and loads only the helper that is asked for.
 */
import { didYouMean } from '../../../kernel/pure/nearest.ts';
import { errorFactsOf, fail } from '../../../kernel/pure/errors.ts';
import type { RuleIo, RunRule } from './io.ts';
import { type Rule, type RuleGroup, ruleNames, rules } from './list.ts';

/** A call that is not of the right form, and a name that no helper has. */
const malformed = 3;
/** What a helper needs could not be read or written: no code that means something in a helper. */
const failed = 7;

/** @returns the helper's own exit code */
export async function runRule(words: readonly string[], io: RuleIo): Promise<number> {
  const [name, ...args] = words;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help')
    return showAll(io, name !== undefined);
  const rule = Object.hasOwn(rules, withoutEnding(name)) ? rules[withoutEnding(name)] : undefined;
  if (rule === undefined) {
    io.err(`There is no rule ${JSON.stringify(name.slice(0, 60))}.`);
    io.err(`${didYouMean(name, ruleNames)}See: guild-hall rule --help`);
    return malformed;
  }
  if (args[0] === '--help' || args[0] === '-h') {
    io.out(`guild-hall rule ${withoutEnding(name)} ${rule.usage}`.trimEnd());
    io.out(rule.summary);
    return 0;
  }
  return await runGuarded(await loadRule(withoutEnding(name), rule), args, io);
}

/** @throws internal for a helper that its group lacks */
export async function loadRule(name: string, { group }: Pick<Rule, 'group'>): Promise<RunRule> {
  const found = await loadFrom(group, name);
  if (found === undefined) throw fail('internal', `The rule ${name} is not in its group.`, 'Install it again.');
  return found;
}

async function loadFrom(group: RuleGroup, name: string): Promise<RunRule | undefined> {
  switch (group) {
    case 'answering':
      return (await import('./group-answering.ts')).helpers[name];
    case 'writing':
      return (await import('./group-writing.ts')).helpers[name];
    case 'session':
      return (await import('./group-session.ts')).helpers[name];
    case 'claims':
      return (await import('./cite-or-flag-check.ts')).run;
    case 'dispatch':
      return (await import('./dispatch-agent-turn.ts')).run;
    default:
      return undefined;
  }
}

/** The originals ended in `.sh`. */
function withoutEnding(name: string): string {
  return name.endsWith('.sh') ? name.slice(0, -'.sh'.length) : name;
}

async function runGuarded(run: RunRule, args: readonly string[], io: RuleIo): Promise<number> {
  try {
    return await run(args, io);
  } catch (error) {
    const { code, message, hint } = errorFactsOf(error);
    io.err(message);
    if (code !== 'internal') io.err(hint);
    return code === 'invalid' ? malformed : failed;
  }
}

function showAll(io: RuleIo, isAsked: boolean): number {
  const widest = Math.max(...ruleNames.map((name) => name.length));
  const say = isAsked ? io.out : io.err;
  say('guild-hall rule <name> …: one rule of a council by itself. Needs no running hall.');
  say('');
  for (const [name, { summary }] of Object.entries(rules)) say(`  ${name.padEnd(widest)}  ${summary}`);
  say('');
  say('Arguments of one: guild-hall rule <name> --help');
  return isAsked ? 0 : malformed;
}
