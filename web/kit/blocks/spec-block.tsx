/** A block of a spec, drawn as what it is: a card, a picture, waves, a way on. What it is not stays the code that it is. */
import { use } from 'react';
import type { NextBlock } from '../../../src/features/contexts/contract/blocks.ts';
import { readBlock } from '../../../src/features/contexts/fold/blocks.ts';
import { CodeBlock } from '../markdown/code-block.tsx';
import { EventModel } from './event-model.tsx';
import { BlocksPlaceContext } from './next-buttons.ts';
import { Nameless, NextStep } from './next-step.tsx';
import { TaskWaves } from './task-waves.tsx';
import { UseCaseCard } from './use-case.tsx';

export interface SpecBlockProps {
  readonly text: string;
  readonly language: string;
  /** Which block of its text it is: 0, 1, 2 … */
  readonly position: number;
}

export function SpecBlock({ text, language, position }: SpecBlockProps) {
  const block = readBlock(language, text);
  switch (block?.kind) {
    case 'usecase':
      return <UseCaseCard useCase={block.useCase} />;
    case 'eventmodel':
      return <EventModel slice={block.slice} />;
    case 'tasks':
      return <TaskWaves tasks={block.tasks} />;
    case 'next':
      return <Next next={block.next} position={position} />;
    case 'nameless':
      return <Nameless label={block.label} />;
    case 'code':
      return (
        <>
          <CodeBlock text={text} language={language} />
          <p className="mt-1 font-sans text-13 text-soft">Shown as code. {block.why}</p>
        </>
      );
    case undefined:
      return <CodeBlock text={text} language={language} />;
  }
}

/** A button where the page makes one of it: it knows which one it is. */
function Next({ next, position }: { readonly next: NextBlock; readonly position: number }) {
  const place = use(BlocksPlaceContext);
  if (place === null) return <NextStep next={next} />;
  const { sessionId, message, before, render } = place;
  return render(next, { sessionId, message: message.seq, position: before + position }, message.state);
}
