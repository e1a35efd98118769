/**
 * The plays behind earnings, newest first. Plays come from ClickHouse; what each of them earned follows from the
 * commission in the lines that settlement wrote to Postgres.
 */
import { earnedMicros } from '#domain/money/commission.ts';
import { formatId, NO_HANDLE, parseId, type Handle } from '#domain/id.ts';
import { playName } from '#domain/proof/invoice-proof.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { formatDate } from '#domain/time/calendar.ts';
import { localTime, zoneOffsetMinutes } from '#domain/screens/schedule.ts';
import type { PlayQueue } from '#ingest/queue/play-queue.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { readSettled } from '#sql/campaigns/settled-groups.ts';
import { nameCampaigns, nameScreens } from '#sql/names/names.ts';
import { readLines, type EarningLine } from '#sql/payouts/earned-plays.ts';
import type { EarnedDays } from '#sql/payouts/earned-sums.ts';
import { readZones } from '#sql/venues/rows.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';
import type { CsvTable } from '../formats/csv.ts';
import { envelope, type Page } from '../lists/paging.ts';
import { playedSql, zonesOfWorkspace } from './earned-days.ts';
import type { EarnedPlay, EarnedPlays } from './schema.ts';
import { payoutMoney } from '../payouts/schema.ts';
import type { Milliseconds } from '#domain/unit.ts';

type EarnedPlaysFilter = {
  days: EarnedDays;
  venue: Handle<'venue'> | undefined;
  screen: Handle<'screen'> | undefined;
  page: Page;
};
type Engines = { sql: Postgres; clickhouse: Clickhouse; playQueue: PlayQueue };
type PlayRow = {
  slot_ms: Milliseconds;
  campaign: Handle<'campaign'>;
  epoch: number;
  issue: number;
  screen_id: string;
  venue_id: string;
  late: boolean;
  impressions: number;
  cost: number;
  group_id: string;
  taken_out: boolean;
};

/** A position in the list: slot in ms, campaign, epoch and issue number. */
export const PLAY_POSITION = /^[0-9]{1,15} [0-9]{1,16} [0-9]{1,10} [0-9]{1,10}$/;

export async function listEarnedPlays(
  { sql, clickhouse, playQueue }: Engines,
  caller: Caller,
  { days, venue, screen, page }: EarnedPlaysFilter,
): Promise<EarnedPlays | Refusal> {
  const asOf = await playQueue.asOf(); // before the query, so that it promises no more than it saw
  const zones = await zonesOfWorkspace(sql, { workspace: caller.workspace, venue });
  if (isRefusal(zones)) return zones;
  const rows = await readPlays(clickhouse, { played: playedSql(zones, days), sandbox: caller.sandbox, screen, page });
  const facts = await readFacts(sql, caller, rows);
  const list = envelope(rows, page, {
    positionOf: row => `${row.slot_ms} ${row.campaign} ${row.epoch} ${row.issue}`,
    recordOf: row => playRecord(row, facts),
  });
  return { ...list, as_of: new Date(asOf).toISOString() };
}

async function readPlays(
  clickhouse: Clickhouse,
  {
    played,
    sandbox,
    screen,
    page,
  }: { played: string; sandbox: boolean; screen: Handle<'screen'> | undefined; page: Page },
): Promise<PlayRow[]> {
  const [ms = '', campaign = '', epoch = '', issue = ''] = page.after?.split(' ') ?? [];
  const [before, direction] = page.isDescending ? ['<', 'desc'] : ['>', 'asc'];
  const rows = await queryRows<Omit<PlayRow, 'epoch' | 'taken_out'> & { epoch_number: number; taken_out: number }>(
    clickhouse,
    {
      query: `select *, (campaign_id, slot_at, epoch, issue_number) in (select campaign_id, slot_at, epoch, issue_number
        from plays_taken_out where ${played}) as taken_out from (
        select toUnixTimestamp64Milli(slot_at) as slot_ms, toInt64(p.campaign_handle) as campaign,
          toInt64(p.epoch) as epoch_number, toInt64(p.issue_number) as issue, screen_id, venue_id, late,
          toInt64(p.impressions_thousandths) as impressions, toInt64(p.cost_micros) as cost, group_id, campaign_id,
            slot_at, epoch, issue_number
        from plays_raw as p where ${played} and sandbox = {sandbox:Bool}
          ${screen === undefined ? '' : 'and screen_id = {screen:String}'}
          ${
            page.after === undefined
              ? ''
              : `and (slot_at, campaign_handle, epoch, issue_number) ${before}
                  (fromUnixTimestamp64Milli({ms:Int64}, 'UTC'), {campaign:UInt64}, {epoch:UInt32}, {issue:UInt32})`
          }
        order by slot_at ${direction}, campaign_handle ${direction}, epoch ${direction}, issue_number ${direction}
        limit {rows:UInt32})
      order by slot_at ${direction}, campaign ${direction}, epoch ${direction}, issue_number ${direction}`,
      query_params: {
        sandbox,
        rows: page.limit + 1,
        ...(screen !== undefined && { screen: formatId('screen', screen) }),
        ...(page.after !== undefined && { ms, campaign, epoch, issue }),
      },
    },
  );
  return rows.map(row => ({ ...row, epoch: row.epoch_number, taken_out: row.taken_out === 1 }));
}

type Facts = {
  campaigns: ReadonlyMap<Handle<'campaign'>, { category: string; currency: string }>;
  settledAt: ReadonlyMap<string, Date>;
  labels: ReadonlyMap<Handle<'screen'>, string>;
  lines: readonly EarningLine[];
  dayOf: (row: PlayRow) => string;
};

async function readFacts(sql: Postgres, { sandbox }: Caller, rows: readonly PlayRow[]): Promise<Facts> {
  const [settledAt, zoneAt] = await Promise.all([
    readSettled(sql, [...new Set(rows.map(row => row.group_id))]),
    readZones(sql, [...new Set(rows.map(row => parseId('venue', row.venue_id)!))]),
  ]);
  // The day at settlement. It is not needed for unsettled plays.
  const dayOf = ({ venue_id: venue, slot_ms: ms, group_id: group }: PlayRow) => {
    const zone = zoneAt(parseId('venue', venue)!, settledAt.get(group) ?? new Date(ms))!;
    return formatDate(localTime(zoneOffsetMinutes(zone, ms), ms).day);
  };
  const screenOf = (row: PlayRow) => parseId('screen', row.screen_id) ?? NO_HANDLE;
  const placeOf = (row: PlayRow) => ({
    venue: parseId('venue', row.venue_id)!,
    day: dayOf(row),
    screen: screenOf(row),
  });
  const [campaigns, labels, lines] = await Promise.all([
    nameCampaigns(
      sql,
      rows.map(row => row.campaign),
    ),
    nameScreens(sql, rows.map(screenOf)),
    readLines(sql, sandbox, rows.map(placeOf)),
  ]);
  return { campaigns, settledAt, labels, lines, dayOf };
}

/** The commission with which a play was settled; undefined unless exactly one of the lines of that time applies. */
function commissionOf(row: PlayRow, { campaigns, settledAt, lines, dayOf }: Facts): EarningLine | undefined {
  const [campaign, at, day] = [campaigns.get(row.campaign), settledAt.get(row.group_id), dayOf(row)];
  if (campaign === undefined || at === undefined) return undefined;
  const found = lines.filter(
    line =>
      formatId('venue', line.venue) === row.venue_id &&
      formatId('screen', line.screen) === row.screen_id &&
      line.day === day &&
      line.currency === campaign.currency &&
      line.category === campaign.category &&
      line.first <= at &&
      at <= line.last,
  );
  return found.every(line => line.tier === found[0]!.tier && line.share === found[0]!.share) ? found[0] : undefined;
}

function stateOf(row: PlayRow, { settledAt }: Facts): EarnedPlay['state'] {
  if (row.late) return 'not_charged';
  if (row.taken_out) return 'taken_out';
  return settledAt.has(row.group_id) ? 'settled' : 'not_settled';
}

function playRecord(row: PlayRow, facts: Facts): EarnedPlay {
  const campaign = facts.campaigns.get(row.campaign);
  const currency = campaign?.currency ?? 'XXX'; // a campaign is never removed; ISO 4217 has this for no currency
  const state = stateOf(row, facts);
  const line = state === 'settled' ? commissionOf(row, facts) : undefined;
  return {
    play_id: playName({ campaign: row.campaign, epoch: row.epoch, issueNumber: row.issue }),
    starts_at: new Date(row.slot_ms).toISOString(),
    venue_id: row.venue_id,
    screen_id: row.screen_id,
    screen_label: facts.labels.get(parseId('screen', row.screen_id) ?? NO_HANDLE) ?? null,
    category: campaign?.category ?? null,
    state,
    impressions: row.late ? 0 : row.impressions / 1_000,
    price: payoutMoney(row.cost, currency),
    commission_tier: line?.tier ?? null,
    commission_rate: line ? line.share / 1_000_000 : null,
    earnings: line
      ? payoutMoney(earnedMicros(row.cost, { tier: line.tier, shareMillionths: line.share }), currency)
      : null,
  };
}

/** A page of plays as a table; the cursor of the next page is in a header. */
export function earnedPlaysTable({ data, as_of, next_cursor }: EarnedPlays): CsvTable {
  return {
    name: 'earned-plays',
    columns: [
      'play_id',
      'starts_at',
      'venue_id',
      'screen_id',
      'category',
      'state',
      'impressions',
      'price',
      'currency',
      'commission_tier',
      'commission_rate',
      'earnings',
    ],
    rows: data.map(play => [
      play.play_id,
      play.starts_at,
      play.venue_id,
      play.screen_id,
      play.category ?? '',
      play.state,
      play.impressions,
      play.price.value,
      play.price.currency,
      play.commission_tier ?? '',
      play.commission_rate ?? '',
      play.earnings?.value ?? '',
    ]),
    headers: { 'x-as-of': as_of, ...(next_cursor !== null && { 'x-next-cursor': next_cursor }) },
  };
}
