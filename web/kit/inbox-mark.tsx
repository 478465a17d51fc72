/** What kind of thing waits, as an icon with a name. */
import {
  CircleHelp,
  GitMerge,
  Hand,
  type LucideIcon,
  MessageSquarePlus,
  ScanEye,
  ShieldQuestion,
  TriangleAlert,
} from 'lucide-react';
import type { InboxKind } from '../../src/features/inbox/contract.ts';

const looks: Readonly<Record<InboxKind, { readonly icon: LucideIcon; readonly word: string; readonly tone: string }>> =
  {
    request: { icon: MessageSquarePlus, word: 'Request', tone: 'text-waiting' },
    question: { icon: CircleHelp, word: 'Question', tone: 'text-waiting' },
    approval: { icon: ShieldQuestion, word: 'Approval', tone: 'text-waiting' },
    yield: { icon: Hand, word: 'Your word', tone: 'text-waiting' },
    review: { icon: ScanEye, word: 'Review', tone: 'text-waiting' },
    conflict: { icon: GitMerge, word: 'Conflict', tone: 'text-failed' },
    problem: { icon: TriangleAlert, word: 'Problem', tone: 'text-failed' },
  };

export function inboxWord(kind: InboxKind): string {
  return looks[kind].word;
}

export function InboxMark({ kind }: { readonly kind: InboxKind }) {
  const { icon: Icon, word, tone } = looks[kind];
  return <Icon role="img" aria-label={word} size={18} className={`mx-[3px] shrink-0 ${tone}`} />;
}
