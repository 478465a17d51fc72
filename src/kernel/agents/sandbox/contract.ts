/**
 * The sandbox of agents' programs: what each sees of the machine, what it may write, where it may connect to. Shapes
 * only; what makes it real is in `sandbox.ts`.
 */
import type { AgentAccess } from '../contract.ts';

/** `none`: the program would run without one. */
export type SandboxKind = 'bubblewrap' | 'seatbelt' | 'none';

/** What the next program of an agent gets. */
export interface SandboxState {
  readonly kind: SandboxKind;
  /** Why there is none, in a sentence; empty where there is one. */
  readonly reason: string;
  /** The next thing to do about it; empty where there is one. */
  readonly hint: string;
}

/** `auto`: where the machine has one. `required`: no agent is started without. `off`: never. */
export type SandboxMode = 'auto' | 'required' | 'off';

/** `model-only`: nothing but the gateway can be reached. */
export type SandboxNetwork = 'full' | 'model-only';

/** A program and its words. */
export interface Command {
  /** Absolute. */
  readonly file: string;
  readonly args: readonly string[];
}

/** What one program of one activity may see and touch. Paths are absolute; nothing that an agent wrote is among them. */
export interface SandboxRequest {
  /** Of its repository's git folder it can read what `git log`, `diff`, `status` and `blame` read; null for none. */
  readonly project: string | null;
  readonly cwd: string;
  readonly access: AgentAccess;
  /** Folders that it may read besides: what ships with the hall. */
  readonly readable?: readonly string[];
  /** Folders that it may write besides: its own state, its temporary files. */
  readonly writable: readonly string[];
  /** Left out: what config.yaml says. */
  readonly network?: SandboxNetwork;
  /** `http://127.0.0.1:<port>`: what is left of the network with `model-only`. */
  readonly gatewayUrl: string;
  /** For a program that may outlive the hall, or that needs other ports besides. Left out: the gateway's, for as long as this hall runs. */
  readonly ways?: Ways;
}

/** Ports of loopback that are left of the network, and where the sockets that lead there are kept. */
export interface Ways {
  /** Absolute; of this program alone, made where it is missing. The next hall opens the ways here again. */
  readonly folder: string;
  readonly ports: readonly number[];
}

/** A place made ready for one program. */
export interface Enclosure {
  readonly kind: SandboxKind;
  readonly network: SandboxNetwork;
  /**
   * The command that runs `command` inside; itself where `kind` is `none`. To be started as the leader of a group of its
   * own: the end of the group is then the end of everything in it.
   */
  readonly wrap: (command: Command) => Command;
  /** Whether it is what would be made now: the settings have not changed since. */
  readonly isCurrent: () => boolean;
  /** To be called when the program has ended: removes what was made for it. */
  readonly leave: () => Promise<void>;
}

export interface Sandbox {
  readonly state: () => SandboxState;
  /** Looks at the machine again. Called once before the first use. */
  readonly check: () => Promise<SandboxState>;
  /** @throws HallError `unavailable` when config.yaml requires a sandbox and there is none */
  readonly enter: (request: SandboxRequest) => Promise<Enclosure>;
  /**
   * Opens the ways of a program that an earlier hall let in. Gives what closes them.
   * @throws HallError `unavailable` where its folder has too long a path
   */
  readonly reopen: (ways: Ways) => Promise<() => Promise<void>>;
  readonly close: () => Promise<void>;
}

/** How the parts of a mount list are named, whatever the system: see `bubblewrap.ts` and `seatbelt.ts`. */
export type Mount =
  /** `optional`: left out where it is not there. `source`: what is shown at `path` in its place. */
  | { readonly how: 'read' | 'write'; readonly path: string; readonly source?: string; readonly optional?: boolean }
  | { readonly how: 'link'; readonly path: string; readonly leadsTo: string }
  /** An empty folder that cannot be written, in place of one that lies in a folder that is shown. */
  | { readonly how: 'hide'; readonly path: string };
