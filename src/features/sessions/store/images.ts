/** Images that go with words: told by their bytes, kept beside the log under a name made of them. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createExclusively, hasErrorCode } from '../../../kernel/artifacts/write.ts';
import type { ConfigContext } from '../../../kernel/projects/config.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { type ImageRef, maxImages, maxImagesBytes, type SessionId } from '../contract.ts';
import type { GivenImage } from '../contract/birth.ts';
import { sessionFolder } from './place.ts';

const kinds = [
  { mimeType: 'image/png', ending: 'png', begins: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { mimeType: 'image/jpeg', ending: 'jpg', begins: [0xff, 0xd8, 0xff] },
  { mimeType: 'image/gif', ending: 'gif', begins: [0x47, 0x49, 0x46, 0x38] },
  { mimeType: 'image/webp', ending: 'webp', begins: [0x52, 0x49, 0x46, 0x46], at8: 'WEBP' },
] as const;

const namePattern = /^[0-9a-f]{64}\.(?:png|jpg|gif|webp)$/;

/** An image with the name that it is kept under. */
export interface NamedImage {
  readonly ref: ImageRef;
  readonly bytes: Uint8Array;
}

/** @throws HallError `invalid` for what is no image by its bytes; `too_large` for one that is too large, or too many */
export function nameImages(images: readonly GivenImage[]): NamedImage[] {
  if (images.length > maxImages) {
    throw fail('too_large', `${images.length} images came with the words, and ${maxImages} are taken.`, 'Send fewer.');
  }
  const bytesInAll = images.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (bytesInAll > maxImagesBytes) {
    throw fail(
      'too_large',
      `The images have ${bytesInAll} bytes together, and ${maxImagesBytes} are taken.`,
      'Make them smaller, or cut out the part that matters.',
    );
  }
  return images.map(({ bytes }, index) => {
    const kind = kinds.find((one) => isOfKind(one, bytes));
    if (kind === undefined) {
      throw fail(
        'invalid',
        `Image ${index + 1} is no PNG, JPEG, GIF or WebP by its first bytes.`,
        'Save it as a PNG, then send that.',
      );
    }
    const name = `${createHash('sha256').update(bytes).digest('hex')}.${kind.ending}`;
    return { ref: { name, mimeType: kind.mimeType, bytes: bytes.length }, bytes };
  });
}

function isOfKind(kind: (typeof kinds)[number], bytes: Uint8Array): boolean {
  if (!kind.begins.every((byte, index) => bytes[index] === byte)) return false;
  return !('at8' in kind) || Buffer.from(bytes.subarray(8, 12)).toString('latin1') === kind.at8;
}

/** Durable when it resolves. One that is there already is the same. */
export async function keepImages(
  ctx: Pick<ConfigContext, 'home'>,
  id: SessionId,
  images: readonly NamedImage[],
): Promise<void> {
  for (const { ref, bytes } of images) {
    await createExclusively(join(sessionFolder(ctx, id), ref.name), Buffer.from(bytes), { mode: 0o600 });
  }
}

/** @throws HallError `not_found` */
export async function readImage(ctx: Pick<ConfigContext, 'home'>, id: SessionId, name: string): Promise<Buffer> {
  try {
    if (namePattern.test(name)) return await readFile(join(sessionFolder(ctx, id), name));
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
  // Without a folder there are none.
  const there = (await readdir(sessionFolder(ctx, id)).catch(() => [])).filter((one) => namePattern.test(one));
  throw fail(
    'not_found',
    `Session ${id} has no image ${JSON.stringify(name.slice(0, 80))}.`,
    there.length === 0 ? 'No image was sent in it.' : `It has: ${there.slice(0, 5).join(', ')}`,
  );
}

/** @returns undefined for a name that no image has */
export function mimeTypeOf(name: string): ImageRef['mimeType'] | undefined {
  return kinds.find(({ ending }) => name.endsWith(`.${ending}`))?.mimeType;
}
