/** What an agent does between its words: quiet lines that open to what was asked, what came out, and what changed. */
import {
  FileText,
  Globe,
  Lightbulb,
  type LucideIcon,
  NotebookPen,
  PencilLine,
  Search,
  ShieldCheck,
  SquareTerminal,
  Wrench,
} from 'lucide-react';
import { memo, type ReactNode, useState } from 'react';
import type { PermissionPart, ToolPart } from '../../../../src/features/sessions/contract.ts';
import { Counts, FileDiff } from '../../../kit/diff/file-diff.tsx';
import { Markdown } from '../../../kit/markdown/markdown.tsx';
import { Fold, Part, sayInput } from '../../../kit/steps/step-lines.tsx';
import { isRefused, sayAnswer } from './permission-words.ts';
import type { ThoughtPart, WorkPart } from './segments.ts';
import { sayDoing, sayWork, shortPath, toolWords, type WorkKind, workKind } from './tool-words.ts';
import { fileOf } from './unified.ts';

const icons: Readonly<Record<WorkKind, LucideIcon>> = {
  read: FileText,
  search: Search,
  change: PencilLine,
  run: SquareTerminal,
  fetch: Globe,
  note: NotebookPen,
  other: Wrench,
};

export interface WorkProps {
  readonly parts: readonly WorkPart[];
  /** Where the agent works: paths are shown below it. */
  readonly folder: string;
  /** The answer goes on, and this is the last of it. */
  readonly isLast: boolean;
}

export const Work = memo(
  function Work({ parts, folder, isLast }: WorkProps) {
    const tools = parts.filter(isTool);
    const [only] = parts;
    if (only === undefined) return null;
    if (parts.length === 1) return <Line part={only} folder={folder} isLast={isLast} />;
    if (tools.length === 0)
      return parts.map((part, nth) => (
        <Line key={nth} part={part} folder={folder} isLast={isLast && nth === parts.length - 1} />
      ));
    return <Group parts={parts} tools={tools} folder={folder} isLast={isLast} />;
  },
  (before, now) =>
    before.folder === now.folder &&
    before.isLast === now.isLast &&
    before.parts.length === now.parts.length &&
    before.parts.every((part, nth) => isSame(part, now.parts[nth]!)),
);

const isTool = (part: WorkPart): part is Extract<WorkPart, { type: 'tool' }> => part.type === 'tool';

/** A call with its answer is put together anew each time. */
function isSame(one: WorkPart, other: WorkPart): boolean {
  if (one === other) return true;
  if (one.type !== 'tool' || other.type !== 'tool') return false;
  return (
    one.answer === other.answer &&
    one.state === other.state &&
    one.output === other.output &&
    one.title === other.title &&
    one.diffs === other.diffs
  );
}

interface GroupProps extends WorkProps {
  readonly tools: readonly ToolPart[];
}

function Group({ parts, tools, folder, isLast }: GroupProps) {
  const [isOpened, setOpened] = useState(false);
  const last = parts.at(-1)!;
  const now = tools.findLast(({ state }) => state === 'running');
  const isThinking = isLast && last.type === 'thought';
  const line = now !== undefined ? sayDoing(now, folder) : isThinking ? 'Thinking' : undefined;
  return (
    <Fold
      icon={Wrench}
      isMoving={line !== undefined}
      onOpen={() => setOpened(true)}
      line={
        <>
          {line ?? (tools.length === 1 ? lineOf(tools[0]!, folder) : sayWork(tools))} <Sum tools={tools} />
        </>
      }
    >
      {isOpened && (
        <div className="flex flex-col gap-0.5 pl-3">
          {parts.map((part, nth) => (
            <Line
              key={part.type === 'tool' ? part.callId : nth}
              part={part}
              folder={folder}
              isLast={isLast && nth === parts.length - 1}
            />
          ))}
        </div>
      )}
    </Fold>
  );
}

/** How many lines were changed, of all. */
function Sum({ tools }: { readonly tools: readonly ToolPart[] }) {
  const diffs = tools.flatMap((tool) => tool.diffs.map((diff) => fileOf(diff, '')));
  if (diffs.length === 0) return null;
  const add = (what: 'added' | 'removed') => diffs.reduce((sum, diff) => sum + diff[what], 0);
  return (
    <span className="text-12">
      <Counts added={add('added')} removed={add('removed')} />
    </span>
  );
}

interface LineProps {
  readonly part: WorkPart;
  readonly folder: string;
  readonly isLast: boolean;
}

function Line({ part, folder, isLast }: LineProps) {
  if (part.type === 'thought') return <Thought part={part} isLast={isLast} />;
  if (part.type === 'permission') return <Settled part={part} folder={folder} />;
  return <Call tool={part} answer={part.answer} folder={folder} />;
}

function Thought({ part, isLast }: { readonly part: ThoughtPart; readonly isLast: boolean }) {
  const [isOpened, setOpened] = useState(false);
  const first = part.text.trim().split('\n', 1)[0]!.replaceAll(/[*`#]/g, '').slice(0, 160);
  return (
    <Fold
      icon={Lightbulb}
      isMoving={isLast}
      onOpen={() => setOpened(true)}
      line={
        isLast ? (
          'Thinking'
        ) : (
          <>
            Thought <span className="text-faint">{first}</span>
          </>
        )
      }
    >
      {isOpened && (
        <div className="my-1 ml-1.5 border-l border-line pl-4 text-soft [&_.prose]:text-15 [&_.prose]:text-soft">
          <Markdown text={part.text} isGrowing={isLast} />
        </div>
      )}
    </Fold>
  );
}

interface CallProps {
  readonly tool: ToolPart;
  readonly answer: PermissionPart | undefined;
  readonly folder: string;
}

const Call = memo(function Call({ tool, answer, folder }: CallProps) {
  const [isOpened, setOpened] = useState(false);
  const isNow = tool.state === 'running';
  return (
    <Fold
      icon={icons[workKind(tool)]}
      isMoving={isNow}
      onOpen={() => setOpened(true)}
      line={
        <>
          {isNow ? sayDoing(tool, folder) : lineOf(tool, folder)} <Sum tools={[tool]} />
          {tool.state === 'failed' && !isRefused(answer) && <span className="text-failed"> ▲ failed</span>}
          {answer && <span className="text-faint"> {sayAnswer(answer)}</span>}
        </>
      }
    >
      {isOpened && <Insides tool={tool} folder={folder} />}
    </Fold>
  );
});

function lineOf(tool: ToolPart, folder: string): ReactNode {
  const { verb, subject } = toolWords(tool, folder);
  return (
    <>
      {verb} {subject !== '' && <span className="font-mono text-12">{subject}</span>}
    </>
  );
}

interface InsidesProps {
  readonly tool: Pick<ToolPart, 'input' | 'diffs'> & Partial<Pick<ToolPart, 'output' | 'summary' | 'state'>>;
  readonly folder: string;
}

/** More characters of what came out are not drawn: the end of it tells. */
const mostOutput = 40_000;

function Insides({ tool, folder }: InsidesProps) {
  const { input, diffs, output = '', summary = '', state } = tool;
  const hasInput = typeof input === 'object' && input !== null && Object.keys(input).length > 0;
  const out = (output.trim() === '' ? summary : output).trimEnd();
  const shown = out.length > mostOutput ? `⋯\n${out.slice(-mostOutput)}` : out;
  return (
    <div className="flex flex-col gap-2 py-1 pl-6">
      {diffs.length > 0 ? (
        <Changes diffs={diffs} folder={folder} isOpen={diffs.length < 4} />
      ) : (
        hasInput && <Part label="Asked" text={sayInput(input)} />
      )}
      {shown !== '' && <Part label={state === 'failed' ? 'Failed' : 'Answered'} text={shown} />}
      {diffs.length === 0 && !hasInput && shown === '' && (
        <p className="text-12 text-faint">Nothing more is known of it.</p>
      )}
    </div>
  );
}

export interface ChangesProps {
  readonly diffs: ToolPart['diffs'];
  readonly folder: string;
  readonly isOpen: boolean;
}

/** What was changed, or would be. */
export function Changes({ diffs, folder, isOpen }: ChangesProps) {
  return (
    <div className="min-w-0">
      {diffs.map((diff, nth) => (
        <FileDiff
          key={nth}
          file={fileOf(diff, shortPath(diff.path, folder))}
          isOpen={isOpen}
          isAsked={false}
          hasNumbers={false}
        />
      ))}
    </div>
  );
}

/** A question that nobody has to answer any more, and whose call never came. */
function Settled({ part, folder }: { readonly part: PermissionPart; readonly folder: string }) {
  const [isOpened, setOpened] = useState(false);
  const { verb, subject } = toolWords(part, folder);
  return (
    <Fold
      icon={ShieldCheck}
      isMoving={false}
      onOpen={() => setOpened(true)}
      line={
        <>
          {verb} {subject !== '' && <span className="font-mono text-12">{subject}</span>}{' '}
          <span className="text-faint">{sayAnswer(part)}</span>
        </>
      }
    >
      {isOpened && <Insides tool={part} folder={folder} />}
    </Fold>
  );
}
