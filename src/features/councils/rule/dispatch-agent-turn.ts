/** Has one agent speak one turn, through the configured driver or through a stub that the caller names. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { printHeader } from '../rules/header.ts';
import { renderBody } from '../rules/render.ts';
import { allowList } from '../rules/phases.ts';
import { countOf, hasFlag, missingOf, readFlags, type RuleArgs, valueOf } from './args.ts';
import type { DispatchOrder, RuleIo } from './io.ts';
import { complain, printAll } from './saying.ts';

const name = 'dispatch-agent-turn';
const required = ['--agent', '--phase', '--charter-ref', '--session-id'];
const header = ['--round', '--turn', '--speaker', '--role', '--turn-cost', '--running-total'];
const switches = ['--no-web', '--debug-allowlist', '--print-discuss-allowlist'];

/** 0; 2 an answer that cannot be understood, passed on as it came; 3 malformed; 7 no agent can be had. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: [...required, ...header, '--state-file', '--turn-id'], switches });
  if (read.problem !== null) return complain(io, name, read.problem, 3);
  if (hasFlag(read, '--print-discuss-allowlist')) return printAll(io, [allowList('DISCUSS', true).join(',')]);
  const order = await orderOf(read, io);
  if (typeof order === 'string') return complain(io, name, order, 3);
  if (hasFlag(read, '--debug-allowlist')) {
    const phase = order.phase === 'research' ? 'RESEARCH' : 'DISCUSS';
    io.err(`${name}: allowlist ${allowList(phase, order.noWeb).join(',')}`);
  }
  const raw = await answerOf(order, io);
  const answer = parseAnswer(raw);
  if (answer === undefined) {
    io.out(raw);
    return complain(io, name, 'the answer has no status or is no JSON; it is passed on as it came', 2);
  }
  await routeFindings(read, io, order, answer);
  if (answer.status === 'failed' && answer.body === '') return 7;
  return printAll(io, [...headerOf(read, order, answer), '', ...renderBody(answer.body)]);
}

/** A sentence where something is wrong with the arguments. */
async function orderOf(read: RuleArgs, io: RuleIo): Promise<DispatchOrder | string> {
  const missing = missingOf(read, required);
  if (missing !== null) return missing;
  const phase = valueOf(read, '--phase');
  if (phase !== 'research' && phase !== 'discuss') return '--phase is research or discuss';
  const wrong = header.filter(
    (flag) => isCount(flag) && hasFlag(read, flag) && countOf(valueOf(read, flag)) === undefined,
  );
  if (wrong.length > 0) return `${wrong.join(', ')}: whole numbers from 0 on`;
  const path = resolve(io.cwd, valueOf(read, '--charter-ref')!);
  // Whatever keeps it from being read, there is no charter.
  const charter = await readFile(path, 'utf8').catch(() => undefined);
  if (charter === undefined || charter.trim() === '') return `--charter-ref ${path} holds no charter`;
  return {
    agent: valueOf(read, '--agent')!,
    phase,
    charter: charter.trim(),
    sessionId: valueOf(read, '--session-id')!,
    role: valueOf(read, '--role'),
    turn: countOf(valueOf(read, '--turn')) ?? 1,
    round: countOf(valueOf(read, '--round')) ?? (phase === 'research' ? 0 : 1),
    noWeb: hasFlag(read, '--no-web'),
    root: io.cwd,
  };
}

function isCount(flag: string): boolean {
  return flag !== '--speaker' && flag !== '--role';
}

/** The stub is a program of the caller's own, run as it stands; without one a real agent speaks. */
async function answerOf(order: DispatchOrder, io: RuleIo): Promise<string> {
  const { fail } = await import('../../../kernel/pure/errors.ts');
  const stub = io.env['GAIA_DISPATCH_AGENT_STUB'];
  if (stub === undefined || stub === '') {
    if (io.dispatch !== undefined) return await io.dispatch(order);
    throw fail('unavailable', 'No agent can speak from here.', 'Call it as `guild-hall rule dispatch-agent-turn`.');
  }
  const { runCommand } = await import('../../../kernel/processes/command.ts');
  const { silentLog } = await import('../../../kernel/log/log.ts');
  const result = await runCommand(
    { log: silentLog },
    {
      file: resolve(io.cwd, stub),
      args: ['--agent', order.agent, '--phase', order.phase, '--session-id', order.sessionId],
      cwd: io.cwd,
      env: io.env,
      timeoutMs: 30 * 60_000,
    },
  );
  if (result.failedToStart === undefined) return result.stdout;
  throw fail(
    'unavailable',
    `The stub ${stub} cannot be run: ${result.failedToStart}`,
    'Name a program in GAIA_DISPATCH_AGENT_STUB, or unset it to have a real agent speak.',
  );
}

interface Answer {
  readonly status: string;
  readonly body: string;
  readonly tokens: number | undefined;
  readonly speaker: string | undefined;
  readonly role: string | undefined;
  readonly findings: readonly {
    readonly severity: string;
    readonly text: string;
    readonly turnId: string | undefined;
  }[];
}

function parseAnswer(raw: string): Answer | undefined {
  const value = parseJson(raw);
  const status = value === undefined ? undefined : textIn(value, 'status');
  if (value === undefined || status === undefined) return undefined;
  const findings = Array.isArray(value['findings']) ? (value['findings'] as unknown[]) : [];
  return {
    status,
    body: textIn(value, 'body') ?? textIn(value, 'summary') ?? '',
    tokens: typeof value['tokens'] === 'number' ? value['tokens'] : undefined,
    speaker: textIn(value, 'speaker'),
    role: textIn(value, 'role'),
    findings: findings.filter(isFields).map((finding) => ({
      severity: (textIn(finding, 'severity') ?? 'INFO').toUpperCase(),
      text: (textIn(finding, 'summary') ?? '').replaceAll(/\s+/g, ' ').trim(),
      turnId: textIn(finding, 'turn_id'),
    })),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(raw: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(raw);
    return isFields(value) ? value : undefined;
  } catch {
    // No JSON: the caller is given it as it came.
    return undefined;
  }
}

function textIn(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === 'string' ? value : undefined;
}

/** What is grave is said before anything else; the rest is kept with the session. */
async function routeFindings(read: RuleArgs, io: RuleIo, order: DispatchOrder, { findings }: Answer): Promise<void> {
  const turnId = valueOf(read, '--turn-id') ?? `T${order.turn}`;
  const infos: string[] = [];
  for (const finding of findings) {
    const id = finding.turnId ?? turnId;
    if (finding.severity === 'WARNING' || finding.severity === 'CRITICAL') {
      io.err(`[gaia-meeting] ${finding.severity}: ${order.agent} @ turn ${id} — ${finding.text}`);
    } else infos.push(`${id}=INFO:${finding.text.replaceAll(';', ',')}`);
  }
  if (infos.length > 0) await keepInfos(read, io, order, infos);
}

async function keepInfos(
  read: RuleArgs,
  io: RuleIo,
  { sessionId }: DispatchOrder,
  infos: readonly string[],
): Promise<void> {
  const { pathOf, changeState, notOurs } = await import('./state.ts');
  const { parseDocument } = await import('../lazy-yaml.ts');
  const { requireInside } = await import('../store/boundary.ts');
  const { sessionPath } = await import('../store/place.ts');
  const { scrubCouncil } = await import('../store/scrub.ts');
  const given = valueOf(read, '--state-file') ?? io.env['GAIA_MEETING_SESSION_FILE'];
  if (given === undefined && !/^[\w-]+$/.test(sessionId))
    return io.err(`${name}: no session file can have the id ${JSON.stringify(sessionId)}`);
  // A file that the caller names is the caller's; the usual one may lie behind a repository's link.
  const path = given === undefined ? await requireInside(io.cwd, sessionPath(sessionId)) : pathOf(io, given);
  const found = await scrubCouncil(infos.join('; '));
  await changeState(path, (text) => {
    const document = parseDocument(text ?? '');
    if (text === undefined || document.errors.length > 0) throw notOurs(path, 'a session file');
    const before = document.get('agent_dispatch_findings');
    const all = [...(typeof before === 'string' && before !== '' ? [before] : []), found];
    document.set('agent_dispatch_findings', all.join('; '));
    return { text: document.toString({ lineWidth: 0 }), answer: undefined };
  });
}

/** What the caller gives stands as it was given; the rest is what the turn really was. */
function headerOf(read: RuleArgs, order: DispatchOrder, { tokens = 0, speaker, role }: Answer): string[] {
  const turnCost = countOf(valueOf(read, '--turn-cost')) ?? tokens;
  return printHeader({
    round: order.round,
    turn: order.turn,
    speaker: valueOf(read, '--speaker') ?? speaker ?? order.agent,
    role: order.role ?? role ?? 'Agent',
    turnCost,
    runningTotal: countOf(valueOf(read, '--running-total')) ?? turnCost,
    phase: order.phase === 'research' ? 'RESEARCH' : 'DISCUSS',
    turnId: valueOf(read, '--turn-id') ?? `T${order.turn}`,
    via: 'subagent',
  });
}
