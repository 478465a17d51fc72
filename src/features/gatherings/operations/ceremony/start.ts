/** Beginning a gathering: who is asked comes, who is not there is started; all of it, or nothing is left. */
import { composeId } from '../../../../kernel/pure/ids.ts';
import { fail } from '../../../../kernel/pure/errors.ts';
import { wellFormed } from '../../../../kernel/pure/text.ts';
import type { Caller } from '../../../../kernel/operations/operations.ts';
import { requireNoSecrets } from '../../../../kernel/secrets/ask.ts';
import type { GatheringsContext, LiveGathering } from '../../context.ts';
import { type Gathering, gatheringIdSchema, type GatheringId } from '../../contract/gathering.ts';
import type { RhythmView } from '../../contract/gathering-views.ts';
import { apply } from '../../reactions/ceremony/apply.ts';
import { tellAll } from '../../reactions/ceremony/changing.ts';
import { factsOf, publishOf } from '../../reactions/ceremony/live.ts';
import { endFounding, holdLive } from '../../reactions/ceremony/recovery.ts';
import { runClock } from '../../reactions/ceremony/ticking.ts';
import { inRelay } from '../../relay/relay.ts';
import { parseStructure } from '../../rhythms/parse.ts';
import { requireRhythm } from '../../rhythms/rhythms.ts';
import { begun, type Founding } from '../../rules/ceremony/machine.ts';
import { harmless } from '../../rules/ceremony/harmless.ts';
import { longPulse } from '../../rules/ceremony/pulse.ts';
import { type SeedFacts, seedText } from '../../rules/ceremony/seed.ts';
import { pastOf } from '../../rules/ceremony/past.ts';
import { type Seating, seatsOf } from '../../rules/ceremony/seating.ts';
import { gatheringFile } from '../../store/ceremony/place.ts';
import { seatingFor, type StarterPlace, starterOf } from './guard.ts';
import { bringAll, release } from './bringing.ts';

/** Characters. */
const longestQuestion = 4_000;

export interface GatheringWish {
  readonly rhythm: string;
  readonly participants: readonly string[];
  readonly harvester: string;
  readonly openingQuestion: string;
  /** `2-2-2` */
  readonly structure?: string | undefined;
  readonly beatsPerTurn?: number | undefined;
  readonly beatIntervalSeconds?: number | undefined;
  readonly human?: string | undefined;
  readonly keepTerminals?: boolean;
  readonly project?: Gathering['project'] | undefined;
  readonly allowSecrets?: boolean;
}

/**
 * The whole handshake: from here on it goes by itself.
 * @throws HallError that names the field; then nothing was started, or what was has ended
 */
export async function startGathering(ctx: GatheringsContext, caller: Caller, wish: GatheringWish): Promise<Gathering> {
  // Who may not begin one is told that first.
  starterOf(ctx, caller, wish.project);
  const rhythm = await requireRhythm(ctx, wish.rhythm);
  const question = await questionOf(ctx, caller, wish);
  // From here to the reservation nothing is awaited: nobody else takes a member meanwhile, or the one who asks.
  const starter = starterOf(ctx, caller, wish.project);
  const seating = seatingFor(ctx, caller, wish);
  const id = gatheringIdSchema.parse(composeId(rhythm.name, ctx.clock.nowIso(), ctx.ids.random(4)));
  reserve(ctx, id, seating);
  try {
    const spawned = await bringAll(ctx, caller, { id, project: starter.project, seating });
    const seats = seatsOf(seating, spawned, wish.keepTerminals !== true);
    const founding = await foundingOf(ctx, { id, starter, rhythm, question, seats, wish });
    return await begin(ctx, begun(founding));
  } catch (error) {
    if (!ctx.gatherings.known.has(id)) await leaveNothing(ctx, id);
    throw error;
  }
}

/** It stands in what the hall tells each member: of an agent it makes no part of the hall's own words, and no line of it or of others. */
function harmlessQuestion(text: string): string {
  const others = /^(?=[ \t]*(?:\[guild-hall\]|\[beat \d|the piece is now with |[^\n:]{1,80} \(\d{1,4}\):[ \t]*$))/gim;
  return harmless(text, longestQuestion).replaceAll(others, '> ');
}

/** Who was asked to come is free again, also where what was started for it cannot be ended now: the next hall does it. */
async function leaveNothing(ctx: GatheringsContext, id: GatheringId): Promise<void> {
  try {
    await endFounding(ctx, id);
  } catch (error) {
    ctx.log.error(
      { err: error, gathering: id },
      'what was started for a gathering that did not begin could not be ended',
    );
  }
  release(ctx, id);
}

async function questionOf(ctx: GatheringsContext, caller: Caller, wish: GatheringWish): Promise<string> {
  const text = wellFormed(wish.openingQuestion).trim();
  if (text === '') {
    throw fail('invalid', 'The opening question has no words in it.', 'Ask something: --question <text>', {
      field: 'openingQuestion',
    });
  }
  if (caller.kind === 'agent') return harmlessQuestion(await ctx.scrub(text));
  if (wish.allowSecrets !== true) await requireNoSecrets([{ what: 'the opening question', text, isCommitted: true }]);
  return text;
}

function reserve(ctx: GatheringsContext, id: GatheringId, { speakers, harvester }: Seating): void {
  for (const invited of [...speakers, harvester])
    if ('terminal' in invited) ctx.conversations.byTerminal.set(invited.terminal, id);
}

interface Asked {
  readonly id: GatheringId;
  readonly starter: StarterPlace;
  readonly rhythm: RhythmView;
  readonly question: string;
  readonly seats: Gathering['seats'];
  readonly wish: GatheringWish;
}

async function foundingOf(ctx: GatheringsContext, asked: Asked): Promise<Founding> {
  const { id, starter, rhythm, question, seats, wish } = asked;
  const shape = {
    id,
    question,
    structure: structureOf(wish, rhythm),
    beatsPerTurn: wish.beatsPerTurn ?? rhythm.beatsPerTurn,
    beatIntervalSeconds: wish.beatIntervalSeconds ?? rhythm.beatIntervalSeconds,
    ...ctx.config().gatherings,
  };
  const facts: SeedFacts = { ...shape, seats, rhythm, ...(await signalsOf(ctx, asked, shape.structure.inhale)) };
  return {
    ...shape,
    project: starter.project,
    rhythm: rhythm.name,
    seats,
    startedBy: starter.startedBy,
    startedAt: ctx.clock.nowIso(),
    seedTexts: Object.fromEntries(seats.map((seat) => [seat.number, seedText(facts, seat)])),
  };
}

function structureOf({ structure }: GatheringWish, rhythm: RhythmView): Gathering['structure'] {
  if (structure === undefined) return rhythm.structure;
  const parsed = parseStructure(structure);
  if (parsed !== undefined) return parsed;
  const message = `The structure is ${JSON.stringify(structure.slice(0, 40))}; expected three counts of rounds from 1 to 9.`;
  throw fail('invalid', message, 'For example: --structure 2-2-2', { field: 'structure' });
}

/** How things stand, and what was said of the question before. */
async function signalsOf(
  ctx: GatheringsContext,
  { starter: { project }, question, seats }: Asked,
  rounds: number,
): Promise<Pick<SeedFacts, 'pulse' | 'history'>> {
  // More than are told: of one gathering its record, its trail and all that it harvested may be found.
  const found = await ctx.findHistory({ project, words: question, hits: 15, characters: 3600 });
  const history = pastOf(found, { hits: 5, characters: 1200 });
  const speakers = seats.filter(({ role }) => role === 'speaker').map((seat) => ({ seat, line: null }));
  const system = await ctx.pulseFacts(project);
  return { pulse: longPulse({ stage: 'inhale', round: 1, rounds, speakers, system }), history };
}

/** With its file it is there: the seeds are in it, and go out. */
async function begin(ctx: GatheringsContext, record: Gathering): Promise<Gathering> {
  for (const { terminal } of record.seats) if (terminal !== null) await ctx.terminalsOf.forgetUnsaid(terminal);
  await gatheringFile(ctx, record.id).write(record);
  const live = await holdLive(ctx, record);
  live.isTakenUp = true;
  publishOf(ctx, record, 'gathering.started', { gathering: factsOf(record) });
  try {
    await inRelay(ctx, live.relay, async () => tellBeginning(ctx, live));
  } catch (error) {
    // It is on disk, and its clock tells it when there is room again.
    ctx.log.error({ err: error, gathering: record.id }, 'a gathering has begun, and could not tell all of it yet');
  }
  runClock(ctx, live);
  return live.record;
}

async function tellBeginning(ctx: GatheringsContext, live: LiveGathering): Promise<void> {
  await tellAll(ctx, live);
  // It ended before anybody listened for that.
  for (const { terminal, number } of live.record.seats) {
    if (terminal !== null && ctx.terminalsOf.find(terminal)?.isAlive !== true)
      await apply(ctx, live, { kind: 'gone', number, at: ctx.clock.nowIso() });
  }
}
