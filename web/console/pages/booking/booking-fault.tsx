/** Why a campaign was not booked or changed; if the wallet lacks money, with the way to it. */
import { MarqueeError } from '@marquee/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { messageOf } from '../../api/api.ts';
import { t } from '../../text/text.ts';

export function BookingFault({ error }: { error: Error | null }): ReactElement | null {
  if (!error) return null;
  const isLack = error instanceof MarqueeError && error.is('insufficient_funds');
  return (
    <p className="notice is-bad" role="alert">
      {messageOf(error)} {isLack && <Link to="/wallet">{t('wallet.topUp')}</Link>}
    </p>
  );
}
