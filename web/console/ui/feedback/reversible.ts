/** Changes that can be undone: a toast says what was done and offers the way back. */
import type { Marquee } from '@marquee/sdk';
import { messageOf, useChange } from '../../api/api.ts';
import { showToast } from './toasts.tsx';

export type Step = { change: (api: Marquee) => Promise<unknown>; done: string };

/** @param undo reverts `step` */
export function useReversible(step: Step, undo: Step) {
  const back = useChange(async api => {
    try {
      await undo.change(api);
      showToast({ text: undo.done });
    } catch (error) {
      showToast({ text: messageOf(error) });
      throw error;
    }
  });
  // Inside the change itself: its row may have left the page before the lists are refreshed.
  return useChange(async api => {
    await step.change(api);
    showToast({ text: step.done, undo: () => back.mutate() });
  });
}
