/**
 * Words of agents and artifacts, set like a document. No raw HTML, no scripts, no images from elsewhere; a link
 * tells where it leads.
 */
import { useRouter } from '@tanstack/react-router';
import { ImageOff } from 'lucide-react';
import {
  createContext,
  lazy,
  memo,
  type MouseEvent,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { inBackground } from '../../state/background.ts';
import { countBlocks } from '../blocks/next-buttons.ts';
import { Slices, useSlices } from '../blocks/slices.ts';
import {
  type Block as Cut,
  type Blocks,
  cutBlocks,
  definitionsIn,
  drawnSource,
  noBlocks,
  readFence,
} from './blocks.ts';
import { CodeBlock } from './code-block.tsx';
import { atOnce, useDrawn } from './drawn.tsx';
import { mendTail } from './mend.ts';
import { type CodeFacts, codeOf, withBlockNumbers, withDirection } from './tree.ts';

export interface MarkdownProps {
  readonly text: string;
  /** More is coming: a mark stands at the end. */
  readonly isGrowing?: boolean;
  readonly addressOf?: AddressOf | undefined;
}

/**
 * Where a link to another artifact leads in this app; undefined: shown as text.
 * @param isMention it is no link, but a path that is written as code
 */
export type AddressOf = (path: string, isMention?: boolean) => string | undefined;

export function Markdown({ text, isGrowing = false, addressOf }: MarkdownProps) {
  const { drawn, rest } = useDrawn(text);
  const isWhole = drawn.length === text.length;
  const blocks = useBlocks(drawn, isGrowing);
  const definitions = useMemo(() => (isGrowing ? '' : definitionsIn(text)), [text, isGrowing]);
  const slices = useSlices(text, isGrowing ? blocks : undefined);
  let counted = 0;
  return (
    <AddressContext value={addressOf}>
      <Slices value={slices}>
        <div
          className={`prose ${isGrowing && isWhole ? 'prose-growing' : ''} ${text.length > atOnce ? 'prose-long' : ''}`}
        >
          {blocks.map((block, nth) => {
            const firstBlock = counted;
            const isTail = isGrowing && isWhole && nth === blocks.length - 1;
            if (!isTail && block.isPlain !== true) counted += countBlocks(block, block.source);
            return (
              // Blocks never change their place: the number is the identity.
              <Block
                key={nth}
                source={drawnSource(block)}
                definitions={definitions}
                isTail={isTail}
                isPlain={block.isPlain ?? false}
                firstBlock={firstBlock}
              />
            );
          })}
        </div>
        {rest}
      </Slices>
    </AddressContext>
  );
}

/** Where links lead may change; the blocks are not drawn again for it, only their links. */
const AddressContext = createContext<MarkdownProps['addressOf']>(undefined);

/** A longer text is cut though it never grew: one block of it would hold up the page. Characters. */
const longWhole = 8000;

/** A short text that never grew is one block; one that grew stays cut as it was, so that nothing of it is drawn again. */
function useBlocks(text: string, isGrowing: boolean): readonly Cut[] {
  const before = useRef<Blocks>(null);
  if (isGrowing || text.length > longWhole || before.current !== null)
    before.current = cutBlocks(before.current ?? noBlocks, text);
  const blocks = before.current;
  return useMemo(
    () => (blocks === null ? [{ source: text, start: null }] : [...blocks.finished, blocks.tail]),
    [blocks, text],
  );
}

interface BlockProps {
  readonly source: string;
  readonly definitions: string;
  readonly isTail: boolean;
  readonly isPlain: boolean;
  /** How many blocks of a spec the text has before it. */
  readonly firstBlock: number;
}

const plugins = [remarkGfm, withBlockNumbers];
const treePlugins = [withDirection];

/** A longer tail (a table, a very long paragraph) is drawn a few times a second: each time all of it is parsed. */
const longTail = 1500;
const longTailMs = 400;

/** Parsing marks of emphasis that fit each other nowhere takes a time that grows with their square: nobody writes so many. */
const mostMarks = 2000;

function hasTooManyMarks(source: string): boolean {
  return source.length > mostMarks && (source.match(/[*_]+/g)?.length ?? 0) > mostMarks;
}

const Block = memo(function Block({ isPlain, ...props }: BlockProps) {
  if (!isPlain && !hasTooManyMarks(props.source)) return <MarkdownBlock {...props} />;
  return (
    <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
      {props.source}
    </p>
  );
});

const FirstBlock = createContext(0);

function MarkdownBlock({ source, definitions, isTail, firstBlock }: Omit<BlockProps, 'isPlain'>) {
  const fence = readFence(source.endsWith('\n') ? source : `${source}\n`);
  const isCode = fence !== undefined && (fence.end === null || source.slice(fence.end).trim() === '');
  const paced = usePaced(source, isTail && !isCode && source.length > longTail ? longTailMs : 0);
  // Growing code is not parsed at all.
  return (
    <FirstBlock value={firstBlock}>
      {isCode ? (
        <Code text={fence.code} language={fence.language} isGrowing={isTail && fence.end === null} />
      ) : (
        <ReactMarkdown remarkPlugins={plugins} rehypePlugins={treePlugins} components={components}>
          {isTail ? mendTail(paced) : definitions + paced}
        </ReactMarkdown>
      )}
    </FirstBlock>
  );
}

/** The text as it was at most `everyMs` ago; 0: as it is. */
function usePaced(text: string, everyMs: number): string {
  const latest = useRef(text);
  const shown = useRef(text);
  const [, drawAgain] = useState(0);
  latest.current = text;
  if (everyMs === 0 || !text.startsWith(shown.current)) shown.current = text;
  useEffect(() => {
    if (everyMs === 0) return undefined;
    const timer = setInterval(() => {
      if (shown.current === latest.current) return;
      shown.current = latest.current;
      drawAgain((times) => times + 1);
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return shown.current;
}

const components: Components = {
  a: ({ href, children }) => <MarkdownLink href={href}>{children}</MarkdownLink>,
  code: ({ children }) => <InlineCode>{children}</InlineCode>,
  img: ({ src, alt }) => <ImageElsewhere src={String(src ?? '')} alt={alt ?? ''} />,
  pre: ({ node }) => <Code {...codeOf(node)} />,
  table: ({ children, dir }) => (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Table">
      <table dir={dir}>{children}</table>
    </div>
  ),
  input: ({ checked }) => <span aria-label={checked ? 'done' : 'not done'}>{checked ? '☑' : '☐'}</span>,
};

/** What draws the blocks of a spec is loaded with the first of them. */
const SpecBlock = lazy(async () => ({ default: (await import('../blocks/spec-block.tsx')).SpecBlock }));

/** Code; what is a block of a spec is drawn as that. While one grows its JSON is for nobody. */
function Code({ text, language, isGrowing = false, nth = 0 }: CodeFacts & { readonly isGrowing?: boolean }) {
  const firstBlock = use(FirstBlock);
  if (language?.startsWith('conclave:') !== true) return <CodeBlock text={text} language={language} />;
  if (isGrowing) return <Preparing />;
  return (
    <Suspense fallback={<Preparing />}>
      <SpecBlock text={text} language={language} position={firstBlock + nth} />
    </Suspense>
  );
}

function Preparing() {
  return (
    <p role="status" className="border-l-2 border-line py-1 pl-3 font-sans text-15 text-soft">
      Preparing
    </p>
  );
}

/** The path of an artifact that is known, as agents write it, leads to it. */
function InlineCode({ children }: { readonly children?: ReactNode }) {
  const addressOf = use(AddressContext);
  const isWithinLink = use(WithinLink);
  const address = isWithinLink ? undefined : addressOf?.(textOf(children), true);
  const code = <code>{children}</code>;
  return address === undefined ? code : <PlaceLink address={address}>{code}</PlaceLink>;
}

const WithinLink = createContext(false);

/** Leads within the app, or out of it and says to where. Other schemes than http(s) and mailto are dropped before. */
function MarkdownLink(props: { readonly href: string | undefined; readonly children: ReactNode }) {
  const { href = '' } = props;
  const addressOf = use(AddressContext);
  const children = <WithinLink value>{props.children}</WithinLink>;
  if (!/^(https?|mailto):/i.test(href)) {
    const address = href === '' ? undefined : addressOf?.(href);
    return address === undefined ? (
      <span title={href}>{children}</span>
    ) : (
      <PlaceLink address={address}>{children}</PlaceLink>
    );
  }
  const target = href.startsWith('mailto:') ? href.slice(7) : URL.canParse(href) ? new URL(href).host : href;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener" title={href}>
      {children}
      {textOf(props.children) !== href && <span className="link-target"> ({target})</span>}
    </a>
  );
}

/** Within this app: without loading the page anew. */
function PlaceLink({ address, children }: { readonly address: string; readonly children: ReactNode }) {
  const router = useRouter();
  const go = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    // What comes over the same page leaves the reader where they are.
    const resetScroll = new URL(address, location.href).pathname !== location.pathname;
    inBackground(router.navigate({ href: address.slice(router.basepath.length), resetScroll }));
  };
  return (
    <a href={address} onClick={go}>
      {children}
    </a>
  );
}

function textOf(children: ReactNode): string {
  if (Array.isArray(children)) return children.map(textOf).join('');
  return typeof children === 'string' ? children : '';
}

/** Asking for the image would tell its host that, and when, this was read. */
function ImageElsewhere({ src, alt }: { readonly src: string; readonly alt: string }) {
  const isWeb = /^https?:/i.test(src) && URL.canParse(src);
  return (
    <span className="inline-flex items-center gap-1.5 rounded-sm border border-line px-1.5 py-0.5 font-sans text-12 text-soft">
      <ImageOff aria-hidden size={13} />
      {alt === '' ? 'Image' : `Image: ${alt}`}
      {isWeb && (
        <a href={src} target="_blank" rel="noreferrer noopener" title={src}>
          {new URL(src).host}
        </a>
      )}
    </span>
  );
}
