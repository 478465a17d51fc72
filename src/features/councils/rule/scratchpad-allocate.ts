/** The scratchpad of scripts: one record a line in a file that the caller names. */
import type { Pin } from '../contract.ts';
import { contentTypes, isContentType } from '../rules/extraction.ts';
import { allocatePin, parsePins, printPins, renderPins } from '../rules/scratchpad.ts';
import { missingOf, readFlags, valueOf, type RuleArgs } from './args.ts';
import type { RuleIo, RunRule } from './io.ts';
import { printAll, complain } from './saying.ts';
import { changeState, notOurs, pathOf, readState } from './state.ts';

const name = 'scratchpad-allocate';

const fields: Readonly<Record<string, (pin: Pin) => string>> = {
  id: (pin) => pin.id,
  content: (pin) => pin.content,
  content_type: (pin) => pin.contentType,
  pinning_agent: (pin) => pin.agent,
  intent: (pin) => pin.intent,
  history_count: (pin) => String(pin.historyCount),
};

const actions: ReadonlyMap<string, RunRule> = new Map([
  ['pin', pin],
  ['list', list],
  ['render', render],
]);

/** 0; 2 a target that is not there; 3 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const [verb = '', ...rest] = args;
  const action = actions.get(verb);
  if (action === undefined) return complain(io, name, 'expected pin, list or render', 3);
  return await action(rest, io);
}

async function pin(args: readonly string[], io: RuleIo): Promise<number> {
  const required = ['--state', '--content', '--intent', '--agent'];
  const read = readFlags(args, { values: [...required, '--target', '--content-type'] });
  const problem = read.problem ?? missingOf(read, required, ['--content', '--intent']);
  if (problem !== null) return complain(io, name, problem, 3);
  const contentType = valueOf(read, '--content-type') ?? 'md';
  if (!isContentType(contentType)) return complain(io, name, `--content-type is one of ${contentTypes.join(', ')}`, 3);
  const target = valueOf(read, '--target');
  const [content = '', intent = '', agent = ''] = required.slice(1).map((flag) => valueOf(read, flag));
  const path = stateOf(read, io);
  const id = await changeState(path, (text) => {
    const pins = pinsOf(path, text);
    const made = allocatePin(pins, { target, content, intent, agent, contentType });
    return { text: printPins(made?.pins ?? pins), answer: made?.pin.id };
  });
  if (id === undefined) return complain(io, name, `there is no pin ${JSON.stringify(target?.slice(0, 80))}`, 2);
  return printAll(io, [id]);
}

async function list(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--state', '--field'] });
  const problem = read.problem ?? missingOf(read, ['--state', '--field']);
  if (problem !== null) return complain(io, name, problem, 3);
  const wanted = valueOf(read, '--field') ?? '';
  const field = Object.hasOwn(fields, wanted) ? fields[wanted] : undefined;
  if (field === undefined) return complain(io, name, `--field is one of ${Object.keys(fields).join(', ')}`, 3);
  return printAll(io, (await readPins(read, io)).map(field));
}

async function render(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--state'] });
  const problem = read.problem ?? missingOf(read, ['--state']);
  if (problem !== null) return complain(io, name, problem, 3);
  return printAll(io, renderPins(await readPins(read, io)));
}

function stateOf(read: RuleArgs, io: RuleIo): string {
  return pathOf(io, valueOf(read, '--state') ?? '');
}

async function readPins(read: RuleArgs, io: RuleIo): Promise<Pin[]> {
  const path = stateOf(read, io);
  return pinsOf(path, await readState(path));
}

/** @throws invalid for a file that is none of these, which is then left as it is */
function pinsOf(path: string, text: string | undefined): Pin[] {
  const pins = parsePins(text ?? '');
  if (pins !== undefined) return pins;
  throw notOurs(path, 'lines SP-N|content|…');
}
