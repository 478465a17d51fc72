/**
 * Which model an activity talks to. Looked up at every call, so that a change of `config.yaml` acts on the next one.
 */
export interface ModelAuth {
  readonly kind: 'none' | 'api-key' | 'setup-token';
  /** The credential itself. */
  readonly key?: string | undefined;
  /** Or the name of a file in `state/secrets/` that holds it. */
  readonly secret?: string | undefined;
}

/** One entry of `models` in `config.yaml`. */
export interface ModelEntry {
  readonly name: string;
  readonly modelId: string;
  /** `http(s)://host[:port][/path]`, without `/v1`. */
  readonly baseUrl: string;
  readonly auth: ModelAuth;
  /** Tokens. */
  readonly contextWindow?: number | undefined;
}

/** The part of the hall's configuration that the gateway reads. */
export interface ModelConfigContext {
  readonly config: () => { readonly model?: string | undefined; readonly models: readonly ModelEntry[] };
  readonly home: { readonly state: string };
}

/** The name of the embedded upstream, in `config.yaml`, in requests and on every page. */
export const rehearsalName = 'rehearsal';
const rehearsalWindow = 200_000;

export interface ModelDescription {
  /** Its name in `config.yaml`, or `rehearsal`. */
  readonly name: string;
  /** For people. */
  readonly label: string;
  readonly isRehearsal: boolean;
  /** Tokens; null where nobody said. */
  readonly contextWindow: number | null;
  /** The name that was asked for, when no such model is configured and the default stands in for it. */
  readonly standsInFor?: string;
}

/**
 * The entry that a call goes to; undefined is the rehearsal. Without a name, or with one that is not configured, it is
 * `model` of the configuration, else the first of `models`.
 */
export function resolveModel(ctx: ModelConfigContext, name: string | undefined): ModelEntry | undefined {
  const { model, models } = ctx.config();
  if (name === rehearsalName) return undefined;
  const named = models.find((entry) => entry.name === name || entry.modelId === name);
  if (named !== undefined) return named;
  if (model === rehearsalName) return undefined;
  return models.find((entry) => entry.name === model) ?? models[0];
}

export function describeModel(ctx: ModelConfigContext, name: string | undefined): ModelDescription {
  const entry = resolveModel(ctx, name);
  const resolved = entry?.name ?? rehearsalName;
  const isStandIn = name !== undefined && name !== resolved && name !== entry?.modelId;
  const standsIn = isStandIn ? { standsInFor: name } : {};
  if (entry === undefined) {
    const label = 'rehearsal (no model: answers are made by searching the project)';
    return { name: rehearsalName, label, isRehearsal: true, contextWindow: rehearsalWindow, ...standsIn };
  }
  const label = entry.name === entry.modelId ? entry.name : `${entry.name} (${entry.modelId})`;
  const contextWindow = entry.contextWindow ?? (entry.modelId.startsWith('claude-') ? 200_000 : null);
  return { name: entry.name, label, isRehearsal: false, contextWindow, ...standsIn };
}
