/** The lines of a payout: the part of each venue, by commission. */
import type { CommissionTier } from '#domain/money/commission.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { roundThousandths } from '#domain/money/money.ts';
import type { Micros } from '#domain/unit.ts';
import type { Queryable } from '#sql/postgres.ts';
import { payoutMoney } from './schema.ts';

export type LineRow = {
  venue: Handle<'venue'>;
  name: string;
  tier: CommissionTier;
  share_millionths: number;
  first_day: string;
  last_day: string;
  plays: number;
  impressions_thousandths: number;
  gross_micros: Micros;
  earned_micros: Micros;
};

export async function readLines(sql: Queryable, payout: Handle<'payout'>): Promise<LineRow[]> {
  return sql<LineRow[]>`
    select e.venue_handle as venue, v.name, e.tier, e.share_millionths, to_char(min(e.day), 'YYYY-MM-DD') as first_day,
      to_char(max(e.day), 'YYYY-MM-DD') as last_day,
      sum(l.plays)::bigint as plays, sum(l.impressions_thousandths)::bigint as impressions_thousandths,
        sum(l.gross_micros)::bigint as gross_micros, sum(l.earned_micros)::bigint as earned_micros
    from payout_lines l join venue_earnings e on e.handle = l.earning_handle join venues v on v.handle = e.venue_handle
    where l.payout_handle = ${payout} group by e.venue_handle, v.name, e.tier, e.share_millionths
    order by e.venue_handle, e.tier, e.share_millionths`;
}

export function lineItem(row: LineRow, currency: string) {
  return {
    venue_id: formatId('venue', row.venue),
    venue_name: row.name,
    commission_tier: row.tier,
    commission_rate: row.share_millionths / 1_000_000,
    first_day: row.first_day,
    last_day: row.last_day,
    plays: row.plays,
    impressions: roundThousandths(row.impressions_thousandths),
    ad_revenue: payoutMoney(row.gross_micros, currency),
    earnings: payoutMoney(row.earned_micros, currency),
  };
}
