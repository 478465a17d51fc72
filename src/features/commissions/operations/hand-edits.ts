/** Records of commissions that a person edits by hand, through the editor of artifacts. */
import { parseArtifact } from '../../../kernel/artifacts/parse.ts';
import { readTextIfExists } from '../../../kernel/artifacts/write.ts';
import { requireProject } from '../../../kernel/projects/projects.ts';
import type { ErrorFacts } from '../../../kernel/pure/errors.ts';
import type { RecordKeeper } from '../../artifacts/contract.ts';
import type { CommissionsContext } from '../context.ts';
import { type CommissionId, commissionIdSchema, type CommissionRecord, commissionsFolder } from '../contract.ts';
import { decideHandEdit } from '../rules.ts';
import { decideDependencies } from '../rules/dependencies.ts';
import { artifactFile } from '../store/files.ts';
import { readKnownCommissions } from '../store/known.ts';
import { commissionLock, commissionPath, type CommissionRef } from '../store/place.ts';
import { recordOfDocument } from '../store/record.ts';
import { runOf } from '../store/run.ts';
import { producersOf } from './depending.ts';

const ended: ReadonlySet<string | null> = new Set(['completed', 'failed', 'cancelled']);

export function commissionRecords(ctx: CommissionsContext): RecordKeeper {
  return {
    lockOf: (project, path) => {
      const id = idOfRecord(path);
      return id === undefined ? undefined : commissionLock({ project: requireProject(ctx, project), id });
    },
    judge: async (project, path, text) => {
      const id = idOfRecord(path);
      return id === undefined ? undefined : await judgeEdit(ctx, { project: requireProject(ctx, project), id }, text);
    },
    isRecord: (path) => path.startsWith(`${commissionsFolder}/`),
    isUnfinished: (path, status) => path.startsWith(`${commissionsFolder}/`) && !ended.has(status),
  };
}

function idOfRecord(path: string): CommissionId | undefined {
  const id = commissionIdSchema.safeParse(path.slice(commissionsFolder.length + 1).replace(/\.md$/, ''));
  return id.success && path === commissionPath(id.data) ? id.data : undefined;
}

async function judgeEdit(ctx: CommissionsContext, ref: CommissionRef, text: string): Promise<ErrorFacts | undefined> {
  const present = sideOf(ref, (await readTextIfExists(await artifactFile(ref.project, ref.id))) ?? '');
  const wanted = sideOf(ref, text);
  const isBusy = (await runOf(ctx, ref).read()) !== undefined;
  const decided = decideHandEdit({ id: ref.id, status: present.record.status, isBusy }, present, wanted);
  if (!decided.ok) return decided.refusal;
  return await judgeDependencies(ctx, ref, present.record, wanted.record);
}

function sideOf(ref: CommissionRef, source: string) {
  const document = parseArtifact(source, commissionPath(ref.id));
  const record = recordOfDocument(ref.project.name, ref.id, document);
  return { record, fields: document.frontmatter, prompt: record.prompt, problems: record.problems };
}

/** What it waits for is judged as at its creation; a circle would hold it up for ever. */
async function judgeDependencies(
  ctx: CommissionsContext,
  ref: CommissionRef,
  present: CommissionRecord,
  wanted: CommissionRecord,
): Promise<ErrorFacts | undefined> {
  if (wanted.dependencies.every((one) => present.dependencies.includes(one))) return undefined;
  const { commissions } = await readKnownCommissions(ctx.engine.known, ref.project);
  const others = commissions.filter(({ id }) => id !== ref.id);
  const decided = decideDependencies(ref.id, wanted.dependencies, {
    all: new Map(others.map(({ id, dependencies }) => [id, dependencies])),
    producers: producersOf(others),
  });
  return decided.ok ? undefined : decided.refusal;
}
