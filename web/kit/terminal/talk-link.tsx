/** Where a terminal talks: its conversation, or the gathering that it sits in. */
import { Link } from '@tanstack/react-router';
import { useRead } from '../../state/hall.tsx';

export interface TalkLinkProps {
  /** What `terminal.conversation` says. */
  readonly id: string;
  readonly className: string;
}

export function TalkLink({ id, className }: TalkLinkProps) {
  const gatherings = useRead('gathering.list', {}).data?.gatherings ?? [];
  if (gatherings.some((row) => row.id === id)) {
    return (
      <Link to="/gatherings/$id" params={{ id }} className={className}>
        in a gathering
      </Link>
    );
  }
  return (
    <Link to="/conversations/$id" params={{ id }} className={className}>
      in a conversation
    </Link>
  );
}
