/** Tool calls as quiet lines that open to what was asked and what came back. */
import {
  ChevronRight,
  FileText,
  type LucideIcon,
  NotebookPen,
  PencilLine,
  Search,
  SquareTerminal,
  Wrench,
} from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { ToolCallView } from '../../../src/features/meetings/contract.ts';
import { kindOf, sayGroup, sayNow, type StepKind, subjectOf, toolName } from './steps.ts';

const icons: Readonly<Record<StepKind, LucideIcon>> = {
  read: FileText,
  search: Search,
  write: PencilLine,
  run: SquareTerminal,
  record: NotebookPen,
  other: Wrench,
};

export interface StepsProps {
  readonly calls: readonly ToolCallView[];
  /** The answer goes on: a call without a result is under way. */
  readonly isRunning: boolean;
}

export const Steps = memo(function Steps({ calls, isRunning }: StepsProps) {
  const [only] = calls;
  if (only === undefined) return null;
  if (calls.length === 1) return <Call call={only} isRunning={isRunning} />;
  const now = isRunning ? calls.findLast(({ result }) => result === null) : undefined;
  return (
    <Fold icon={Wrench} isMoving={now !== undefined} line={now === undefined ? sayGroup(calls) : sayNow(now)}>
      <div className="flex flex-col gap-0.5 pl-3">
        {calls.map((call, nth) => (
          <Call key={call.callId || nth} call={call} isRunning={isRunning} />
        ))}
      </div>
    </Fold>
  );
});

function Call({ call, isRunning }: { readonly call: ToolCallView; readonly isRunning: boolean }) {
  const { name, input, result } = call;
  const isNow = isRunning && result === null;
  const hasInput = typeof input === 'object' && input !== null && Object.keys(input).length > 0;
  const subject = subjectOf(call);
  const line = isNow ? (
    sayNow(call)
  ) : (
    <>
      {toolName(name)} {subject !== '' && <span className="font-mono text-12">{subject}</span>}
      {result === null && <span className="text-faint"> no result</span>}
      {result?.ok === false && <span className="text-failed"> ▲ failed</span>}
    </>
  );
  return (
    <Fold icon={icons[kindOf(name)]} isMoving={isNow} line={line}>
      <div className="flex flex-col gap-2 py-1 pl-6">
        {hasInput && <Part label="Asked" text={sayInput(input)} />}
        {result !== null && result.summary !== '' && (
          <Part label={result.ok ? 'Answered' : 'Failed'} text={result.summary} />
        )}
        {!hasInput && result === null && <p className="text-12 text-faint">{call.line}</p>}
      </div>
    </Fold>
  );
}

export interface FoldProps {
  readonly icon: LucideIcon;
  readonly isMoving: boolean;
  readonly line: ReactNode;
  readonly children: ReactNode;
  /** Runs when it is opened the first time: what is inside may be drawn only then. */
  readonly onOpen?: () => void;
  /** False: it is no step, and stays as it is when all of them are opened. */
  readonly isStep?: boolean;
}

/** A quiet line that opens. */
export function Fold({ icon: Icon, isMoving, line, children, onOpen, isStep = true }: FoldProps) {
  return (
    <details
      {...(isStep && { 'data-steps': true })}
      className="group/fold min-w-0"
      onToggle={(event) => {
        if (event.currentTarget.open) onOpen?.();
      }}
    >
      <summary className="-ml-1.5 flex min-h-7 list-none items-center gap-2 rounded-md px-1.5 text-13 text-soft hover:bg-hover hover:text-ink [&::-webkit-details-marker]:hidden">
        <Icon aria-hidden size={14} className={`shrink-0 text-faint ${isMoving ? 'animate-breathe' : ''}`} />
        <span className="min-w-0 truncate">{line}</span>
        <ChevronRight
          aria-hidden
          size={14}
          className="shrink-0 text-faint transition-transform duration-120 group-open/fold:rotate-90"
        />
      </summary>
      {children}
    </details>
  );
}

/** What was asked, or what came back, as it is. */
export function Part({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="text-12 text-faint">{label}</span>
      <pre
        tabIndex={0}
        aria-label={label}
        className="max-h-64 overflow-auto rounded-md bg-sunk px-3 py-2 font-mono text-12 leading-normal whitespace-pre-wrap text-ink"
      >
        {text}
      </pre>
    </div>
  );
}

/** One field a line, texts as they are: easier to read than JSON. */
export function sayInput(input: object): string {
  return Object.entries(input)
    .map(([field, value]) => `${field}: ${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`)
    .join('\n');
}

/** Opens all steps of the page, or closes them when all are open. */
export function toggleSteps(): void {
  const all = stepsNow();
  if (all.some((each) => !each.open)) openSteps(deepest);
  else for (const each of all) each.open = false;
}

/** Steps within steps. */
const deepest = 2;

/** What is inside of some is drawn when they are opened: it is opened then. */
function openSteps(depth: number): void {
  const closed = stepsNow().filter((each) => !each.open);
  for (const each of closed) each.open = true;
  if (depth > 1 && closed.length > 0) setTimeout(() => openSteps(depth - 1), 50);
}

const stepsNow = () => [...document.querySelectorAll<HTMLDetailsElement>('details[data-steps]')];
