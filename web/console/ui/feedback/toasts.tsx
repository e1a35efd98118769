/** A short notice at the foot of the page after a change, with a button that undoes it where that is possible. */
import { useEffect, useSyncExternalStore, type ReactElement } from 'react';
import { t } from '../../text/text.ts';

type Toast = { text: string; undo?: () => void };

/** Long enough to read and to reach the button. The page itself offers the way back afterwards, too. */
const SHOWN_MS = 10_000;

/** One: people want to undo their last change. */
let shown: Toast | undefined;
const listeners = new Set<() => void>();

export function showToast(toast: Toast | undefined): void {
  shown = toast;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts(): ReactElement {
  const toast = useSyncExternalStore(subscribe, () => shown);
  useEffect(() => {
    if (toast === undefined) return undefined;
    const timer = setTimeout(() => showToast(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div className="toasts" role="status">
      {toast && (
        <div className="toast">
          <span className="breaks">{toast.text}</span>
          {toast.undo && (
            <button
              type="button"
              className="text-button"
              onClick={() => {
                showToast(undefined);
                toast.undo?.();
              }}
            >
              {t('toast.undo')}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
