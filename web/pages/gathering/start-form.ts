/** What the form for a new gathering holds, what is missing in it, and what goes to the hall. Pure. */
import type { ErrorFacts } from '../../../src/kernel/pure/errors.ts';
import type { InputOf, OutputOf } from '../../state/operations.ts';

export type RhythmView = OutputOf<'gathering.rhythms'>['rhythms'][number];

/** Somebody who is to sit in it. */
export interface SeatDraft {
  /** `terminal`: a running one, by its id; `entry`: an agent that is started for it; `person`: the person. */
  readonly kind: 'terminal' | 'entry' | 'person';
  /** Id of the terminal, or name of the entry. */
  readonly ref: string;
  readonly name: string;
}

export interface GatheringDraft {
  /** Empty: the first of the list. */
  readonly rhythm: string;
  readonly participants: readonly SeatDraft[];
  readonly harvester: SeatDraft | null;
  /** As typed; empty: as the rhythm has it. */
  readonly structure: string;
  readonly beats: string;
  readonly interval: string;
  readonly keepTerminals: boolean;
}

export const emptyDraft: GatheringDraft = {
  rhythm: '',
  participants: [],
  harvester: null,
  structure: '',
  beats: '',
  interval: '',
  keepTerminals: false,
};

/** Tolerant of whatever was kept. */
export function readGatheringDraft(text: string): GatheringDraft {
  try {
    const kept = JSON.parse(text) as Partial<GatheringDraft>;
    const participants = Array.isArray(kept.participants) ? kept.participants.filter(isSeat) : [];
    return { ...emptyDraft, ...kept, participants, harvester: isSeat(kept.harvester) ? kept.harvester : null };
  } catch {
    return emptyDraft;
  }
}

function isSeat(value: unknown): value is SeatDraft {
  const { kind, ref, name } = (value ?? {}) as Partial<Record<keyof SeatDraft, unknown>>;
  return (
    ['terminal', 'entry', 'person'].includes(kind as string) && typeof ref === 'string' && typeof name === 'string'
  );
}

export type FieldName =
  | 'rhythm'
  | 'openingQuestion'
  | 'participants'
  | 'harvester'
  | 'structure'
  | 'beatsPerTurn'
  | 'beatIntervalSeconds';

export type FieldProblems = Partial<Record<FieldName, string>>;

/** What is missing or cannot be, by field. */
export function problemsOf(draft: GatheringDraft, question: string): FieldProblems {
  const { participants, harvester, structure, beats, interval } = draft;
  const seats = [...participants, ...(harvester === null ? [] : [harvester])];
  const names = seats.map(({ name }) => name.trim().toLowerCase());
  const twice = seats.find(({ name }, nth) => names.indexOf(name.trim().toLowerCase()) !== nth);
  const nameless = seats.some(({ name }) => name.trim() === '');
  const faults: (readonly [FieldName, string | false])[] = [
    ['openingQuestion', question.trim() === '' && 'Say what it is about'],
    [
      'participants',
      twice !== undefined && !nameless && `Two are called ${twice.name.trim()}; each needs a name of its own`,
    ],
    ['participants', participants.length < 2 && 'At least two have to speak'],
    ['participants', nameless && 'Each needs a name'],
    ['harvester', harvester === null && 'Choose who listens and harvests'],
    [
      'structure',
      structure.trim() !== '' &&
        !/^[1-9]-[1-9]-[1-9]$/.test(structure.trim()) &&
        'Three counts from 1 to 9, like 2-3-2',
    ],
    ['beatsPerTurn', beats.trim() !== '' && !isWhole(beats, 20) && 'A whole number from 1 to 20'],
    ['beatIntervalSeconds', interval.trim() !== '' && !isWhole(interval, 3600) && 'Seconds from 1 to 3600'],
  ];
  return Object.fromEntries(faults.filter(([, fault]) => fault !== false)) as FieldProblems;
}

function isWhole(text: string, most: number): boolean {
  return /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most;
}

export function inputOf(
  draft: GatheringDraft,
  { question, rhythm, project }: { readonly question: string; readonly rhythm: string; readonly project: string },
): InputOf<'gathering.start'> {
  const { participants, harvester, structure, beats, interval, keepTerminals } = draft;
  const person = participants.find(({ kind }) => kind === 'person');
  return {
    rhythm,
    project,
    openingQuestion: question,
    participants: participants.map(refOf),
    harvester: harvester === null ? '' : refOf(harvester),
    ...(person && { human: person.name.trim() }),
    ...(structure.trim() !== '' && { structure: structure.trim() }),
    ...(beats.trim() !== '' && { beatsPerTurn: Number(beats) }),
    ...(interval.trim() !== '' && { beatIntervalSeconds: Number(interval) }),
    ...(keepTerminals && { keepTerminals }),
  };
}

/** As `gathering start` takes it: a terminal, an agent to start, or that under a name. */
function refOf({ kind, ref, name }: SeatDraft): string {
  if (kind === 'terminal') return ref;
  if (kind === 'person' || name.trim() === ref) return name.trim();
  return `${name.trim()}=${ref}`;
}

/** A name that nobody has yet: `claude`, `claude-2`. */
export function freeName(wanted: string, taken: readonly string[]): string {
  const all = new Set(taken.map((name) => name.trim().toLowerCase()));
  let name = wanted;
  for (let nth = 2; all.has(name.toLowerCase()); nth += 1) name = `${wanted}-${nth}`;
  return name;
}

const fields: readonly string[] = [
  'rhythm',
  'openingQuestion',
  'participants',
  'harvester',
  'structure',
  'beatsPerTurn',
  'beatIntervalSeconds',
];

/** At which field the hall's refusal belongs; undefined: at none. */
export function fieldOf({ details }: Pick<ErrorFacts, 'details'>): FieldName | undefined {
  const several = details?.['fields'];
  const first: unknown = Array.isArray(several) ? (several[0] as { field?: unknown } | undefined)?.field : undefined;
  const [name = ''] = String(details?.['field'] ?? first ?? '').split('.');
  if (name === 'human') return 'participants';
  return fields.includes(name) ? (name as FieldName) : undefined;
}

/** The longest it can take, in milliseconds, without the harvest; undefined while that is not known. */
export function longestMs(draft: GatheringDraft, rhythm: RhythmView | undefined): number | undefined {
  if (rhythm === undefined || draft.participants.length < 2) return undefined;
  const counts =
    draft.structure.trim() === '' ? Object.values(rhythm.structure) : draft.structure.split('-').map(Number);
  const rounds = counts.reduce((sum, count) => sum + count, 0);
  const beats = draft.beats.trim() === '' ? rhythm.beatsPerTurn : Number(draft.beats);
  const seconds = draft.interval.trim() === '' ? rhythm.beatIntervalSeconds : Number(draft.interval);
  const ms = rounds * draft.participants.length * beats * seconds * 1000;
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
