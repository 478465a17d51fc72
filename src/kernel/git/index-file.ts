/** What an index lists, read without git (gitformat-index, versions 2 to 4, objects named by sha1). */
import { readFile, stat } from 'node:fs/promises';

export interface Listed {
  /** As git writes it in octal: 0o100644, 0o160000 for a submodule. */
  readonly mode: number;
  /** One character for each byte. */
  readonly name: string;
}

/** A larger one is left to git. Bytes. */
const maxBytes = 64 * 1024 * 1024;
const headerBytes = 12;
const checksumBytes = 20;
const modeAt = 24;
const flagsAt = 60;
const extendedFlag = 0x4000;
const nameLengthMask = 0xfff;

/** @returns undefined for one that is not all of it, or not as git usually writes it */
export async function listIndex(file: string): Promise<readonly Listed[] | undefined> {
  if ((await stat(file)).size > maxBytes) return undefined;
  const bytes = await readFile(file);
  try {
    return parse(bytes);
  } catch (error) {
    // It ends in the middle of an entry.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function parse(bytes: Buffer): readonly Listed[] | undefined {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined;
  const listed: Listed[] = [];
  let at = headerBytes;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flags = bytes.readUInt16BE(at + flagsAt);
    const nameAt = at + flagsAt + ((flags & extendedFlag) === 0 ? 2 : 4);
    const { name, end } =
      version === 4 ? cutName(bytes, nameAt, listed.at(-1)?.name ?? '') : wholeName(bytes, nameAt, flags);
    listed.push({ mode: bytes.readUInt32BE(at + modeAt), name });
    // Up to eight zeros behind the name make the length of an entry a multiple of eight.
    at = version === 4 ? end : at + Math.ceil((end - at) / 8) * 8;
  }
  return isPlainRest(bytes, at) ? listed : undefined;
}

function wholeName(bytes: Buffer, at: number, flags: number): { readonly name: string; readonly end: number } {
  const length = flags & nameLengthMask;
  const zero = bytes.indexOf(0, length === nameLengthMask ? at : at + length);
  if (zero === -1) throw new RangeError('the index ends within a name');
  return { name: bytes.toString('latin1', at, zero), end: zero + 1 };
}

/** In version 4 a name says how much of the end of the one before it is cut off, and what comes then. */
function cutName(bytes: Buffer, at: number, before: string): { readonly name: string; readonly end: number } {
  let next = at;
  let byte = bytes.readUInt8(next);
  let cut = byte & 127;
  while ((byte & 128) !== 0) {
    next += 1;
    byte = bytes.readUInt8(next);
    cut = (cut + 1) * 128 + (byte & 127);
  }
  const zero = bytes.indexOf(0, next + 1);
  if (zero === -1 || cut > before.length) throw new RangeError('the index ends within a name');
  const kept = before.slice(0, before.length - cut);
  return { name: kept + bytes.toString('latin1', next + 1, zero), end: zero + 1 };
}

/** Extensions whose names begin small change what the entries mean: parts of an index elsewhere, whole folders. */
function isPlainRest(bytes: Buffer, from: number): boolean {
  let at = from;
  while (at + 8 <= bytes.length - checksumBytes) {
    if (!/^[A-Z]/.test(bytes.toString('latin1', at, at + 4))) return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === bytes.length - checksumBytes;
}
