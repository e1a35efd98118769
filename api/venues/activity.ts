/** What happens at the venues of a page: their screens, and their earnings of this month. */
import { may } from '#domain/access/permission.ts';
import type { Handle } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';
import { countScreens } from '#sql/screens/rows.ts';
import { sumMonthsEarnings } from '#sql/venues/rows.ts';
import type { Principal } from '../authentication/principal.ts';
import { payoutMoney } from '../payouts/schema.ts';
import type { VenueActivity } from './schema.ts';

type Reader = Pick<Principal, 'surface' | 'role' | 'access' | 'workspace' | 'sandbox'>;

/** Earnings are for callers who may read payouts. */
export async function readActivity(
  sql: Postgres,
  { surface, role, access, workspace, sandbox }: Reader,
  { venues, now }: { venues: readonly Handle<'venue'>[]; now: Milliseconds },
): Promise<(venue: Handle<'venue'>) => VenueActivity> {
  const owner = { workspace, sandbox };
  const mayReadEarnings = may(surface, role, access, 'payouts', 'read') === undefined;
  const [screens, earnings] = await Promise.all([
    countScreens(sql, owner, { venues, now }),
    mayReadEarnings ? sumMonthsEarnings(sql, owner, { venues, now: new Date(now) }) : undefined,
  ]);
  return venue => {
    const { paired = 0, online = 0 } = screens.find(row => row.venue === venue) ?? {};
    return {
      screens: paired,
      screens_online: online,
      ...(earnings && {
        earnings_this_month: earnings
          .filter(row => row.venue === venue)
          .map(({ earned, currency }) => payoutMoney(earned, currency)),
      }),
    };
  };
}
