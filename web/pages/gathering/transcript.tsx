/** What was said, as a document: words of each speaker, what the hall told as quiet lines, beats as marks that unfold. */
import type { Message } from '../../../src/features/gatherings/contract.ts';
import type { GatheringView } from '../../../src/features/gatherings/contract/gathering-views.ts';
import { calledAs, harvesterOf, seatOf } from '../../kit/gathering-words.ts';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { Said } from '../../kit/said.tsx';
import { Fact, Speech } from '../../kit/speech.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { type Line, linesOf } from './transcript-lines.ts';

type Gathering = GatheringView['gathering'];

export interface TranscriptProps {
  readonly view: GatheringView;
  readonly areBeatsShown: boolean;
}

export function Transcript({ view, areBeatsShown }: TranscriptProps) {
  const { messages, earlier, gathering } = view;
  const lines = linesOf(messages);
  const lastPiece = lines.findLast(({ kind }) => kind === 'piece');
  return (
    <div role="log" aria-label="What was said" className="flex flex-col gap-1.5">
      {earlier > 0 && (
        <Fact>{earlier === 1 ? 'One message came before these.' : `${earlier} messages came before these.`}</Fact>
      )}
      {lines.map((line) => (
        <LineOf
          key={line.key}
          line={line}
          gathering={gathering}
          areBeatsShown={areBeatsShown}
          isNow={gathering.turn !== null && line === lastPiece}
        />
      ))}
    </div>
  );
}

interface LineProps<Kind extends Line['kind'] = Line['kind']> {
  readonly line: Extract<Line, { readonly kind: Kind }>;
  readonly gathering: Gathering;
}

interface LineOfProps extends LineProps {
  readonly areBeatsShown: boolean;
  /** The piece is where this line says. */
  readonly isNow: boolean;
}

function LineOf({ line, gathering, areBeatsShown, isNow }: LineOfProps) {
  switch (line.kind) {
    case 'words':
      return <Words line={line} gathering={gathering} />;
    case 'announcement':
      return <Announcement line={line} gathering={gathering} />;
    case 'banner':
      return <Banner line={line} />;
    case 'piece':
      return (
        <Quiet line={line} gathering={gathering} mark={isNow ? '●' : '○'} text={`The piece is now with ${line.with}`} />
      );
    case 'note':
      return <Quiet line={line} gathering={gathering} mark="◆" text={line.text} />;
    case 'beats':
      return <BeatMarks line={line} gathering={gathering} isOpen={areBeatsShown} />;
    case 'seeds':
      return <Seeds line={line} gathering={gathering} />;
    case 'ask':
      return (
        <Folded label={`${harvesterOf(gathering)?.name ?? 'The harvester'} was asked for the harvest`}>
          <Markdown text={line.text} />
        </Folded>
      );
  }
}

function Words({ line, gathering }: LineProps<'words'>) {
  const { message, text } = line;
  const seat = typeof message.from === 'number' ? seatOf(gathering, message.from) : personOf(gathering);
  const isPerson = message.from === 'person' || seat?.terminal === null;
  return (
    <div className="pt-2 pb-5">
      <Speech
        {...(!isPerson && seat && { worker: seat.name })}
        also={seat && (seat.role === 'harvester' ? `(${seat.number}), the harvest` : `(${seat.number})`)}
        at={message.at}
      >
        {isPerson ? <Said text={text} /> : <Markdown text={text} />}
        <NotReached message={message} gathering={gathering} />
      </Speech>
    </div>
  );
}

function personOf({ seats }: Gathering): Gathering['seats'][number] | undefined {
  return seats.find(({ terminal }) => terminal === null);
}

function Announcement({ line, gathering }: LineProps<'announcement'>) {
  return (
    <div className="my-3 -mx-3 rounded-md bg-sunk px-3 py-3">
      <Speech also="as the host, to all" at={line.message.at}>
        <Said text={line.text} />
        <NotReached message={line.message} gathering={gathering} />
      </Speech>
    </div>
  );
}

/** Where a round begins. */
function Banner({ line }: { readonly line: Extract<Line, { readonly kind: 'banner' }> }) {
  return (
    <div className="flex flex-col gap-1 pt-8 pb-2 first:pt-0">
      <h2 className="flex items-center gap-3 font-serif text-18 font-semibold">
        <span>{line.title}</span>
        <span aria-hidden className="h-px min-w-4 flex-1 bg-line" />
      </h2>
      {line.text !== '' && <p className="max-w-[66ch] text-13 text-soft">{line.text}</p>}
    </div>
  );
}

interface QuietProps {
  readonly line: { readonly message: Message };
  readonly gathering: Gathering;
  readonly mark: keyof typeof markTones;
  readonly text: string;
}

const markTones = { '●': 'text-ember', '○': 'text-faint', '◆': 'text-note' } as const;

function Quiet({ line, gathering, mark, text }: QuietProps) {
  return (
    <div>
      <p className="flex items-baseline gap-3 text-13 text-faint">
        <span aria-hidden className={`w-6 shrink-0 text-center text-12 ${markTones[mark]}`}>
          {mark}
        </span>
        <span className="min-w-0">{text}</span>
      </p>
      <NotReached message={line.message} gathering={gathering} />
    </div>
  );
}

/** The prompts that the holder alone got: a mark for each. */
function BeatMarks({ line, gathering, isOpen }: LineProps<'beats'> & { readonly isOpen: boolean }) {
  const to = seatOf(gathering, line.messages[0]?.to[0]);
  const count = line.messages.length;
  const whom = to?.terminal === null ? 'you' : (to?.name ?? 'the speaker');
  return (
    // Another choice for all of them opens or folds each anew.
    <details key={String(isOpen)} open={isOpen} className="group/beats text-13 text-faint">
      <summary className="flex w-fit list-none items-baseline gap-3 rounded-sm hover:text-ink [&::-webkit-details-marker]:hidden">
        <span aria-hidden className="flex w-6 shrink-0 justify-center gap-[3px] self-center">
          {line.messages.slice(0, 3).map(({ id }) => (
            <span key={id} className="size-[5px] rounded-full border border-line-strong" />
          ))}
        </span>
        <span>{`${count === 1 ? 'A beat' : `${count} beats`}, told to ${whom} alone`}</span>
      </summary>
      <ul className="flex flex-col gap-1 pt-1.5 pl-9 text-soft">
        {line.messages.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </details>
  );
}

/** What each was told at the beginning: the person's own, where they have a seat; the others' are the same under their names. */
function Seeds({ line, gathering }: LineProps<'seeds'>) {
  const you = personOf(gathering);
  const own = line.messages.find(({ to }) => you !== undefined && to.includes(you.number)) ?? line.messages[0];
  if (own === undefined) return null;
  const named = seatOf(gathering, own.to[0]);
  const whose = own.to[0] === you?.number ? 'you were' : `${named?.name ?? 'each'} was`;
  return (
    <div className="flex flex-col gap-1">
      <Folded label={`What ${whose} told at the beginning; the others the same, under their own names`}>
        <Markdown text={own.text} />
      </Folded>
      {line.messages.map((message) => (
        <NotReached key={message.id} message={message} gathering={gathering} />
      ))}
    </div>
  );
}

function Folded({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <details className="text-13 text-faint">
      <summary className="flex w-fit list-none items-baseline gap-3 rounded-sm hover:text-ink [&::-webkit-details-marker]:hidden">
        <span aria-hidden className="w-6 shrink-0 text-center text-12 text-note">
          ◆
        </span>
        <span className="underline decoration-line underline-offset-4">{label}</span>
      </summary>
      <div className="mt-3 ml-9 border-l-2 border-line pl-4 text-ink max-phone:ml-0">{children}</div>
    </details>
  );
}

/** That somebody was not told is to be seen; that all were is as it should be. */
function NotReached({ message, gathering }: { readonly message: Message; readonly gathering: Gathering }) {
  const troubled = message.receipts.filter(({ receipt }) => receipt.state !== 'delivered');
  if (troubled.length === 0) return null;
  return (
    <ul aria-label="What did not arrive yet" className="flex flex-col gap-0.5 pt-1.5 pl-9 in-[article]:pl-0">
      {troubled.map(({ to, receipt }) => {
        const seat = seatOf(gathering, to);
        const name = seat === undefined ? `number ${to}` : calledAs(seat);
        return (
          <li key={to} className="flex flex-wrap items-baseline gap-x-2 [&_*]:text-12!">
            {receipt.state === 'queued' && <StateMark kind="waiting" word={`waits until ${name} is free`} />}
            {receipt.state === 'failed' && (
              <>
                <StateMark kind="failed" word={`did not reach ${name}`} />
                <span className="min-w-0 text-soft">{receipt.why}</span>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
