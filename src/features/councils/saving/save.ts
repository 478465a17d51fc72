/** SAVE: action items, extractions, memory, notes, one commit; each part can be done again without harm. */
import { integrationLock } from '../../../kernel/projects/projects.ts';
import type { CouncilSession, SaveState } from '../contract.ts';
import type { MemoryDraft, NotesDraft } from '../contract/drafts.ts';
import { registryPath, requireInside } from '../store/boundary.ts';
import type { CouncilRef } from '../store/place.ts';
import { addActionItems, requireTarget } from './action-items.ts';
import { commitSave, followBranch, isOnBranch } from './commit.ts';
import type { SavingContext } from './context.ts';
import { settleDrafts, type SettledDrafts } from './drafts.ts';
import { extractPin, requireExtractionPlace } from './extractions.ts';
import { memoryPath, writeMemory } from './memory.ts';
import { withFinalIds } from './final-ids.ts';
import { headOf, printCouncilNotes } from './notes-body.ts';
import { requireNotesFree, writeNotes } from './notes.ts';

export interface SaveOptions {
  /** The bare content of each extracted pin beside its file, too. */
  readonly cleanCopies?: boolean;
}

/** One save that goes on: what of it is done, and how that is kept. */
interface Saving extends SaveOptions {
  readonly ctx: SavingContext;
  readonly ref: CouncilRef;
  readonly session: CouncilSession;
  readonly drafts: SettledDrafts;
  readonly removed: string[];
  save: SaveState;
  readonly keep: (change: Partial<SaveState>, written: readonly string[]) => Promise<void>;
}

const nothingYet: SaveState = { ids: null, written: [], extractions: [], memory: [], notes: null, commit: null };

/**
 * Writes what was accepted at REVIEW. The caller has asked the person and checked the provenance.
 * @param onPart stores how far it got, before the next part begins
 * @throws `forbidden` with the HALT line where a target is not a council's; `conflict` for a registry that cannot be read,
 *   or notes of another meeting in the way: both before anything is written
 */
export async function saveCouncil(
  ctx: SavingContext,
  ref: CouncilRef,
  session: CouncilSession,
  onPart: (save: SaveState) => Promise<void>,
  options: SaveOptions = {},
): Promise<SaveState> {
  if (!isOnBranch(ref)) return await writeParts(ctx, ref, session, onPart, options);
  return await ctx.locks.with(integrationLock(ref.project.name), async () => {
    await followBranch(ctx, ref);
    return await writeParts(ctx, ref, session, onPart, options);
  });
}

async function writeParts(
  ctx: SavingContext,
  ref: CouncilRef,
  session: CouncilSession,
  onPart: (save: SaveState) => Promise<void>,
  options: SaveOptions,
): Promise<SaveState> {
  const saving: Saving = {
    ...options,
    ctx,
    ref,
    session,
    drafts: settleDrafts(session),
    removed: [],
    save: session.save ?? nothingYet,
    keep: async (change, written) => {
      const all = [...new Set([...saving.save.written, ...written])];
      saving.save = { ...saving.save, ...change, written: all };
      await onPart(saving.save);
    },
  };
  await requirePlaces(saving);
  await saveItems(saving);
  await saveExtractions(saving);
  await saveMemory(saving);
  await saveNotes(saving);
  if (isOnBranch(ref) && saving.save.commit === null) {
    const paths = [...saving.save.written, ...saving.removed];
    const commit = await commitSave(ctx, ref, paths, `Council ${ref.id}: saved`);
    if (commit !== null) await saving.keep({ commit }, []);
  }
  return saving.save;
}

/** Before the first write: whatever would be refused half-way. */
async function requirePlaces({ ref: { root }, session, drafts }: Saving): Promise<void> {
  const { date, slug } = session.setup;
  for (const { type } of drafts.actionItems) requireTarget(type);
  if (drafts.actionItems.length > 0) await requireInside(root, registryPath);
  for (const pin of extracted(session)) await requireExtractionPlace(root, { ...pin, date, slug });
  for (const { agent } of drafts.memory) await requireInside(root, memoryPath(agent, date, slug));
  if (drafts.notes !== null) await requireNotesFree(root, { date, slug, charter: session.charter });
}

async function saveItems({ ctx, ref, session, drafts, save, keep }: Saving): Promise<void> {
  if (save.ids !== null || drafts.actionItems.length === 0) return;
  const { date, slug } = session.setup;
  const ids = await addActionItems(ctx, ref.root, {
    items: drafts.actionItems,
    sourceMeeting: slug,
    date,
    created: ctx.clock.nowIso(),
    isOnce: true,
  });
  await keep({ ids: Object.fromEntries(drafts.actionItems.map(({ id }, at) => [id, ids[at]!])) }, [registryPath]);
}

async function saveExtractions(saving: Saving): Promise<void> {
  const { ctx, ref, session, drafts, save } = saving;
  const pins = extracted(session);
  if (pins.length === save.extractions.length) return;
  const { date, slug } = session.setup;
  const done: string[] = [];
  const written: string[] = [];
  for (const pin of pins) {
    const actionItems = drafts.actionItems.flatMap((item) => {
      return item.pins.includes(pin.id) ? (saving.save.ids?.[item.id] ?? []) : [];
    });
    const one = await extractPin(ctx, ref.root, {
      ...pin,
      date,
      slug,
      actionItems,
      at: ctx.clock.nowIso(),
      withBare: saving.cleanCopies === true,
    });
    done.push(one.path);
    written.push(...one.written);
    saving.removed.push(...one.removed);
  }
  await saving.keep({ extractions: done }, written);
}

async function saveMemory({ ctx, ref, session, drafts, save, keep }: Saving): Promise<void> {
  const { date, slug } = session.setup;
  if (drafts.memory.every(({ agent }) => save.memory.includes(agent))) return;
  const written: string[] = [];
  for (const entry of drafts.memory) {
    const whole = withItems(withFinalIds(entry, save.ids), drafts, save);
    written.push(await writeMemory(ctx, ref.root, whole, { date, slug, sourceMeeting: slug }));
  }
  await keep({ memory: drafts.memory.map(({ agent }) => agent) }, written);
}

/** The ids of the items that are the agent's own, or rest on what it pinned. */
function withItems(entry: MemoryDraft, { actionItems }: SettledDrafts, { ids }: SaveState): MemoryDraft {
  const name = entry.agent.toLowerCase();
  const own = actionItems.filter(({ assignee }) => assignee.trim().replace(/^@/, '').toLowerCase() === name);
  const lines = own.flatMap(({ id, contextForTarget }) => {
    const final = ids?.[id];
    const isNamed = final === undefined || entry.tracking.some((text) => namesId(text, final));
    return isNamed ? [] : [`${final}: ${contextForTarget.trim().split('\n', 1)[0]!}`];
  });
  return { ...entry, tracking: [...lines, ...entry.tracking] };
}

function namesId(text: string, id: string): boolean {
  const at = text.indexOf(id);
  return at !== -1 && !/\d/.test(text[at + id.length] ?? '');
}

async function saveNotes({ ctx, ref, session, drafts, save, keep }: Saving): Promise<void> {
  if (drafts.notes === null || save.notes !== null) return;
  const notes: NotesDraft = withFinalIds(drafts.notes, save.ids);
  const head = headOf(session, drafts.actionItems, save);
  const items = drafts.actionItems.map((item) => ({ ...withFinalIds(item, save.ids), id: item.id }));
  const text = printCouncilNotes(session, notes, items, save);
  const path = await writeNotes(ctx, ref.root, head, text);
  await keep({ notes: path }, [path]);
}

function extracted({ pins }: CouncilSession): CouncilSession['pins'] {
  return pins.filter(({ disposition }) => disposition === 'extract');
}
