/** Buttons: one primary per view; `isBusy` says that the press was heard and keeps it from being heard twice. */
import type { ButtonHTMLAttributes, ReactElement } from 'react';
import { Icon } from './icon.tsx';

export type ButtonOptions = ButtonHTMLAttributes<HTMLButtonElement> & {
  kind?: 'primary' | 'plain' | 'danger';
  isBusy?: boolean;
};

export function Button({ kind = 'plain', isBusy = false, type = 'button', ...rest }: ButtonOptions): ReactElement {
  return (
    <button
      {...rest}
      type={type}
      className={`button is-${kind}`}
      disabled={isBusy || rest.disabled}
      aria-busy={isBusy}
    />
  );
}

/** The main action of a page: adding an entry to its list. */
export function AddButton({ text, onClick }: { text: string; onClick: () => void }): ReactElement {
  return (
    <Button kind="primary" onClick={onClick}>
      <Icon name="plus" />
      {text}
    </Button>
  );
}
