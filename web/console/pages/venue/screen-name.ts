/** The name of a screen: one that a device paired by itself has none until it is given one. */
import { t } from '../../text/text.ts';

export function screenName({ id, label }: { id: string; label: string }): string {
  return label.trim() === '' ? t('screens.unnamed', { id }) : label;
}
