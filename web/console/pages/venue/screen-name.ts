/** What a screen is called: one that a device paired by itself has no name until somebody gives it one. */
import { t } from '../../text/text.ts';

export function screenName({ id, label }: { id: string; label: string }): string {
  return label.trim() === '' ? t('screens.unnamed', { id }) : label;
}
