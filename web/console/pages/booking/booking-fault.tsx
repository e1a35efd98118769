/** Why a campaign was not booked or changed. If the wallet lacks money: the amounts, and the way to it. */
import { MarqueeError } from '@marquee/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { messageOf, useRead } from '../../api/api.ts';
import { mayRead, useSession } from '../../api/session.ts';
import { money } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import type { BookedCampaign } from './form/plan.ts';

export type BookingFaultOptions = { error: Error | null; /** What the wallet has to cover. */ needed: Money | null };
type Money = BookedCampaign['spent'];

export function BookingFault({ error, needed }: BookingFaultOptions): ReactElement | null {
  const session = useSession();
  const isLack = needed !== null && error instanceof MarqueeError && error.is('insufficient_funds');
  const wallet = useRead(['wallet'], (api, signal) => api.get('/v1/wallet', { signal }), {
    isWanted: isLack && mayRead(session, 'wallet'),
  });
  if (!error) return null;
  return (
    <p className="notice is-bad" role="alert">
      {isLack && wallet.data ? (
        <>
          {t('booking.lacksMoney', { needed: money(needed), balance: money(wallet.data.balance) })}{' '}
          <Link to="/wallet">{t('wallet.topUp')}</Link>
        </>
      ) : (
        messageOf(error)
      )}
    </p>
  );
}
