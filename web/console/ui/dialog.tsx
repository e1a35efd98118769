/** A dialog above the page: focus goes into it and comes back, Escape closes it. */
import * as RadixDialog from '@radix-ui/react-dialog';
import type { ReactElement, ReactNode } from 'react';
import { t } from '../text/text.ts';
import { Icon } from './icon.tsx';

export type DialogOptions = { title: string; isOpen: boolean; onClose: () => void; children: ReactNode };

export function Dialog({ title, isOpen, onClose, children }: DialogOptions): ReactElement {
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={open => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="overlay" />
        <RadixDialog.Content className="dialog" aria-describedby={undefined}>
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
