/** Fields of forms: a label above, a hint and a fault below, all of them announced by screen readers. */
import {
  useId,
  type InputHTMLAttributes,
  type ReactElement,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';

type Described = { label: string; hint?: string | undefined; error?: string | undefined };

export type FieldOptions = InputHTMLAttributes<HTMLInputElement> & Described;

export function Field({ label, hint, error, ...input }: FieldOptions): ReactElement {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <input {...input} id={id} aria-invalid={error !== undefined} aria-describedby={describedBy(id, hint, error)} />
    </FieldFrame>
  );
}

export type TextAreaOptions = TextareaHTMLAttributes<HTMLTextAreaElement> & Described;

/** Several lines. */
export function TextArea({ label, hint, error, ...area }: TextAreaOptions): ReactElement {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <textarea {...area} id={id} aria-invalid={error !== undefined} aria-describedby={describedBy(id, hint, error)} />
    </FieldFrame>
  );
}

export type SelectFieldOptions = SelectHTMLAttributes<HTMLSelectElement> & Described;

export function SelectField({ label, hint, error, children, ...select }: SelectFieldOptions): ReactElement {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <select {...select} id={id} aria-invalid={error !== undefined} aria-describedby={describedBy(id, hint, error)}>
        {children}
      </select>
    </FieldFrame>
  );
}

function FieldFrame({
  id,
  label,
  hint,
  error,
  children,
}: Described & { id: string; children: ReactNode }): ReactElement {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

function describedBy(id: string, hint: string | undefined, error: string | undefined): string | undefined {
  const ids = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [`${id}-error`])];
  return ids.length === 0 ? undefined : ids.join(' ');
}

export type ChoicesOptions = {
  label: string;
  options: readonly { value: string; text: string; note?: string }[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  hint?: string;
  error?: string | undefined;
  isDisabled?: boolean;
};

/** Several of a few: each is a checkbox that looks like a chip. */
export function Choices(options: ChoicesOptions): ReactElement {
  const { label, options: offered, chosen, onChange, hint, error, isDisabled = false } = options;
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter(one => one !== value) : [...chosen, value]);
  return (
    <fieldset className="choices" disabled={isDisabled}>
      <legend>{label}</legend>
      {hint !== undefined && <p className="hint">{hint}</p>}
      <div className="chips">
        {offered.map(({ value, text, note }) => (
          <label key={value} className="chip">
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
            <span>
              {text}
              {note !== undefined && <span className="chip-note">{note}</span>}
            </span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
