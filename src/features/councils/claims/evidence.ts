/** What the check of a turn may ask about the sources that the turn names. */
export interface Evidence {
  /** @param path relative to the checkout; `line` from 1 */
  readonly pathState: (path: string, line?: number) => Promise<'there' | 'no-line' | 'absent'>;
  /** The whole text; undefined for what is no text, too large, or absent. */
  readonly textOf: (path: string) => Promise<string | undefined>;
  /** Whether this agent's research fetched that address. */
  readonly isFetched: (url: string) => boolean;
  /** @param path beginning with `.gaia/memory/` */
  readonly memoryExists: (path: string) => Promise<boolean>;
  /** With a prelude: its sources (paths, addresses). What stands below `What I know:` rests on those of them that exist. */
  readonly covered?: readonly string[];
}
