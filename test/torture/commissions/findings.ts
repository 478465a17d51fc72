/** What a run found out, and how it is shown. */

export interface Findings {
  rounds: number;
  hallKills: number;
  /** Of these: while the hall was starting. */
  startKills: number;
  workerKills: number;
  faultKills: number;
  /** Fault points that the whole life of a queue passes. */
  faultPoints: number;
  created: number;
  attempts: number;
  acknowledged: Record<string, number>;
  ends: Record<string, number>;
  killedDuring: Record<string, number>;
  restartMs: number[];
  /** Changes of state whose event was not published: the hall was killed between the file and the event. */
  untold: number;
  lost: string[];
  wrong: string[];
  leaked: string[];
  /** What the single cases said: agent killed, disk full, and so on. */
  cases: { name: string; ok: boolean; said: string }[];
}

export function emptyFindings(): Findings {
  return {
    rounds: 0,
    hallKills: 0,
    startKills: 0,
    workerKills: 0,
    faultKills: 0,
    faultPoints: 0,
    created: 0,
    attempts: 0,
    acknowledged: {},
    ends: {},
    killedDuring: {},
    restartMs: [],
    untold: 0,
    lost: [],
    wrong: [],
    leaked: [],
    cases: [],
  };
}

export function count(counts: Record<string, number>, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

export type Bad = 'lost' | 'wrong' | 'leaked';

export function note(findings: Findings, kind: Bad, where: string, what: readonly string[]): void {
  for (const each of what) {
    findings[kind].push(`${where}: ${each}`);
    process.stderr.write(`▲ ${kind}, ${where}: ${each}\n`);
  }
}

export function isClean({ lost, wrong, leaked, cases }: Findings): boolean {
  return lost.length + wrong.length + leaked.length === 0 && cases.every(({ ok }) => ok);
}

export function printFindings(options: Readonly<Record<string, unknown>>, findings: Findings): void {
  const sorted = findings.restartMs.toSorted((a, b) => a - b);
  const at = (share: number): string => `${Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)} ms`;
  const told = (counts: Record<string, number>): string =>
    Object.entries(counts)
      .map(([what, times]) => `${what} ${times}`)
      .join(', ') || 'none';
  const must = (bad: readonly unknown[]): string => `${bad.length}${bad.length === 0 ? '' : '   ▲ must be 0'}`;
  const rows: readonly (readonly [string, string])[] = [
    ['seed', String(options['seed'])],
    ['rounds of twelve commissions', String(findings.rounds)],
    ['kill -9 of the hall, of these while it started', `${findings.hallKills}, ${findings.startKills}`],
    ['kill -9 of a worker', String(findings.workerKills)],
    ['kill -9 at a fault point (of so many passed)', `${findings.faultKills} (${findings.faultPoints})`],
    ['killed while commissions were', told(findings.killedDuring)],
    ['commissions created, attempts of them', `${findings.created}, ${findings.attempts}`],
    ['acknowledged', told(findings.acknowledged)],
    ['ended as', told(findings.ends)],
    ['restart until it answers, median / p95', `${at(0.5)} / ${at(0.95)}`],
    ['changes of state told of by no event', String(findings.untold)],
    ['acknowledged and lost', must(findings.lost)],
    ['wrong states, reasons, commits, files', must(findings.wrong)],
    ['processes, worktrees, branches, locks left', must(findings.leaked)],
    ...findings.cases.map(({ name, ok, said }) => [name, `${ok ? 'ok' : '▲ no'}: ${said}`] as const),
  ];
  for (const [name, value] of rows) process.stdout.write(`${name.padEnd(50)}${value}\n`);
  const bad = [...findings.lost, ...findings.wrong, ...findings.leaked];
  for (const what of bad.slice(0, 40)) process.stdout.write(`  ▲ ${what}\n`);
}
