/** What is done to the syntax trees of Markdown before they are drawn, and what is read off them. */
import { isBlockLanguage } from '../../../src/features/contexts/fold/blocks.ts';
import type { CodeBlockProps } from './code-block.tsx';

interface TreeNode {
  readonly type: string;
  readonly lang?: string | null;
  data?: object;
  readonly children?: readonly TreeNode[];
}

/** Each block of a spec knows which one of its source it is: by that it can be named. The order is that of `blocksIn`. */
export function withBlockNumbers() {
  return (tree: TreeNode) => {
    let count = 0;
    const visit = (node: TreeNode): void => {
      if (node.type === 'code' && isBlockLanguage(node.lang ?? undefined)) {
        node.data = { ...node.data, hProperties: { dataBlock: count } };
        count += 1;
      }
      node.children?.forEach(visit);
    };
    visit(tree);
  };
}

/** What a paragraph's words are decides from where they run. Code runs from the left. */
export function withDirection() {
  return ({ children }: { children: { type: string; tagName?: string; properties?: Record<string, unknown> }[] }) => {
    for (const node of children) {
      if (node.type === 'element' && node.tagName !== 'pre') node.properties = { ...node.properties, dir: 'auto' };
    }
  };
}

/** Code, as it stands in a tree. */
export interface CodeFacts extends CodeBlockProps {
  /** Which block of a spec it is within its source. */
  readonly nth?: number;
}

interface CodeNode {
  readonly tagName?: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown; readonly dataBlock?: unknown };
  readonly children?: readonly unknown[];
}

/** Text and language of the `code` within a `pre`, from the tree: what is drawn may be coloured already. */
export function codeOf(node: unknown): CodeFacts {
  const code = (node as CodeNode | undefined)?.children?.[0] as CodeNode | undefined;
  const names = Array.isArray(code?.properties?.className) ? code.properties.className.map(String) : [];
  const language = names.find((name) => name.startsWith('language-'))?.slice('language-'.length);
  const text = (code?.children ?? []).map((child) => (child as CodeNode).value ?? '').join('');
  const nth = code?.properties?.dataBlock;
  return { text: text.replace(/\n$/, ''), language, ...(typeof nth === 'number' && { nth }) };
}
