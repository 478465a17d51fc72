/** One message: the person's words as they were typed, or the agent's answer set like a document. */
import { Check, Copy } from 'lucide-react';
import { memo, type ReactNode, use, useMemo, useState } from 'react';
import type { AgentMessage, PersonMessage } from '../../../../src/features/sessions/contract.ts';
import { type BlocksPlace, BlocksPlaceContext, type RenderNext } from '../../../kit/blocks/next-buttons.ts';
import { slicesIn, SlicesAroundContext } from '../../../kit/blocks/slices.ts';
import { IconButton } from '../../../kit/button.tsx';
import { Markdown } from '../../../kit/markdown/markdown.tsx';
import { Said } from '../../../kit/said.tsx';
import { Fact, Speech } from '../../../kit/speech.tsx';
import { Since } from '../../../kit/time.tsx';
import { inBackground } from '../../../state/background.ts';
import { Earlier, KeepPlace, useTail } from './earlier.tsx';
import { Images } from './image.tsx';
import { Permission } from './permission.tsx';
import { type Segment, segmentsOf, type TextPart, wordsOf } from './segments.ts';
import { SessionFacts } from './session-facts.ts';
import { TurnEnd } from './turn-end.tsx';
import { Work } from './work.tsx';

export interface PersonSpeechProps {
  readonly message: PersonMessage;
  /** Instead of the time. */
  readonly fact?: ReactNode;
  readonly action?: ReactNode;
}

export const PersonSpeech = memo(function PersonSpeech({ message, fact, action }: PersonSpeechProps) {
  const { project, id } = use(SessionFacts);
  const { text, images, at, state } = message;
  if (state === 'withdrawn')
    return (
      <Fact>
        Taken back before its turn: <span className="text-faint">{text.slice(0, 120).replaceAll(/\s+/g, ' ')}</span>
      </Fact>
    );
  return (
    <Speech at={at} fact={fact} action={action}>
      <div className={state === 'queued' ? 'opacity-75' : ''}>
        <Said text={text} />
        <Images project={project} id={id} images={images} />
      </div>
    </Speech>
  );
});

export interface AgentSpeechProps {
  readonly message: AgentMessage;
  readonly renderNext: RenderNext | undefined;
  /** What can be done when it did not end well; undefined where it is not the last. */
  readonly action: ReactNode;
}

export const AgentSpeech = memo(function AgentSpeech({ message, renderNext, action }: AgentSpeechProps) {
  const { agent } = use(SessionFacts);
  const isRunning = message.state === 'running';
  const segments = useMemo(() => segmentsOf(message.parts), [message.parts]);
  return (
    <Speech
      worker={agent}
      at={message.endedAt ?? message.at}
      fact={isRunning ? <Answering message={message} /> : undefined}
      action={isRunning ? undefined : <CopyAnswer message={message} />}
    >
      <div className="flex flex-col gap-3">
        {message.renewed && <Fact>The agent went on in a fresh session, and was told what had been said.</Fact>}
        <Segments segments={segments} message={message} renderNext={renderNext} />
        <TurnEnd message={message} isEmpty={segments.length === 0} action={action} />
      </div>
    </Speech>
  );
});

function Answering({ message: { at, parts } }: { readonly message: AgentMessage }) {
  const isAsking = parts.some((part) => part.type === 'permission' && part.outcome === null);
  return (
    <span className={`inline-flex items-baseline gap-1.5 ${isAsking ? 'text-waiting' : 'text-active'}`}>
      <span aria-hidden className={isAsking ? '' : 'animate-breathe'}>
        {isAsking ? '◐' : '●'}
      </span>
      {isAsking ? (
        'waits for your answer'
      ) : (
        <span>
          works for <Since at={at} />
        </span>
      )}
    </span>
  );
}

interface SegmentsProps {
  readonly segments: readonly Segment[];
  readonly message: AgentMessage;
  readonly renderNext: RenderNext | undefined;
}

function Segments({ segments, message, renderNext }: SegmentsProps) {
  const { project, id, agent, folder, isPast } = use(SessionFacts);
  const isRunning = message.state === 'running';
  const texts = useMemo(() => textsAround(segments), [segments]);
  const firstQuestion = segments.find(({ kind }) => kind === 'question');
  const numbers = useMemo(() => segments.map((_segment, nth) => nth), [segments]);
  const { shown, hidden, reveal } = useTail(numbers, same, segmentsAtOnce);
  const place = (nth: number) => `${id}.${message.seq}.${nth}`;
  const pieces = shown.map((nth) => {
    const segment = segments[nth]!;
    const isLast = isRunning && nth === segments.length - 1;
    // Segments never change their place: the number is the identity.
    switch (segment.kind) {
      case 'words':
        return (
          <Words
            key={nth}
            segment={segment}
            texts={texts}
            message={message}
            isGrowing={isLast}
            renderNext={renderNext}
          />
        );
      case 'work':
        return <Work key={nth} parts={segment.parts} folder={folder} isLast={isLast} />;
      case 'question':
        return isPast ? (
          <Fact key={nth} mark="◐">
            It waits for an answer: {segment.part.title || segment.part.name}
          </Fact>
        ) : (
          <Permission
            key={segment.part.requestId}
            part={segment.part}
            project={project}
            id={id}
            agent={agent}
            folder={folder}
            isFirst={segment === firstQuestion}
          />
        );
    }
  });
  return (
    <KeepPlace first={place(hidden)}>
      {hidden > 0 && <Earlier count={hidden} word="part" onEarlier={reveal} />}
      {pieces.map((piece, nth) => (
        <div key={piece.key} data-place={place(hidden + nth)}>
          {piece}
        </div>
      ))}
    </KeepPlace>
  );
}

/** Of a very long answer so many parts are drawn at first, from its end, and so many more each time. */
const segmentsAtOnce = 40;

const same = (nth: number) => nth;

type WordsSegment = Extract<Segment, { kind: 'words' }>;

/** All words of a message where they have slices of one picture; else undefined. */
function textsAround(segments: readonly Segment[]): readonly TextPart[] | undefined {
  const texts = segments.flatMap((each) => (each.kind === 'words' ? [each.part] : []));
  return texts.length > 1 && texts.some(({ text }) => text.includes('conclave:eventmodel')) ? texts : undefined;
}

interface WordsProps extends Omit<SegmentsProps, 'segments'> {
  readonly segment: WordsSegment;
  readonly texts: readonly TextPart[] | undefined;
  readonly isGrowing: boolean;
}

function Words({ segment, texts, message, isGrowing, renderNext }: WordsProps) {
  const { sessionId } = use(SessionFacts);
  const { seq, state } = message;
  const { part, blocks } = segment;
  const place = useMemo<BlocksPlace | null>(
    () =>
      renderNext === undefined ? null : { sessionId, message: { seq, state }, before: blocks, render: renderNext },
    [renderNext, sessionId, seq, state, blocks],
  );
  const words = (
    <BlocksPlaceContext value={place}>
      <Text text={part.text} isGrowing={isGrowing} />
    </BlocksPlaceContext>
  );
  return texts !== undefined ? (
    <OnePicture texts={texts} part={part}>
      {words}
    </OnePicture>
  ) : (
    words
  );
}

interface OnePictureProps {
  readonly texts: readonly TextPart[];
  readonly part: TextPart;
  readonly children: ReactNode;
}

/** The slices of all words of a message are one picture, however much work lies between them. */
function OnePicture({ texts, part, children }: OnePictureProps) {
  const at = texts.indexOf(part);
  const [before, behind] = [texts.slice(0, at), texts.slice(at + 1)].map((some) => some.map(({ text }) => text));
  const [textBefore, textBehind] = [before!.join('\n\n'), behind!.join('\n\n')];
  const around = useMemo(
    () => ({ before: slicesIn(textBefore), behind: slicesIn(textBehind) }),
    [textBefore, textBehind],
  );
  return <SlicesAroundContext value={around}>{children}</SlicesAroundContext>;
}

const Text = memo(function Text({ text, isGrowing }: { readonly text: string; readonly isGrowing: boolean }) {
  return <Markdown text={text.replace(/^\s*\n/, '')} isGrowing={isGrowing} />;
});

function CopyAnswer({ message }: { readonly message: AgentMessage }) {
  const [isCopied, setCopied] = useState(false);
  const text = wordsOf(message.parts);
  if (text === '') return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <IconButton
      icon={isCopied ? Check : Copy}
      label={isCopied ? 'Copied' : 'Copy this answer'}
      onClick={() => inBackground(copy())}
    />
  );
}
