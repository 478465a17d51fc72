/** Secrets in files: whatever their encoding, and only those that were not there before. */
import { isUtf8 } from 'node:buffer';
import { findSecrets } from './find.ts';
import { placesOf, type SecretPlace } from './locate.ts';
import { type Finding, maskFindings } from './patterns.ts';

interface FileText {
  readonly text: string;
  readonly encode: (text: string) => Buffer;
}

/** Bytes in which a NUL tells that a file is no text. */
const lookedAtForText = 8_000;

/** Undefined for what is no text. */
function textOf(bytes: Buffer): FileText | undefined {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe') return { text: bytes.toString('utf16le'), encode: (text) => Buffer.from(text, 'utf16le') };
  if (mark === 'feff') {
    const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
    return {
      text: Buffer.from(even).swap16().toString('utf16le'),
      encode: (text) => Buffer.from(text, 'utf16le').swap16(),
    };
  }
  if (bytes.subarray(0, lookedAtForText).includes(0)) return undefined;
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  return { text: bytes.toString(encoding), encode: (text) => Buffer.from(text, encoding) };
}

export interface SearchedFile {
  /** Repository path. */
  readonly path: string;
  readonly bytes: Buffer;
  /** Undefined for a file that is new. */
  readonly before: Buffer | undefined;
}

/** The file with its new secrets masked; undefined where there are none. */
export async function maskFile(file: SearchedFile): Promise<Buffer | undefined> {
  const found = await findNew(file);
  return found === undefined ? undefined : found.encode(maskFindings(found.text, found.findings));
}

/** So many are named of one file: it may be a table with thousands. */
const maxPlaces = 200;

/** Where new secrets stand that are worth stopping for: masking them might break the file. Of many the first, and how many more. */
export async function locateInFile(file: SearchedFile): Promise<SecretPlace[]> {
  const found = await findNew(file);
  if (found === undefined) return [];
  const isShown = isForShow(file.path);
  const places = placesOf(
    found.text,
    found.findings.filter(({ isSure }) => isSure || !isShown),
  );
  const next = places[maxPlaces];
  if (next === undefined) return places;
  return [...places.slice(0, maxPlaces), { line: next.line, kind: `and ${places.length - maxPlaces} more` }];
}

async function findNew({ bytes, before }: SearchedFile): Promise<(FileText & { findings: Finding[] }) | undefined> {
  const file = textOf(bytes);
  if (file === undefined) return undefined;
  const found = await findSecrets(file.text);
  if (found.length === 0) return undefined;
  const earlier = before === undefined ? undefined : await secretsOf(before);
  const findings = found.filter(({ start, end }) => earlier?.has(file.text.slice(start, end)) !== true);
  return findings.length === 0 ? undefined : { ...file, findings };
}

async function secretsOf(bytes: Buffer): Promise<ReadonlySet<string>> {
  const text = textOf(bytes)?.text ?? '';
  return new Set((await findSecrets(text)).map(({ start, end }) => text.slice(start, end)));
}

/** Tests, examples and documentation are full of passwords that open nothing; what is sure is sure there too. */
function isForShow(path: string): boolean {
  const words = path.toLowerCase().split(/[^a-z]+/);
  return words.some((word) => forShow.has(word));
}

const forShow = new Set(
  'test tests spec specs fixture fixtures example examples sample samples template mock mocks stub stubs demo doc docs md mdx rst txt adoc snap lock'.split(
    ' ',
  ),
);
