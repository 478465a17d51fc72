/** What lies over the talk and has an address: an artifact that is not merged yet, the changes. Back closes it. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { MeetingArtifact } from '../../../src/features/meetings/contract.ts';
import { addressesFrom, artifactAddress } from '../../kit/artifact-address.ts';
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
  const show = (search: { artifact?: string; changes?: string }) =>
    inBackground(
      navigate({ to: '/projects/$project/meetings/$id', params: { project, id }, search, resetScroll: false }),
    );
  const close = () => show({});
  const shown =
    artifact !== undefined ? (
      <ArtifactDialog project={project} id={id} path={artifact} onClose={close} />
    ) : changes !== undefined ? (
      <ChangesDialog project={project} id={id} file={changes} onClose={close} />
    ) : null;
  return { shown, showChanges: () => show({ changes: 'all' }) };
}

const none: readonly MeetingArtifact[] = [];

/** Where links within the talk lead: to the artifact's page, or over the talk while it is not merged. */
export function useAddresses(
  store: ConversationStore,
  project: string,
  id: string,
): (path: string) => string | undefined {
  const artifacts = useShown(store, ({ view }) => view?.artifacts ?? none);
  // The same paths are the same function, so that no answer is drawn again for it.
  const ahead = artifacts.flatMap(({ path, status }) => (status === 'same' ? [] : [path])).join('\n');
  return useMemo(() => {
    const unmerged = new Map(ahead.split('\n').map((path) => [artifactAddress(project, path), path]));
    const plain = addressesFrom(project, undefined);
    return (link) => {
      const address = plain(link);
      const path = address === undefined ? undefined : unmerged.get(address);
      if (path === undefined) return address;
      return `/app/projects/${encodeURIComponent(project)}/meetings/${encodeURIComponent(id)}?artifact=${encodeURIComponent(path)}`;
    };
  }, [project, id, ahead]);
}
