/** The person's credential, read at each call and put on the request to the model's server. Nowhere else. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { fail } from '../../pure/errors.ts';
import type { ModelConfigContext, ModelEntry } from './models.ts';

/** Without it the service takes a setup token for an unknown kind of key. */
const oauthBeta = 'oauth-2025-04-20';

const secretName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export interface Credential {
  /** Headers to set; `anthropic-beta` is to be added to the request's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** Texts that must not occur in anything that leaves the gateway. */
  readonly secrets: readonly string[];
}

/** @throws HallError `unauthorized` when the entry names a credential that cannot be had */
export async function readCredential(ctx: ModelConfigContext, entry: ModelEntry): Promise<Credential> {
  if (entry.auth.kind === 'none') return { headers: {}, secrets: [] };
  const key = await readKey(ctx, entry);
  if (entry.auth.kind === 'api-key') return { headers: { 'x-api-key': key }, secrets: [key] };
  return { headers: { authorization: `Bearer ${key}`, 'anthropic-beta': oauthBeta }, secrets: [key] };
}

async function readKey(ctx: ModelConfigContext, entry: ModelEntry): Promise<string> {
  const word = entry.auth.kind === 'api-key' ? 'API key' : 'setup token';
  const { key, secret } = entry.auth;
  const text = key ?? (secret === undefined ? undefined : await readSecret(ctx, entry.name, secret));
  const value = text?.trim();
  if (value === undefined || value === '' || /[\s\p{Cc}]/u.test(value)) {
    throw fail(
      'unauthorized',
      `The model "${entry.name}" needs an ${word}, and ${value ? 'the one given holds white space' : 'none is given'}.`,
      `Put it into auth of "${entry.name}" in config.yaml; the next message uses it, nothing needs a restart.`,
    );
  }
  return value;
}

async function readSecret(ctx: ModelConfigContext, model: string, name: string): Promise<string> {
  const hint = 'Write the credential into that file (mode 0600), or correct `secret` in config.yaml.';
  if (!secretName.test(name) || name.includes('..')) {
    throw fail('unauthorized', `The model "${model}" names a secret that is no file name: "${name}".`, hint);
  }
  const path = join(ctx.home.state, 'secrets', name);
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code ?? error.message})`;
    throw fail('unauthorized', `The credential of the model "${model}", ${path}, ${reason}.`, hint);
  });
}

/** `text` without any of `secrets`: some servers repeat a wrong key in their answer. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[kept back]'), text);
}
