/** What can be begun from anywhere, and is then shown over the page: a new meeting, the search, the map of keys. */
import { createContext, use } from 'react';

export type Intent =
  | { readonly kind: 'search' }
  | { readonly kind: 'keys' }
  /** Registering a repository. */
  | { readonly kind: 'project' }
  | {
      readonly kind: 'meeting';
      readonly project?: string | undefined;
      readonly worker?: string | undefined;
      /** Path of an artifact that prompts it. */
      readonly artifact?: string | undefined;
    }
  | { readonly kind: 'terminal'; readonly project?: string | undefined }
  /** A new conversation of two terminals. `first`: id of the one that begins. */
  | { readonly kind: 'conversation'; readonly first?: string | undefined }
  /** A new gathering. */
  | { readonly kind: 'gathering'; readonly project?: string | undefined }
  /** A new commission. */
  | {
      readonly kind: 'commission';
      readonly project?: string | undefined;
      readonly worker?: string | undefined;
      /** What has to be there first: a path, or the id of a commission. */
      readonly depends?: string | undefined;
    };

export const IntentContext = createContext<(intent: Intent | null) => void>(() => {});

/** Shows it over the page; null closes what is shown. */
export function useIntent(): (intent: Intent | null) => void {
  return use(IntentContext);
}
