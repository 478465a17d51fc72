/** A key of the keyboard, as it is printed on it. */
const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** @param keys joined by spaces: `Ctrl k`, `g h`, `Enter` */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex gap-1 whitespace-nowrap">
      {keys.split(' ').map((key, nth) => (
        <kbd
          key={nth}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-line bg-sunk px-1 font-sans text-12 text-soft"
        >
          {printed(key)}
        </kbd>
      ))}
    </span>
  );
}

function printed(key: string): string {
  if (isApple && key === 'Ctrl') return '⌘';
  if (key === 'Escape') return 'Esc';
  return key.length === 1 ? key.toUpperCase() : key;
}
