/** The lines of earnings that single plays may be part of. */
import type { Handle } from '#domain/id.ts';
import type { CommissionTier } from '#domain/money/commission.ts';
import type { Queryable } from '#sql/postgres.ts';

export type EarningLine = {
  venue: Handle<'venue'>;
  day: string;
  screen: Handle<'screen'>;
  category: string;
  currency: string;
  tier: CommissionTier;
  share: number;
  first: Date;
  last: Date;
};
type PlayPlace = { venue: Handle<'venue'>; day: string; screen: Handle<'screen'> };

/** The lines of earnings of the venue, day and screen of each play. */
export async function readLines(sql: Queryable, sandbox: boolean, plays: readonly PlayPlace[]): Promise<EarningLine[]> {
  return sql<EarningLine[]>`
    select distinct e.venue_handle as venue, to_char(e.day, 'YYYY-MM-DD') as day, l.screen_handle as screen,
      l.category, e.currency, e.tier, e.share_millionths as share, l.first_settled_at as first,
      l.last_settled_at as last
    from unnest(${plays.map(play => play.venue)}::bigint[], ${plays.map(play => play.day)}::date[],
      ${plays.map(play => play.screen)}::bigint[]) as p (venue, day, screen)
    join venue_earnings e on e.venue_handle = p.venue and e.day = p.day and e.sandbox = ${sandbox}
    join earning_lines l on l.earning_handle = e.handle and l.screen_handle = p.screen`;
}
