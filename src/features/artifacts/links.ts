/**
 * Which artifacts a text names: by its links, read by their syntax, so that what stands in code is not taken for one.
 * Only the paragraphs that may hold such a link are read, with room for others between them.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { artifactOfLink, mayHoldLinks, paragraphsOf } from './rules.ts';
import { linkTargetsIn } from './scanning.ts';

/** @param body without the frontmatter */
export async function linkedInText(from: string, body: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (const paragraph of paragraphsOf(body)) {
    if (!mayHoldLinks(paragraph)) continue;
    for (const target of linkTargetsIn(paragraph)) {
      const path = artifactOfLink(from, target);
      if (path !== undefined) found.add(path);
    }
    await yieldToOthers();
  }
  return found;
}
