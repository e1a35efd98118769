/** The plays of upheld findings in ClickHouse: copied from the raw table, and summed for their money. */
import { NO_HANDLE, formatId, parseId, type Handle } from '#domain/id.ts';
import { ruleLabel } from '#domain/plays/traffic/invalid-traffic.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import type { Finding } from '#sql/findings/findings.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/** One round of removing plays of a finding, by the finding's handle; numbered from 1. */
export type TakingRound = { finding: Handle<'finding'>; number: number };
/** Plays of a campaign on a screen in 15 minutes that were charged together. */
export type TakenSum = {
  group: string;
  campaign: Handle<'campaign'>;
  screen: Handle<'screen'>;
  slotMs: Milliseconds;
  plays: number;
  impressionsThousandths: number;
  grossMicros: Micros;
};

/**
 * Copies the plays of the finding that no finding has removed before. Only counted and charged plays, because late ones
 * cost nothing. A repeat copies missing rows, and rows copied twice are one row.
 */
export async function keepTakenOut(
  clickhouse: Clickhouse,
  { rule, ruleVersion, venue, screen, fromAt, toAt }: Finding,
  { finding, number }: TakingRound,
): Promise<void> {
  await clickhouse.command({
    query: `
      insert into plays_taken_out (campaign_id, slot_at, epoch, issue_number, campaign_handle, creative_id, screen_id,
        venue_id, impressions_thousandths, cost_micros, group_id, finding_id, finding_handle, number, decided_by)
      select campaign_id, slot_at, epoch, issue_number, campaign_handle, creative_id, screen_id, venue_id,
        p.impressions_thousandths, p.cost_micros, group_id,
        {id:String}, {finding:UInt64}, {number:UInt32}, {rule:String}
      from plays_raw as p
      where not late and not sandbox and venue_id = {venue:String}
        ${screen === null ? '' : 'and screen_id = {screen:String}'}
        and slot_at >= fromUnixTimestamp64Milli({from:Int64}) and slot_at < fromUnixTimestamp64Milli({to:Int64})
        and (campaign_id, slot_at, epoch, issue_number) global not in (
          select campaign_id, slot_at, epoch, issue_number from plays_taken_out where venue_id = {venue:String}
            and slot_at >= fromUnixTimestamp64Milli({from:Int64}) and slot_at < fromUnixTimestamp64Milli({to:Int64}))`,
    query_params: {
      id: formatId('finding', finding),
      finding,
      number,
      rule: ruleLabel({ name: rule, version: ruleVersion }),
      venue: formatId('venue', venue),
      ...(screen !== null && { screen: formatId('screen', screen) }),
      from: fromAt.getTime(),
      to: toAt.getTime(),
    },
  });
}

type SumRow = {
  group_id: string;
  campaign: Handle<'campaign'>;
  screen_id: string;
  slot_s: number;
  plays: number;
  impressions: number;
  gross: Micros;
};

/** The plays removed by a round, or by all rounds before it. */
export async function readTakenOut(
  clickhouse: Clickhouse,
  round: TakingRound,
  which: 'round' | 'before' = 'round',
): Promise<TakenSum[]> {
  const rows = await queryRows<SumRow>(clickhouse, {
    query: `
      select group_id, toInt64(campaign_handle) as campaign, screen_id,
        toUnixTimestamp(toStartOfInterval(slot_at, interval 15 minute, 'UTC')) as slot_s,
        toInt64(count()) as plays, toInt64(sum(impressions_thousandths)) as impressions,
          toInt64(sum(cost_micros)) as gross
      from plays_taken_out final
      where finding_handle = {finding:UInt64} and number ${which === 'round' ? '=' : '<'} {number:UInt32}
      group by group_id, campaign, screen_id, slot_s`,
    query_params: round,
  });
  return rows.map(({ group_id: group, campaign, screen_id: screen, slot_s: slotS, plays, impressions, gross }) => ({
    group,
    campaign,
    screen: parseId('screen', screen) ?? NO_HANDLE,
    slotMs: slotS * 1_000,
    plays,
    impressionsThousandths: impressions,
    grossMicros: gross,
  }));
}
