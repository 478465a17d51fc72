/** Images that wait to go with the next words: pasted, dropped or chosen; kept over a reload; shown with their sizes. */
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { inBackground } from '../../../state/background.ts';
import { keepImages, type KeptImage, readImages } from '../../../state/kept-images.ts';
import { readImage, refusalOf, sayBytes } from './images.ts';

export interface Attachment extends KeptImage {
  readonly key: number;
  /** Of this page alone. */
  readonly address: string;
}

export interface Attachments {
  readonly list: readonly Attachment[];
  /** Why some were left out. */
  readonly problems: readonly string[];
  readonly add: (files: readonly File[]) => void;
  /** @param missing sentences about those that cannot be there */
  readonly addKept: (images: readonly KeptImage[], missing?: readonly string[]) => void;
  readonly remove: (key: number) => void;
  /** Takes out what was sent. What was added since stays. */
  readonly clear: (sent: readonly Attachment[]) => void;
}

let nextKey = 0;

function attach(image: KeptImage): Attachment {
  nextKey += 1;
  return { ...image, key: nextKey, address: URL.createObjectURL(image.blob) };
}

/** @param key under which they are kept */
export function useAttachments(key: string): Attachments {
  const [list, setList] = useState<readonly Attachment[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  // Files are read while others come and go.
  const latest = useRef(list);
  const change = (next: readonly Attachment[]) => {
    const names = new Set(next.map((each) => each.key));
    for (const { key: of, address } of latest.current) if (!names.has(of)) URL.revokeObjectURL(address);
    latest.current = next;
    setList(next);
    inBackground(
      keepImages(
        key,
        next.map(({ name, blob, was }) => ({ name, blob, was })),
      ),
    );
  };
  const addKept = (images: readonly KeptImage[], missing: readonly string[] = []) => {
    const refused = [...missing];
    const sizes = latest.current.map(({ blob }) => ({ bytes: blob.size }));
    const fresh = images.filter(({ name, blob }) => {
      const refusal = refusalOf(sizes, name, blob.size);
      if (refusal === undefined) sizes.push({ bytes: blob.size });
      else refused.push(refusal);
      return refusal === undefined;
    });
    setProblems(refused);
    if (fresh.length > 0) change([...latest.current, ...fresh.map(attach)]);
  };
  const add = async (files: readonly File[]) => {
    const read = await Promise.all(files.map(readImage));
    addKept(read.filter((each) => typeof each !== 'string'));
    const unread = read.filter((each) => typeof each === 'string');
    if (unread.length > 0) setProblems((others) => [...unread, ...others]);
  };
  useEffect(() => {
    let isGone = false;
    const restore = async () => {
      const kept = await readImages(key);
      if (isGone || kept.length === 0) return;
      latest.current = [...kept.map(attach), ...latest.current];
      setList(latest.current);
    };
    inBackground(restore());
    return () => {
      isGone = true;
    };
  }, [key]);
  return {
    list,
    problems,
    add: (files) => inBackground(add(files)),
    addKept,
    remove: (of) => {
      setProblems([]);
      change(latest.current.filter((each) => each.key !== of));
    },
    clear: (sent) => {
      setProblems([]);
      const keys = new Set(sent.map((each) => each.key));
      change(latest.current.filter((each) => !keys.has(each.key)));
    },
  };
}

/** What was pasted or dropped that is a file. */
export function filesOf(data: DataTransfer | null): readonly File[] {
  return data === null ? [] : [...data.files];
}

export function AttachmentStrip({ attachments }: { readonly attachments: Attachments }) {
  const { list, problems, remove } = attachments;
  return (
    <>
      {list.length > 0 && (
        <ul aria-label="Images that go with it" className="flex flex-wrap gap-2 px-3 pt-3">
          {list.map(({ key, name, blob, was, address }) => (
            <li key={key} className="relative flex w-24 flex-col gap-1">
              <img src={address} alt={name} className="h-16 w-24 rounded-md border border-line bg-sunk object-cover" />
              <span className="truncate text-12 text-faint" title={`${name}: ${sayBytes(was)}`}>
                {blob.size < was ? `${sayBytes(was)} → ${sayBytes(blob.size)}` : sayBytes(was)}
              </span>
              <button
                type="button"
                aria-label={`Take out ${name}`}
                title={`Take out ${name}`}
                onClick={() => remove(key)}
                className="absolute -top-2 -right-2 inline-flex size-6 items-center justify-center rounded-full border border-line-strong bg-raised text-soft hover:bg-hover hover:text-ink max-phone:size-8"
              >
                <X aria-hidden size={13} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {problems.length > 0 && (
        <div role="alert" className="flex flex-col gap-0.5 px-3.5 pt-2 text-13 text-failed">
          {problems.map((problem) => (
            <p key={problem}>▲ {problem}</p>
          ))}
        </div>
      )}
    </>
  );
}
