/** The name of a screen: a screen paired by a device alone has no name at first. */
import { t } from '../../text/text.ts';

export function screenName({ id, label }: { id: string; label: string }): string {
  return label.trim() === '' ? t('screens.unnamed', { id }) : label;
}
