/** Which artifacts a text names: by its links, read by its syntax, so that what stands in code is not taken for one. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { artifactOfLink } from './rules.ts';

interface MarkdownNode {
  readonly type: string;
  readonly url?: string;
  readonly children?: readonly MarkdownNode[];
}

/** Text beyond this many characters is not looked through: reading its syntax would take too long. */
const maxLength = 400_000;

/** @param body without the frontmatter */
export function linkedInText(from: string, body: string): Set<string> {
  const found = new Set<string>();
  const waiting: MarkdownNode[] = [fromMarkdown(body.slice(0, maxLength))];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const isLink = node.type === 'link' || node.type === 'definition' || node.type === 'image';
    const path = isLink ? artifactOfLink(from, node.url ?? '') : undefined;
    if (path !== undefined) found.add(path);
    waiting.push(...(node.children ?? []));
  }
  return found;
}
