/** Images that the person wants to show to an agent: what they are is told by their bytes; large ones are made smaller. */
import { maxImages, maxImagesBytes } from '../../../../src/features/sessions/contract.ts';
import type { KeptImage } from '../../../state/kept-images.ts';

/** Smaller files go as they are. Bytes. */
const small = 160_000;

/** Models see no finer: the longest side. Pixels. */
const longestSide = 1568;

/** Tried one after the other until the picture is small enough. */
const ways = [
  { side: longestSide, quality: 0.85 },
  { side: longestSide, quality: 0.6 },
  { side: 1024, quality: 0.6 },
] as const;

export type ImageKind = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** By the first bytes, whatever the file is called. */
export function kindOfBytes(bytes: Uint8Array): ImageKind | undefined {
  const text = String.fromCharCode(...bytes.subarray(0, 12));
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif';
  if (text.startsWith('RIFF') && text.slice(8) === 'WEBP') return 'image/webp';
  return undefined;
}

/** `840 B`, `12 kB`, `1.2 MB`. */
export function sayBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Why no further image of that size fits; undefined where it does. */
export function refusalOf(
  held: readonly { readonly bytes: number }[],
  name: string,
  bytes: number,
): string | undefined {
  if (held.length >= maxImages) return `“${name}” is left out: a message takes ${maxImages} images.`;
  const together = held.reduce((sum, image) => sum + image.bytes, bytes);
  if (together <= maxImagesBytes) return undefined;
  return `“${name}” is left out: the images of a message may have ${sayBytes(maxImagesBytes)} together, and this would make ${sayBytes(together)}.`;
}

/** Ready to be sent, or why it cannot be. */
export async function readImage(file: File): Promise<KeptImage | string> {
  const name = file.name === '' ? 'Image' : file.name;
  const kind = kindOfBytes(new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  if (kind === undefined) return `“${name}” is left out: it is no PNG, JPEG, GIF or WebP image.`;
  const whole = new Blob([file], { type: kind });
  if (file.size <= small) return { name, blob: whole, was: file.size };
  try {
    const blob = await smaller(whole);
    return { name, blob: blob.size < file.size ? blob : whole, was: file.size };
  } catch {
    // Its first bytes are those of an image, and the rest is not.
    return `“${name}” is left out: this browser cannot read it; it may be damaged.`;
  }
}

async function smaller(blob: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(blob);
  try {
    let found = blob;
    for (const { side, quality } of ways) {
      found = await draw(bitmap, side, quality);
      if (found.size <= small * 2) break;
    }
    return found;
  } finally {
    bitmap.close();
  }
}

async function draw(bitmap: ImageBitmap, side: number, quality: number): Promise<Blob> {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return await new Promise((resolve, reject) => {
    const take = (made: Blob | null) => {
      if (made === null) reject(new Error('It could not be drawn.'));
      else resolve(made);
    };
    // A browser that does not write WebP gives a PNG, whose bytes tell what it is.
    canvas.toBlob(take, 'image/webp', quality);
  });
}
