/**
 * The projections of `plays_screen_day` have the sums and the screens of its rows. ClickHouse writes a projection into
 * the same part as the rows that it is computed from. So the two agree whatever is repeated, merged or mutated, and a
 * part that has lost its projections is read by its rows. A difference therefore means a damaged disk or a bug of
 * ClickHouse.
 */
import { findLasting, rowsOf, type Findings, type VerifyDependencies } from './findings.ts';

/** Differences listed per month; enough to see how far a fault goes. */
const NAMED_MAX = 100;
const SUMS = 'sum(plays), sum(late_plays), sum(impressions_thousandths), sum(cost_micros)';
const SHOWN_DAYS = 'groupBitOr(if(plays > 0, bitShiftLeft(toUInt32(1), toDayOfMonth(day)), 0))';

type Difference = {
  projection: string;
  campaign_id: string;
  sandbox: boolean;
  day: string;
  found: string;
  rows: string;
};

/** Compares month by month, so that only the screens of one month are in memory at a time. */
export async function checkProjections({ clickhouse }: VerifyDependencies, findings: Findings): Promise<void> {
  const months = await rowsOf<{ month: string }>(
    clickhouse,
    'select distinct toString(toStartOfMonth(day)) as month from plays_screen_day order by month',
  );
  for (const { month } of months) {
    const differences = await findLasting(
      async () => [
        ...(await rowsOf<Difference>(clickhouse, daysSql(month))),
        ...(await rowsOf<Difference>(clickhouse, screensSql(month))),
      ],
      ({ projection, campaign_id, sandbox, day }) => `${projection} ${campaign_id} ${sandbox} ${day}`,
    );
    for (const { projection, campaign_id, sandbox, day, found, rows } of differences)
      findings.add({
        invariant: 'rollups',
        detail: `plays_screen_day has in its projection ${projection} ${found} of ${campaign_id} on ${day}${sandbox ? ' in the sandbox' : ''}, its rows have ${rows}`,
      });
  }
}

/** No projection has sums by venue, so ClickHouse reads the rows where a query groups by venue first. */
function daysSql(month: string): string {
  const ofMonth = `from plays_screen_day where toStartOfMonth(day) = '${month}'`;
  return differencesSql('campaign_day', {
    projected: `select true, campaign_id, sandbox, day, (${SUMS}) ${ofMonth} group by campaign_id, sandbox, day`,
    summed: `select false, campaign_id, sandbox, day, (${SUMS}) from (
        select campaign_id, sandbox, day, venue_id, sum(plays) as plays, sum(late_plays) as late_plays,
          sum(impressions_thousandths) as impressions_thousandths, sum(cost_micros) as cost_micros
        ${ofMonth} group by campaign_id, sandbox, day, venue_id)
      group by campaign_id, sandbox, day`,
  });
}

function screensSql(month: string): string {
  const ofMonth = `from plays_screen_day where toStartOfMonth(day) = '${month}'`;
  const screens = '(countIf(days != 0), sum(cityHash64(screen_id, days)))';
  return differencesSql('campaign_screens', {
    projected: `select true, campaign_id, sandbox, toDate('${month}'), ${screens} from (
        select campaign_id, sandbox, screen_id, ${SHOWN_DAYS} as days ${ofMonth}
        group by campaign_id, sandbox, toStartOfMonth(day), screen_id)
      group by campaign_id, sandbox`,
    summed: `select false, campaign_id, sandbox, toDate('${month}'), ${screens} from (
        select campaign_id, sandbox, screen_id, groupBitOr(days_there) as days from (
          select campaign_id, sandbox, screen_id, venue_id, ${SHOWN_DAYS} as days_there ${ofMonth}
          group by campaign_id, sandbox, screen_id, venue_id)
        group by campaign_id, sandbox, screen_id)
      group by campaign_id, sandbox`,
  });
}

function differencesSql(projection: string, { projected, summed }: { projected: string; summed: string }): string {
  return `select '${projection}' as projection, campaign_id, sandbox, toString(day) as day,
      toString(anyIf(figures, is_projected)) as found, toString(anyIf(figures, not is_projected)) as rows
    from (select * from (${projected}) as p (is_projected, campaign_id, sandbox, day, figures) union all select *
      from (${summed}) as s (is_projected, campaign_id, sandbox, day, figures))
    group by campaign_id, sandbox, day having uniqExact(figures) > 1 limit ${NAMED_MAX}`;
}
