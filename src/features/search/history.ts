/** For a ceremony that begins: what was said and written of its question before. */
import { parseQuery } from '../../kernel/artifacts/search/query.ts';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import type { SearchContext } from './context.ts';
import type { FindHistory, HistoryRequest, SearchHit } from './contract.ts';
import { findIn, hitOf } from './operations.ts';

/** Of a question, so many words are looked for. */
const mostOfQuestion = 16;
/** A shorter snippet says nothing. Characters. */
const leastSnippet = 80;

export function findHistoryBy(ctx: SearchContext): FindHistory {
  return async (request) => {
    try {
      return await historyOf(ctx, request);
    } catch (error) {
      // Without it a ceremony begins all the same.
      ctx.log.warn({ project: request.project, reason: errorFactsOf(error).message }, 'no history for a ceremony');
      return [];
    }
  };
}

async function historyOf(
  ctx: SearchContext,
  { project, words, hits, characters }: HistoryRequest,
): Promise<readonly SearchHit[]> {
  const terms = parseQuery(words).slice(0, mostOfQuestion);
  if (terms.length === 0) return [];
  const { hits: found } = await findIn(ctx, ctx.projects(project), { terms, kinds: [], limit: hits });
  const kept = found.slice(0, Math.floor(characters / leastSnippet));
  let left = characters;
  return kept.map((each, at) => {
    // What one does not need is left for those after it.
    const hit = hitOf(each, terms, Math.floor(left / (kept.length - at)));
    left -= hit.snippet.text.length;
    return hit;
  });
}
