/** A small mark for a speaker, made from the name: the same name has the same mark everywhere, for ever. */

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193);
  return hash >>> 0;
}

/** A guild's mark: one of few strokes in each half, mirrored, so that it reads as a sign and not as noise. */
const strokes = [
  'M8 3v10',
  'M8 3 4 7l4 4',
  'M8 13 3 8l5-5',
  'M8 8H3M3 5v6',
  'M8 4 4 12',
  'M8 12 4 4',
  'M8 6a3 3 0 1 0 0 5',
  'M8 3C5 3 4 6 4 8',
  'M8 13c-3 0-4-3-4-5',
  'M5 3v10M5 8h3',
] as const;

export function WorkerGlyph({ name, size = 20 }: { readonly name: string; readonly size?: number }) {
  const hash = hashOf(name);
  const first = strokes[hash % strokes.length]!;
  const second = strokes[(hash >>> 8) % strokes.length]!;
  const hue = (hash >>> 16) % 360;
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 16 16" className="shrink-0 rounded-[4px]">
      <rect width="16" height="16" fill={`light-dark(oklch(0.9 0.045 ${hue}), oklch(0.36 0.05 ${hue}))`} />
      <g
        fill="none"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
        stroke={`light-dark(oklch(0.38 0.09 ${hue}), oklch(0.88 0.07 ${hue}))`}
      >
        <path d={`${first} ${second}`} />
        <path d={`${first} ${second}`} transform="matrix(-1 0 0 1 16 0)" />
      </g>
    </svg>
  );
}

/** The person: initials, or a plain sign where no name is known. */
export function PersonMark({ name = 'You', size = 20 }: { readonly name?: string; readonly size?: number }) {
  const initials = name
    .split(/\s+/)
    .map((part) => part.charAt(0).toUpperCase())
    .join('')
    .slice(0, 2);
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 16 16" className="shrink-0">
      <circle cx="8" cy="8" r="8" className="fill-ink" />
      <text x="8" y="10.9" textAnchor="middle" className="fill-paper font-sans font-semibold" fontSize="8">
        {initials}
      </text>
    </svg>
  );
}
