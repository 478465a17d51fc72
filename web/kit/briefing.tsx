/** How the work stands, in a few lines: the model's words in sight, what only repeats the records folded away. */
import { ChevronRight } from 'lucide-react';
import { useRead } from '../state/hall.tsx';
import { Markdown } from './markdown/markdown.tsx';

export interface BriefingProps {
  /** Left out: of all projects. */
  readonly project?: string;
}

export function Briefing({ project }: BriefingProps) {
  const { data } = useRead('briefing.show', { ...(project !== undefined && { project }), wait: false });
  if (data === undefined || data.isQuiet) return null;
  return (
    <details open={data.by === 'model'} className="group rounded-md border border-line px-4 py-2">
      <summary className="flex cursor-pointer list-none items-center gap-2 text-13 text-soft hover:text-ink">
        <ChevronRight
          aria-hidden
          size={14}
          className="transition-transform duration-120 group-open:rotate-90 motion-reduce:transition-none"
        />
        Briefing
        <span className="text-12 text-faint">
          {data.isWriting ? 'the model is writing it' : data.by === 'model' ? 'by the model' : 'from the records'}
        </span>
      </summary>
      <div className="max-w-prose py-2 [&_.prose]:font-sans [&_.prose]:text-15">
        <Markdown text={data.text} />
      </div>
    </details>
  );
}
