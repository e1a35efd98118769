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

/** What a page is opened for most: one more of what it lists. */
export function AddButton({ text, onClick }: { text: string; onClick: () => void }): ReactElement {
  return (
    <Button kind="primary" onClick={onClick}>
      <Icon name="plus" />
      {text}
    </Button>
  );
}
