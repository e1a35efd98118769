/** Changes that are saved on their page: a toast says so. */
import type { Marquee } from '@marquee/sdk';
import { useChange } from '../../api/api.ts';
import { t } from '../../text/text.ts';
import { showToast } from './toasts.tsx';

export function useSave<Answer, Input = void>(change: (api: Marquee, input: Input) => Promise<Answer>) {
  return useChange(async (api, input: Input) => {
    const answer = await change(api, input);
    showToast({ text: t('toast.saved') });
    return answer;
  });
}
