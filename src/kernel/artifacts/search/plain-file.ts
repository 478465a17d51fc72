/** Parts of files of others: neither a link is followed nor a pipe waited for. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { hasErrorCode } from '../write.ts';

const plainly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Undefined for what is no plain file any more, or may not be read. */
export function withPlainFile<T>(file: string, work: (fd: number, size: number) => T): T | undefined {
  let fd: number;
  try {
    fd = openSync(file, plainly);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK', 'EACCES', 'EPERM', 'ENXIO', 'EISDIR'))
      return undefined;
    throw error;
  }
  try {
    const facts = fstatSync(fd);
    return facts.isFile() ? work(fd, facts.size) : undefined;
  } finally {
    closeSync(fd);
  }
}

/** As many bytes as there are from `offset` on, at most `length`. */
export function readAt(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, length));
  let done = 0;
  for (let read = 1; read > 0 && done < bytes.length; done += read)
    read = readSync(fd, bytes, done, bytes.length - done, offset + done);
  return bytes.subarray(0, done);
}
