/**
 * Which artifacts a text names: by its links, read by their syntax, so that what stands in code is not taken for one.
 * Only the paragraphs that may hold such a link are read, in small pieces with room for others between them: reading
 * the syntax of a long text takes seconds, and of a hostile one hours.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { artifactOfLink, mayHoldLinks, paragraphsOf } from './rules.ts';

interface MarkdownNode {
  readonly type: string;
  readonly url?: string;
  readonly children?: readonly MarkdownNode[];
}

/** @param body without the frontmatter */
export async function linkedInText(from: string, body: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (const paragraph of paragraphsOf(body)) {
    if (!mayHoldLinks(paragraph)) continue;
    for (const path of linksIn(from, paragraph)) found.add(path);
    await yieldToOthers();
  }
  return found;
}

function linksIn(from: string, text: string): string[] {
  const found: string[] = [];
  const waiting: MarkdownNode[] = [fromMarkdown(text)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const isLink = node.type === 'link' || node.type === 'definition' || node.type === 'image';
    const path = isLink ? artifactOfLink(from, node.url ?? '') : undefined;
    if (path !== undefined) found.push(path);
    waiting.push(...(node.children ?? []));
  }
  return found;
}
