/** Buttons: one primary per view; `isBusy` says that the press was heard and keeps it from being heard twice. */
import { useId, useRef, type ButtonHTMLAttributes, type ReactElement, type ReactNode } from 'react';
import { t } from '../text/text.ts';
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

/** The widest menu (buttons.css), and its distance from the edge of the window. */
const MENU_PX = 224;
const EDGE_PX = 8;

/** Buttons behind ⋯: those of a page or a row that delete or end something. */
export function MoreMenu({ children }: { children: ReactNode }): ReactElement {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  // The top layer has no parent to be placed by, so the menu is placed on the page.
  const place = () => {
    const { right, bottom } = opener.current!.getBoundingClientRect();
    menu.current!.style.left = `${Math.max(EDGE_PX, right - MENU_PX) + window.scrollX}px`;
    menu.current!.style.top = `${bottom + window.scrollY}px`;
  };
  return (
    <>
      <button
        type="button"
        ref={opener}
        className="icon-button"
        aria-label={t('menu.more')}
        title={t('menu.more')}
        popoverTarget={id}
      >
        <Icon name="more" />
      </button>
      {/* A press closes it first, so that a dialog gives the focus back to the opener. */}
      <div
        id={id}
        ref={menu}
        popover="auto"
        className="more-menu"
        onBeforeToggle={place}
        onClickCapture={() => menu.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}
