/**
 * A dialog above the page: focus goes into it and comes back, Escape closes it. Its implementation is loaded with the
 * first one.
 */
import { lazy, Suspense, type ReactElement } from 'react';
import type { DialogFrameOptions } from './dialog-frame.tsx';

const DialogFrame = lazy(() => import('./dialog-frame.tsx'));

export type DialogOptions = DialogFrameOptions & { isOpen: boolean };

export function Dialog({ isOpen, ...frame }: DialogOptions): ReactElement | null {
  if (!isOpen) return null;
  return (
    <Suspense>
      <DialogFrame {...frame} />
    </Suspense>
  );
}
