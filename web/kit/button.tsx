/** What can be done. One ember button a view at most; it says its verb. */
import { LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';

export type ButtonTone = 'primary' | 'plain' | 'quiet' | 'danger';

const tones: Readonly<Record<ButtonTone, string>> = {
  primary: 'bg-ember text-on-ember border-transparent hover:not-disabled:bg-ember-strong',
  plain: 'bg-raised text-ink border-line hover:not-disabled:border-line-strong hover:not-disabled:bg-hover',
  quiet: 'bg-transparent text-soft border-transparent hover:not-disabled:bg-hover hover:not-disabled:text-ink',
  danger: 'bg-raised text-failed border-line hover:not-disabled:border-failed',
};

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  readonly tone?: ButtonTone;
  readonly icon?: LucideIcon;
  /** Under way: it says so and takes no second press. */
  readonly isBusy?: boolean;
  /** Why it cannot be pressed now; told on hover and to screen readers. */
  readonly blockedBecause?: string | undefined;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button(props: ButtonProps) {
  const { tone = 'plain', icon: Icon, isBusy = false, blockedBecause, children, className = '', ...rest } = props;
  const isBlocked = blockedBecause !== undefined;
  return (
    <button
      type="button"
      {...rest}
      // Still focusable, so that the reason can be read and focus is not lost.
      aria-disabled={isBlocked || isBusy || undefined}
      title={blockedBecause ?? rest.title}
      onClick={(event) => {
        if (isBlocked || isBusy) event.preventDefault();
        else rest.onClick?.(event);
      }}
      className={`inline-flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-md border px-3 text-13 font-medium whitespace-nowrap transition-colors duration-120 aria-disabled:cursor-default aria-disabled:opacity-55 aria-pressed:border-ember! aria-pressed:bg-ember-wash! aria-pressed:text-ink! ${tones[tone]} ${className}`}
    >
      {isBusy ? (
        <LoaderCircle aria-hidden size={15} className="animate-spin" />
      ) : (
        Icon && <Icon aria-hidden size={15} />
      )}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'disabled'> {
  readonly icon: LucideIcon;
  /** What it does; its name for screen readers, shown on hover. */
  readonly label: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ icon: Icon, label, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`inline-flex size-8 shrink-0 items-center justify-center rounded-md text-soft transition-colors duration-120 hover:bg-hover hover:text-ink aria-pressed:bg-ember-wash! aria-pressed:text-ink! max-phone:size-10 ${className}`}
    >
      <Icon aria-hidden size={16} />
    </button>
  );
}
