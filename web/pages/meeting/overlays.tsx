/** What lies over the talk and has an address: an artifact that is not merged yet, the changes. Back closes it. */
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { addressesFrom, artifactAddress } from '../../kit/artifact-address.ts';
import type { AddressOf } from '../../kit/markdown/markdown.tsx';
import { inBackground } from '../../state/background.ts';
import type { ConversationStore } from '../../state/conversation-store.ts';
import { useShown } from '../../state/conversation.ts';
import { ArtifactDialog } from './artifact-dialog.tsx';
import { ChangesDialog } from './changes-dialog.tsx';

export interface Overlay {
  readonly shown: ReactNode;
  readonly showChanges: () => void;
}

export function useOverlay(project: string, id: string): Overlay {
  const { artifact, changes } = useSearch({ from: '/projects/$project/meetings/$id' });
  const navigate = useNavigate();
  const show = (search: { artifact?: string; changes?: string }, replace = false) =>
    inBackground(
      navigate({ to: '/projects/$project/meetings/$id', params: { project, id }, search, resetScroll: false, replace }),
    );
  const close = useWayBack(artifact ?? changes, () => show({}, true));
  const shown =
    artifact !== undefined ? (
      <ArtifactDialog project={project} id={id} path={artifact} onClose={close} />
    ) : changes !== undefined ? (
      <ChangesDialog project={project} id={id} file={changes} onClose={close} />
    ) : null;
  return { shown, showChanges: () => show({ changes: 'all' }) };
}

/**
 * Closing goes back to where the page lay bare, so that going back from there leads on, and not to what was closed.
 * @param over what lies over the page
 * @param closeInPlace for one that was opened by its address: there is nothing to go back to
 */
function useWayBack(over: string | undefined, closeInPlace: () => void): () => void {
  const { history } = useRouter();
  const bareAt = useRef<number>(undefined);
  const isLeaving = useRef(false);
  useEffect(() => {
    isLeaving.current = false;
    if (over === undefined) bareAt.current = history.location.state.__TSR_index;
  }, [history, over]);
  return () => {
    // A key that is held closes once.
    if (isLeaving.current) return;
    isLeaving.current = true;
    const steps = bareAt.current === undefined ? 0 : history.location.state.__TSR_index - bareAt.current;
    if (steps > 0) history.go(-steps);
    else closeInPlace();
  };
}

/** Where links within the talk lead: to the artifact's page, or over the talk while it is not merged. */
export function useAddresses(store: ConversationStore, project: string, id: string): AddressOf {
  const view = useShown(store, (state) => state.view);
  // The same paths are the same function, so that no link is drawn again for it.
  const ahead = (view?.artifacts ?? []).flatMap(({ path, status }) => (status === 'same' ? [] : [path])).join('\n');
  const known = [...(view?.meeting.referencedArtifacts ?? []), ...(view?.meeting.linkedArtifacts ?? [])].join('\n');
  return useMemo(() => {
    const unmerged = new Set(ahead.split('\n').map((path) => artifactAddress(project, path)));
    const mentioned = new Set([...unmerged, ...known.split('\n').map((path) => artifactAddress(project, path))]);
    const plain = addressesFrom(project, undefined);
    const here = `/app/projects/${encodeURIComponent(project)}/meetings/${encodeURIComponent(id)}`;
    return (link, isMention = false) => {
      const address = plain(link);
      if (address === undefined || (isMention && !mentioned.has(address))) return undefined;
      const path = decodeURIComponent(address.slice(artifactAddress(project, '').length));
      return unmerged.has(address) ? `${here}?artifact=${encodeURIComponent(path)}` : address;
    };
  }, [project, id, ahead, known]);
}
