/** Images that went with words: small beside them, whole when they are pressed. */
import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import type { ImageRef } from '../../../../src/features/sessions/contract.ts';
import { Dialog } from '../../../kit/overlay.tsx';
import { useRead } from '../../../state/hall.tsx';
import { sayBytes } from './images.ts';

export interface ImagesProps {
  readonly project: string;
  readonly id: string;
  readonly images: readonly ImageRef[];
}

export function Images({ project, id, images }: ImagesProps) {
  if (images.length === 0) return null;
  return (
    <ul aria-label={images.length === 1 ? '1 image' : `${images.length} images`} className="flex flex-wrap gap-2 pt-2">
      {images.map((image, nth) => (
        <li key={`${image.name}${nth}`}>
          <Image project={project} id={id} image={image} label={`Image ${nth + 1}, ${sayBytes(image.bytes)}`} />
        </li>
      ))}
    </ul>
  );
}

interface ImageProps extends Omit<ImagesProps, 'images'> {
  readonly image: ImageRef;
  readonly label: string;
}

/** Its place is kept while it is read. */
const frame = 'block h-28 w-auto min-w-16 max-w-64 rounded-md border border-line bg-sunk object-cover';

function Image({ project, id, image, label }: ImageProps) {
  const [isWhole, setWhole] = useState(false);
  const { data, problem } = useRead('session.image', { project, id, name: image.name });
  if (problem)
    return (
      <span className={`${frame} inline-flex w-40 flex-col items-center justify-center gap-1 px-2 text-12 text-soft`}>
        <ImageOff aria-hidden size={16} />
        {problem.message}
      </span>
    );
  if (data === undefined) return <span className={`${frame} w-40 animate-breathe`} />;
  const address = `data:${data.mimeType};base64,${data.data}`;
  return (
    <>
      <button
        type="button"
        aria-label={`${label}: show it whole`}
        onClick={() => setWhole(true)}
        className="rounded-md"
      >
        <img src={address} alt="" className={frame} />
      </button>
      <Dialog title={label} isOpen={isWhole} onOpenChange={setWhole} width="page">
        <img src={address} alt={label} className="max-h-[75vh] max-w-full self-center rounded-sm object-contain" />
      </Dialog>
    </>
  );
}
