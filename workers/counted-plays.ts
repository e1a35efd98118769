import type { Clickhouse } from '#sql/clickhouse.ts';
import type { CountedNumbers } from '#sql/redis.ts';
import type { WrittenGroup } from '#ingest/intake.ts';

/** What the rows in ClickHouse say for a rebuild of the authority. */

/** What a group's rows of one campaign come to, late plays excepted. */
export type CountedSum = { plays: number; micros: number };
/** A group with rows in a raw table, oldest first. `isCharged`: it has plays that are not late. */
export type WrittenSum = WrittenGroup & { writtenAtMs: number; isCharged: boolean; sums: Map<number, CountedSum> };
/** Campaigns from one handle to another, whose counted plays are read at once. */
export type CampaignPage = { from: number; to: number };

/** A play is taken for 30 days after its slot, and a slot is asked for 48 hours ahead: what is older is refused before it is counted. */
const REPORTED_DAYS = 33;
/** Of one page: ten megabytes of numbers. A campaign with more stands alone. */
const PLAYS_AT_ONCE = 1_000_000;

type GroupRow = { group_id: string; attempt: number; written_at: number; charged: number; campaigns: number[]; plays: number[]; costs: number[] };

/** The groups whose rows were written since `sinceMs`. */
export async function readWrittenGroups(clickhouse: Clickhouse, sinceMs: number): Promise<WrittenSum[]> {
  const since = { since: Math.max(0, Math.floor(sinceMs / 1000)) };
  const plays = await clickhouse.query({
    query: `select group_id, max(attempt) as attempt, toInt64(toUnixTimestamp64Milli(min(first_at))) as written_at, toUInt8(max(charged)) as charged,
        groupArray(toInt64(campaign)) as campaigns, groupArray(toInt64(counted)) as plays, groupArray(toInt64(cost)) as costs
      from (
        select group_id, campaign_handle as campaign, max(p.attempt) as attempt, min(inserted_at) as first_at, countIf(not late) as counted, toUInt8(counted > 0) as charged, sum(cost_micros) as cost
        from plays_raw as p where inserted_at >= fromUnixTimestamp64Milli(toInt64({since:UInt32}) * 1000) group by group_id, campaign
      ) group by group_id order by written_at`,
    query_params: since, format: 'JSONEachRow',
  });
  const scans = await clickhouse.query({
    query: `select group_id, max(s.attempt) as attempt, toInt64(toUnixTimestamp64Milli(min(inserted_at))) as written_at, 0 as charged, [] as campaigns, [] as plays, [] as costs
      from scans_raw as s where inserted_at >= fromUnixTimestamp64Milli(toInt64({since:UInt32}) * 1000) group by group_id order by written_at`,
    query_params: since, format: 'JSONEachRow',
  });
  return [...(await plays.json<GroupRow>()).map(row => sumOf(row, 'plays_raw')), ...(await scans.json<GroupRow>()).map(row => sumOf(row, 'scans_raw'))];
}

function sumOf(row: GroupRow, table: WrittenSum['table']): WrittenSum {
  return {
    group: row.group_id, table, attempt: Number(row.attempt), writtenAtMs: Number(row.written_at), isCharged: Number(row.charged) === 1,
    sums: new Map(row.campaigns.map((campaign, at) => [Number(campaign), { plays: Number(row.plays[at]), micros: Number(row.costs[at]) }])),
  };
}

/** All campaigns with plays that may be reported again, in pages of bounded size. */
export async function pagesOfCounts(clickhouse: Clickhouse): Promise<CampaignPage[]> {
  const result = await clickhouse.query({
    query: `select toInt64(campaign_handle) as campaign, toInt64(count()) as plays from plays_raw where slot_at > now() - interval ${REPORTED_DAYS} day group by campaign order by campaign`,
    format: 'JSONEachRow',
  });
  const pages: CampaignPage[] = [];
  let plays = Infinity;
  for (const row of await result.json<{ campaign: number; plays: number }>()) {
    plays += Number(row.plays);
    const campaign = Number(row.campaign);
    if (plays > PLAYS_AT_ONCE) {
      pages.push({ from: campaign, to: campaign });
      plays = Number(row.plays);
    } else pages.at(-1)!.to = campaign;
  }
  return pages;
}

/** The issue numbers of these campaigns' plays that have a row. */
export async function readCounts(clickhouse: Clickhouse, { from, to }: CampaignPage): Promise<CountedNumbers[]> {
  const result = await clickhouse.query({
    query: `select toInt64(campaign_handle) as campaign, epoch, groupArrayIf(issue_number, not late) as counted, groupArrayIf(issue_number, late) as late_ones
      from plays_raw where campaign_handle between {from:UInt64} and {to:UInt64} and slot_at > now() - interval ${REPORTED_DAYS} day group by campaign, epoch`,
    query_params: { from, to }, format: 'JSONEachRow',
  });
  return (await result.json<{ campaign: number; epoch: number; counted: number[]; late_ones: number[] }>())
    .map(row => ({ campaign: Number(row.campaign), epoch: row.epoch, counted: row.counted, late: row.late_ones }));
}
