/** The hall as the pages see it: reads that stay true, actions, events, and whether it answers. */
import { type Query, QueryClient, QueryClientProvider, useMutation, useQueries, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useSyncExternalStore } from 'react';
import type { ErrorFacts } from '../../src/kernel/pure/errors.ts';
import { inBackground } from './background.ts';
import { callThrough, connect, createLink, type Link, type LinkState } from './link.ts';
import type { InputOf, OperationName, OutputOf } from './operations.ts';
import { factsOf } from './session.ts';
import { followSessionLists } from './session-lists.ts';
import { changesUntold, operationsTouchedBy } from './touched.ts';

export interface HallClient {
  readonly link: Link;
  readonly queries: QueryClient;
}

const HallContext = createContext<HallClient | null>(null);

export function createHallClient(): HallClient {
  const link = createLink();
  const queries = new QueryClient({
    // The socket waits for the hall by itself, and events tell what is no longer true.
    defaultOptions: {
      queries: { staleTime: Infinity, retry: false, networkMode: 'always', refetchOnWindowFocus: false },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  followSessionLists(link, queries);
  let touched = new Set<string>();
  link.eventListeners.add((event) => {
    const names = operationsTouchedBy(event);
    if (names.length === 0) return;
    if (touched.size === 0) {
      // Several events of one change are one reason to read anew.
      setTimeout(() => {
        const now = touched;
        touched = new Set();
        inBackground(queries.invalidateQueries({ predicate: ({ queryKey }) => now.has(String(queryKey[0])) }));
      }, 60);
    }
    for (const name of names) touched.add(name);
  });
  const readUntold = () => {
    if (document.visibilityState === 'hidden') return;
    const predicate = ({ queryKey }: Query) => changesUntold(String(queryKey[0]));
    inBackground(queries.invalidateQueries({ predicate }, { cancelRefetch: false }));
  };
  // Two windows side by side: only the focus tells that somebody comes back to this one.
  addEventListener('focus', readUntold);
  document.addEventListener('visibilitychange', readUntold);
  link.resetListeners.add(() => inBackground(queries.invalidateQueries()));
  inBackground(connect(link));
  return { link, queries };
}

export function HallProvider({ client, children }: { readonly client: HallClient; readonly children: ReactNode }) {
  return (
    <HallContext value={client}>
      <QueryClientProvider client={client.queries}>{children}</QueryClientProvider>
    </HallContext>
  );
}

export function useHall(): HallClient {
  const client = use(HallContext);
  if (client === null) throw new Error('HallProvider is missing above this piece.');
  return client;
}

export function useLinkState(): LinkState {
  const { link } = useHall();
  return useSyncExternalStore(
    (listener) => {
      link.stateListeners.add(listener);
      return () => link.stateListeners.delete(listener);
    },
    () => link.state,
  );
}

/** Why nothing can be done now, for a disabled button; undefined while the hall answers. */
export function useAwayReason(): string | undefined {
  const { kind } = useLinkState();
  return kind === 'live' ? undefined : 'The hall does not answer now';
}

/** One call. @throws Refusal */
export async function callHall<Name extends OperationName>(
  { link }: HallClient,
  name: Name,
  input: InputOf<Name>,
  options: { readonly isRepeatable?: boolean } = {},
): Promise<OutputOf<Name>> {
  return (await callThrough(link, name, input, options.isRepeatable ?? false)) as OutputOf<Name>;
}

export interface Read<Output> {
  readonly data: Output | undefined;
  readonly problem: ErrorFacts | undefined;
  readonly isLoading: boolean;
  readonly again: () => void;
}

/** A read that is made anew whenever an event touches it. What was read before stays meanwhile. */
export function useRead<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  options: { readonly enabled?: boolean } = {},
): Read<OutputOf<Name>> {
  const client = useHall();
  const query = useQuery({
    queryKey: [name, input],
    queryFn: () => callHall(client, name, input, { isRepeatable: true }),
    enabled: options.enabled ?? true,
  });
  return {
    data: query.data,
    problem: query.error ? factsOf(query.error) : undefined,
    isLoading: query.isPending,
    again: () => inBackground(query.refetch()),
  };
}

/** The same read with several inputs, as many as there are at this moment. Those that are not there yet are left out. */
export function useReads<Name extends OperationName>(name: Name, inputs: readonly InputOf<Name>[]): OutputOf<Name>[] {
  const client = useHall();
  const queries = useQueries({
    queries: inputs.map((input) => ({
      queryKey: [name, input],
      queryFn: () => callHall(client, name, input, { isRepeatable: true }),
    })),
  });
  return queries.flatMap(({ data }) => (data === undefined ? [] : [data]));
}

export interface Act<Name extends OperationName> {
  /** Resolves with undefined when it was refused; `problem` then says why. */
  readonly act: (input: InputOf<Name>) => Promise<OutputOf<Name> | undefined>;
  readonly isBusy: boolean;
  readonly problem: ErrorFacts | undefined;
  readonly clear: () => void;
}

/** Something that the person does. @param isRepeatable the operation knows its own repetition (it takes an id) */
export function useAct<Name extends OperationName>(
  name: Name,
  options: { readonly isRepeatable?: boolean } = {},
): Act<Name> {
  const client = useHall();
  const mutation = useMutation({ mutationFn: (input: InputOf<Name>) => callHall(client, name, input, options) });
  return {
    act: async (input) => {
      try {
        return await mutation.mutateAsync(input);
      } catch {
        // The mutation keeps the reason, which the piece shows from `problem`.
        return undefined;
      }
    },
    isBusy: mutation.isPending,
    problem: mutation.error ? factsOf(mutation.error) : undefined,
    clear: mutation.reset,
  };
}
