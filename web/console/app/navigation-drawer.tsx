/**
 * The navigation on narrow screens: it comes in from the side and goes once a page was chosen. A file of its own,
 * because wide screens never load it.
 */
import * as Dialog from '@radix-ui/react-dialog';
import type { ReactElement, ReactNode } from 'react';
import { Mark } from '../ui/icon.tsx';

export type NavigationDrawerOptions = { onClose: () => void; children: ReactNode };

export default function NavigationDrawer({ onClose, children }: NavigationDrawerOptions): ReactElement {
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="drawer" aria-describedby={undefined}>
          <Dialog.Title className="brand">
            <Mark />
            <span>Marquee</span>
          </Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
