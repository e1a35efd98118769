/** The implementation of dialogs. A separate file, because no page shows a dialog at first. */
import * as RadixDialog from '@radix-ui/react-dialog';
import type { ReactElement, ReactNode } from 'react';
import { t } from '../text/text.ts';
import { Icon } from './icon.tsx';

export type DialogFrameOptions = { title: string; onClose: () => void; children: ReactNode };

export default function DialogFrame({ title, onClose, children }: DialogFrameOptions): ReactElement {
  return (
    <RadixDialog.Root open onOpenChange={open => !open && onClose()}>
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
