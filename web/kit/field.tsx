/** Fields with a visible name, a hint and their own error. */
import { type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from 'react';

const frame =
  'w-full rounded-md border border-line-strong bg-raised px-3 py-2 text-15 text-ink placeholder:text-faint aria-invalid:border-failed';

interface Labelled {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

function Framed({
  id,
  label,
  hint,
  error,
  children,
}: Labelled & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-13 font-medium text-soft">
        {label}
      </label>
      {children}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-13 text-failed">
          ▲ {error}
        </p>
      )}
      {hint !== undefined && error === undefined && (
        <p id={`${id}-hint`} className="text-12 text-faint">
          {hint}
        </p>
      )}
    </div>
  );
}

const describedBy = (id: string, { hint, error }: Labelled) =>
  error !== undefined ? `${id}-error` : hint !== undefined ? `${id}-hint` : undefined;

export function TextField({
  label,
  hint,
  error,
  ...rest
}: Labelled & InputHTMLAttributes<HTMLInputElement> & { readonly ref?: Ref<HTMLInputElement> }) {
  const id = useId();
  const facts = { label, hint, error };
  return (
    <Framed id={id} {...facts}>
      <input
        dir="auto"
        {...rest}
        id={id}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(id, facts)}
        className={`${frame} h-10 ${rest.className ?? ''}`}
      />
    </Framed>
  );
}

/** Grows with its text, up to a part of the window. */
export function TextArea({
  label,
  hint,
  error,
  ...rest
}: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement> & { readonly ref?: Ref<HTMLTextAreaElement> }) {
  const id = useId();
  const facts = { label, hint, error };
  return (
    <Framed id={id} {...facts}>
      <textarea
        dir="auto"
        rows={3}
        {...rest}
        id={id}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(id, facts)}
        className={`${frame} max-h-[40vh] resize-y leading-normal [field-sizing:content] ${rest.className ?? ''}`}
      />
    </Framed>
  );
}

export interface SelectOption {
  readonly value: string;
  readonly label: string;
}

/** The system's own list: right on every device, with every screen reader. */
export function SelectField({
  label,
  hint,
  error,
  options,
  value,
  onChange,
}: Labelled & {
  readonly options: readonly SelectOption[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  const facts = { label, hint, error };
  return (
    <Framed id={id} {...facts}>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(id, facts)}
        className={`${frame} h-10`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Framed>
  );
}
