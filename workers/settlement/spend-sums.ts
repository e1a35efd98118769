/**
 * The sums of complete groups of plays in ClickHouse, which settlement turns into charges and earnings: once by
 * campaign, for charges, and once by place, for earnings. Two statements for any number of groups. A thousand campaigns
 * on a hundred screens rarely meet twice in a group, so sums by both would be nearly a row for each play.
 */
import { NO_HANDLE, handleOf, parseId, type Handle } from '#domain/id.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import type { Payer } from '#sql/campaigns/spend.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

export type Amounts = { plays: number; impressionsThousandths: number; grossMicros: Micros };
/** The sum of a group for a campaign. */
export type CampaignSum = Amounts & { groupId: string; campaign: Handle<'campaign'> };
/**
 * The sum of all groups on a screen in a quarter hour (of the slot), from which every zone's days and dayparts can be
 * built, for all campaigns of one category, currency and book. If campaigns are split by place as well, for one
 * campaign.
 */
export type PlaceSum = Amounts & {
  payer: Payer | undefined;
  category: string;
  currency: string;
  sandbox: boolean;
  venue: Handle<'venue'>;
  screen: Handle<'screen'>;
  /** Start of the 15 minutes, ms since 1970. */
  slotMs: Milliseconds;
  /** Whether a sensing module counted the people of a play of it. */
  isMeasured: boolean;
};

/** A discount is divided over venues and dayparts, and the months of a sandbox are those of its slots. */
export const isCutByPlace = ({ isDiscounted, sandbox }: Payer): boolean => isDiscounted || sandbox;

/**
 * This many groups are read at once regardless of size: a group has at most 20,000 plays. For more, the sizes are read
 * first.
 */
const GROUPS_UNASKED_MAX = 10;
/** Plays per round, even if no two can be summed together: at about 200 bytes each, 40 MB. */
const PLAYS_MAX = 200_000;

/** The first of these groups that fit in the memory of one round; at least one. */
export async function boundGroups(clickhouse: Clickhouse, groups: readonly string[]): Promise<readonly string[]> {
  if (groups.length <= GROUPS_UNASKED_MAX) return groups;
  const rows = await queryRows<{ group_id: string; plays: number }>(clickhouse, {
    query:
      'select group_id, count() as plays from plays_raw where group_id in {groups:Array(String)} group by group_id',
    query_params: { groups },
  });
  const sizes = new Map(rows.map(row => [row.group_id, row.plays]));
  let plays = 0;
  const end = groups.findIndex(group => (plays += sizes.get(group) ?? 0) > PLAYS_MAX);
  return end === -1 ? groups : groups.slice(0, Math.max(1, end));
}

const AMOUNTS =
  'toInt64(count()) as plays, toInt64(sum(p.impressions_thousandths)) as impressions_thousandths, toInt64(sum(p.cost_micros)) as cost_micros';
/** Late plays are in no sum: they are not charged. */
const CHARGED = 'group_id in {groups:Array(String)} and not late';

type AmountsRow = { plays: number; impressions_thousandths: number; cost_micros: Micros };
type CampaignRow = AmountsRow & { group_id: string; campaign: Handle<'campaign'> };

export async function readCampaignSums(clickhouse: Clickhouse, groups: readonly string[]): Promise<CampaignSum[]> {
  const rows = await queryRows<CampaignRow>(clickhouse, {
    query: `select group_id, toInt64(p.campaign_handle) as campaign, ${AMOUNTS} from plays_raw as p where ${CHARGED}
      group by group_id, campaign`,
    query_params: { groups },
  });
  return rows.map(row => ({ groupId: row.group_id, campaign: handleOf('campaign', row.campaign), ...amountsOf(row) }));
}

type PlaceRow = AmountsRow & { paid: number; venue_id: string; screen_id: string; slot_s: number; measured: number };

/** @param payers of all campaigns that have plays in these groups */
export async function readPlaceSums(
  clickhouse: Clickhouse,
  groups: readonly string[],
  payers: readonly Payer[],
): Promise<PlaceSum[]> {
  const { kinds, numbers } = kindsOf(payers);
  const rows = await queryRows<PlaceRow>(clickhouse, {
    // The numbers are written out, since parameters go into the address of the call.
    query: `select transform(toInt64(p.campaign_handle), [${payers.map(payer => payer.campaign).join()}],
      [${numbers.join()}], -1) as paid, venue_id, screen_id,
        toUnixTimestamp(toStartOfInterval(slot_at, interval 15 minute, 'UTC')) as slot_s, toInt64(countIf(p.audience is not null)) as measured, ${AMOUNTS}
      from plays_raw as p where ${CHARGED} group by paid, venue_id, screen_id, slot_s`,
    query_params: { groups },
    clickhouse_settings: { max_query_size: String(QUERY_BYTES_MAX) },
  });
  return rows.map(row => ({
    ...kinds[row.paid]!,
    venue: parseId('venue', row.venue_id) ?? NO_HANDLE, // a venue without an owner
    screen: parseId('screen', row.screen_id) ?? NO_HANDLE,
    slotMs: row.slot_s * 1_000,
    isMeasured: row.measured > 0,
    ...amountsOf(row),
  }));
}

/** A round with a campaign per play, each with a handle of 16 digits and a number of six. */
const QUERY_BYTES_MAX = PLAYS_MAX * 24;

type Kind = Pick<PlaceSum, 'payer' | 'category' | 'currency' | 'sandbox'>;

/** The properties that distinguish plays besides their place, and for each payer the number of its kind. */
function kindsOf(payers: readonly Payer[]): { kinds: Kind[]; numbers: number[] } {
  const kinds: Kind[] = [];
  const known = new Map<string, number>();
  const numbers = payers.map(payer => {
    const { category, currency, sandbox } = payer;
    const alone = isCutByPlace(payer);
    const name = JSON.stringify([category, currency, sandbox, alone ? payer.campaign : 0]);
    const number = known.get(name) ?? kinds.length;
    if (number === kinds.length) kinds.push({ payer: alone ? payer : undefined, category, currency, sandbox });
    known.set(name, number);
    return number;
  });
  return { kinds, numbers };
}

const amountsOf = (row: AmountsRow): Amounts => ({
  plays: exact(row.plays),
  impressionsThousandths: exact(row.impressions_thousandths),
  grossMicros: exact(row.cost_micros),
});

function exact(number: number): number {
  if (!Number.isSafeInteger(number)) throw new RangeError(`a sum of ${number} is above 2^53`);
  return number;
}
