/** The implementation of dialogs. A separate file, because no page shows a dialog at first. */
import * as RadixDialog from '@radix-ui/react-dialog';
import { useState, type ReactElement, type ReactNode } from 'react';
import { t } from '../text/text.ts';
import { Icon } from './icon.tsx';

export type DialogFrameOptions = { title: string; onClose: () => void; children: ReactNode };

export default function DialogFrame({ title, onClose, children }: DialogFrameOptions): ReactElement {
  // Radix gives the focus back to a trigger of its own only.
  const [opener] = useState(() => document.activeElement);
  const giveFocusBack = (event: Event) => {
    event.preventDefault();
    if (opener instanceof HTMLElement) opener.focus();
  };
  return (
    <RadixDialog.Root open onOpenChange={open => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="overlay" />
        <RadixDialog.Content
          className="dialog"
          aria-describedby={undefined}
          onEscapeKeyDown={closeMenuFirst}
          // A stray press beside it must lose neither what was typed nor a secret that is shown once.
          onInteractOutside={event => event.preventDefault()}
          onCloseAutoFocus={giveFocusBack}
        >
          <header className="dialog-head">
            <RadixDialog.Title>{title}</RadixDialog.Title>
            <RadixDialog.Close className="icon-button" aria-label={t('dialog.close')}>
              <Icon name="close" />
            </RadixDialog.Close>
          </header>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** Escape closes the menu in a dialog, and the dialog with the next press. */
function closeMenuFirst(event: KeyboardEvent): void {
  const menu = document.querySelector<HTMLElement>('[popover]:popover-open');
  if (!menu) return;
  menu.hidePopover();
  event.preventDefault();
}
