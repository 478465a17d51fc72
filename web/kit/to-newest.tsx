/** A mark over the end of what grows, while the reader is elsewhere in it: the way to what came last. */
import { ArrowDown } from 'lucide-react';
import { Button } from './button.tsx';

export function ToNewest({ onPress }: { readonly onPress: () => void }) {
  return (
    <div className="pointer-events-none absolute inset-x-0 -top-12 flex justify-center">
      <Button
        icon={ArrowDown}
        className="pointer-events-auto animate-arrive rounded-full shadow-float"
        onClick={onPress}
      >
        To the newest
      </Button>
    </div>
  );
}
