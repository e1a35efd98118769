/** What complete groups of plays add up to in ClickHouse, which settlement turns into charges and earnings. */
import { NO_HANDLE, handleOf, parseId, type Handle } from '#domain/id.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/**
 * Sums of a group by campaign, screen and quarter of an hour (of the slot), which every zone's days and dayparts can be
 * cut from.
 */
export type SpendSum = {
  groupId: string;
  campaign: Handle<'campaign'>;
  venue: Handle<'venue'>;
  screen: Handle<'screen'>;
  /** Start of the 15 minutes, ms since 1970. */
  slotMs: Milliseconds;
  plays: number;
  impressionsThousandths: number;
  grossMicros: Micros;
  /** Whether a sensing module counted the people of a play of it. */
  isMeasured: boolean;
};

/**
 * A sum with who pays it, for what category, and where it was played; the offset is that of the venue's zone,
 * `knownVenue` null where there is no such venue.
 */
export type SettledSum = SpendSum & {
  workspace: Handle<'workspace'>;
  category: string;
  currency: string;
  sandbox: boolean;
  isDiscounted: boolean;
  knownVenue: Handle<'venue'> | null;
  offsetMinutes: number;
};

/**
 * So many groups are read at once whatever their size: a group has at most 20,000 plays. Of more, the sizes are asked
 * first.
 */
const GROUPS_UNASKED_MAX = 5;
/** Rows of one round: at some 200 bytes each, 20 MB. */
const PLAYS_MAX = 100_000;

/** As many of these groups, the first ones first, as one round can hold in memory; at least one. */
export async function boundGroups(clickhouse: Clickhouse, groups: readonly string[]): Promise<readonly string[]> {
  if (groups.length <= GROUPS_UNASKED_MAX) return groups;
  const result = await clickhouse.query({
    query:
      'select group_id, count() as plays from plays_raw where group_id in {groups:Array(String)} group by group_id',
    query_params: { groups },
    format: 'JSONEachRow',
  });
  const sizes = new Map(
    (await result.json<{ group_id: string; plays: number }>()).map(row => [row.group_id, row.plays]),
  );
  let plays = 0;
  const end = groups.findIndex(group => (plays += sizes.get(group) ?? 0) > PLAYS_MAX);
  return end === -1 ? groups : groups.slice(0, Math.max(1, end));
}

type SumRow = {
  group_id: string;
  campaign: Handle<'campaign'>;
  venue_id: string;
  screen_id: string;
  slot_s: number;
  plays: number;
  measured: number;
  impressions_thousandths: number;
  cost_micros: Micros;
};

/** Late plays are in no sum: they are not charged. */
export async function readSpendSums(clickhouse: Clickhouse, groups: readonly string[]): Promise<SpendSum[]> {
  const result = await clickhouse.query({
    query: `select group_id, toInt64(p.campaign_handle) as campaign, venue_id, screen_id, toUnixTimestamp(toStartOfInterval(slot_at, interval 15 minute, 'UTC')) as slot_s,
        toInt64(count()) as plays, toInt64(countIf(p.audience is not null)) as measured, toInt64(sum(p.impressions_thousandths)) as impressions_thousandths, toInt64(sum(p.cost_micros)) as cost_micros
      from plays_raw as p where group_id in {groups:Array(String)} and not late group by group_id, campaign, venue_id, screen_id, slot_s`,
    query_params: { groups },
    format: 'JSONEachRow',
  });
  return (await result.json<SumRow>()).map(row => ({
    groupId: row.group_id,
    campaign: handleOf('campaign', row.campaign),
    venue: parseId('venue', row.venue_id) ?? NO_HANDLE, // a venue that nobody has
    screen: parseId('screen', row.screen_id) ?? NO_HANDLE,
    slotMs: row.slot_s * 1_000,
    plays: exact(row.plays),
    impressionsThousandths: exact(row.impressions_thousandths),
    grossMicros: exact(row.cost_micros),
    isMeasured: row.measured > 0,
  }));
}

function exact(number: number): number {
  if (!Number.isSafeInteger(number)) throw new RangeError(`a sum of ${number} is above 2^53`);
  return number;
}
