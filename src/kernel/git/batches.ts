/** What is too much for one call of git, or for memory, in pieces. */

export interface BatchLimits {
  /** Together; one alone may have more. */
  readonly bytes: number;
  readonly files: number;
}

export function* batchesOf<File extends { readonly size: number }>(
  files: readonly File[],
  limits: BatchLimits,
): Generator<readonly File[]> {
  let batch: File[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length > 0 && (bytes + file.size > limits.bytes || batch.length >= limits.files)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.size;
  }
  if (batch.length > 0) yield batch;
}
