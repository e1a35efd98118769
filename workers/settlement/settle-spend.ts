/**
 * Turns counted plays into charges, group by group: the sums come from ClickHouse, and the record that a group is
 * settled, its charges, the campaigns' totals, the venues' earnings, the agencies' discounts and the ledger are one
 * Postgres transaction. A group's row in settled_groups is unique, so a group that is read again (after a crash before
 * Redis was told, or by a second worker) adds nothing.
 */
import type { Handle } from '#domain/id.ts';
import { charge } from '#domain/money/ledger.ts';
import { zoneOffsetMinutes } from '#domain/screens/schedule.ts';
import { faultPoint } from '#runtime/fault.ts';
import { counter } from '#runtime/metrics.ts';
import type { LedgerEntry } from '#books/ledger.ts';
import { inUnitOfWork, SYSTEM_ACTOR, type Unit } from '#books/unit-of-work.ts';
import { recordEarnings } from './earnings.ts';
import type { JobContext } from '../schedule.ts';
import { recordSpend } from './spend-records.ts';
import { boundGroups, readSpendSums, type SettledSum, type SpendSum } from './spend-sums.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

const GROUPS_MAX = 200;

const settledMicros = counter({ name: 'workers_settled_micros_total', help: 'Charges in micro-units, all currencies' });

type Payer = {
  handle: Handle<'campaign'>;
  workspace: Handle<'workspace'>;
  category: string;
  currency: string;
  sandbox: boolean;
  isDiscounted: boolean;
};

/** Settles the oldest complete groups. Answers how many there were. */
export async function settleSpend({ sql, clickhouse, playGroups, now }: JobContext): Promise<number> {
  const groups = await boundGroups(clickhouse, await playGroups.unsettled(GROUPS_MAX));
  if (groups.length === 0) return 0;
  const sums = await readSpendSums(clickhouse, groups);
  const settled = await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: now() }, unit =>
    settleGroups(unit, groups, sums),
  );
  settledMicros.inc(settled);
  faultPoint('workers.after_settle_commit');
  await playGroups.markSettled(groups);
  return groups.length;
}

async function settleGroups(unit: Unit, groups: readonly string[], sums: readonly SpendSum[]): Promise<number> {
  const { tx, now } = unit;
  const fresh = await tx<{ group_id: string }[]>`
    insert into settled_groups ${tx(groups.map(group => ({ group_id: group, settled_at: now })))} on conflict do nothing returning group_id`;
  const names = new Set(fresh.map(row => row.group_id));
  const due = sums.filter(sum => names.has(sum.groupId));
  if (due.length === 0) return 0;
  // Groups are settled once, so the first of this run names the run for ever.
  const run = fresh[0]!.group_id;
  await addCharges(tx, due);
  const settled = await placeSums(tx, due, await lockPayers(tx, due));
  const charges = await chargeCampaigns(tx, settled, run);
  const discounts = await recordSpend(unit, settled, run);
  const earnings = await recordEarnings(unit, settled, run);
  await unit.postAll([...charges, ...discounts, ...earnings]);
  return due.reduce((sum, { grossMicros }) => sum + grossMicros, 0);
}

async function addCharges(tx: Unit['tx'], sums: readonly SpendSum[]): Promise<void> {
  const column = <T>(pick: (sum: SpendSum) => T) => sums.map(pick);
  await tx`
    insert into charges (group_id, campaign_handle, plays, impressions_thousandths, amount_micros)
    select group_id, campaign, sum(plays), sum(impressions), sum(gross) from unnest(${column(s => s.groupId)}::text[], ${column(s => s.campaign)}::bigint[], ${column(s => s.plays)}::bigint[],
      ${column(s => s.impressionsThousandths)}::bigint[], ${column(s => s.grossMicros)}::bigint[]) as s (group_id, campaign, plays, impressions, gross) group by group_id, campaign`;
}

/** Locks the campaigns in the order of their handles, so that two transactions never wait for each other. */
async function lockPayers(tx: Unit['tx'], sums: readonly SpendSum[]): Promise<Map<Handle<'campaign'>, Payer>> {
  const rows = await tx<Payer[]>`
    select c.handle, c.workspace_handle as workspace, c.category, c.currency, c.sandbox, w.kind = 'agency' or w.parent_handle is not null as "isDiscounted"
    from campaigns c join workspaces w on w.handle = c.workspace_handle where c.handle in ${tx([...new Set(sums.map(sum => sum.campaign))])} order by c.handle for update of c`;
  return new Map(rows.map(row => [row.handle, row]));
}

/**
 * The sums with their payers and the zones of their venues, in the order of payers, as the rows of months are locked.
 */
async function placeSums(
  tx: Unit['tx'],
  sums: readonly SpendSum[],
  payers: ReadonlyMap<Handle<'campaign'>, Payer>,
): Promise<SettledSum[]> {
  const venues = await tx<
    { handle: Handle<'venue'>; timezone: string }[]
  >`select handle, timezone from venues where handle in ${tx([...new Set(sums.map(sum => sum.venue))])}`;
  const zones = new Map(venues.map(venue => [venue.handle, venue.timezone]));
  const offsets = new Map<string, number>();
  const offsetOf = (zone: string, atMs: Milliseconds): number => {
    const key = `${zone} ${atMs}`;
    const offset = offsets.get(key) ?? zoneOffsetMinutes(zone, atMs);
    offsets.set(key, offset);
    return offset;
  };
  return sums
    .map(sum => {
      const payer = payers.get(sum.campaign);
      if (!payer) throw new Error(`plays of campaign ${sum.campaign}, which does not exist, were counted`);
      const { workspace, category, currency, sandbox, isDiscounted } = payer;
      const zone = zones.get(sum.venue);
      return {
        ...sum,
        workspace,
        category,
        currency,
        sandbox,
        isDiscounted,
        knownVenue: zone === undefined ? null : sum.venue,
        offsetMinutes: zone === undefined ? 0 : offsetOf(zone, sum.slotMs),
      };
    })
    .sort((a, b) => a.workspace - b.workspace || Number(a.sandbox) - Number(b.sandbox) || a.campaign - b.campaign);
}

type CampaignTotal = {
  campaign: Handle<'campaign'>;
  workspace: Handle<'workspace'>;
  currency: string;
  sandbox: boolean;
  plays: number;
  amountMicros: Micros;
};

/** Adds to the campaigns' totals and answers the charges' postings. */
async function chargeCampaigns(tx: Unit['tx'], sums: readonly SettledSum[], run: string): Promise<LedgerEntry[]> {
  const totals = new Map<Handle<'campaign'>, CampaignTotal>();
  for (const { campaign, workspace, currency, sandbox, plays, grossMicros } of sums) {
    const total = totals.get(campaign) ?? { campaign, workspace, currency, sandbox, plays: 0, amountMicros: 0 };
    total.plays += plays;
    total.amountMicros += grossMicros;
    totals.set(campaign, total);
  }
  const rows = [...totals.values()];
  await tx`
    update campaigns set charged_micros = charged_micros + t.amount, charged_plays = charged_plays + t.plays
    from unnest(${rows.map(row => row.campaign)}::bigint[], ${rows.map(row => row.amountMicros)}::bigint[], ${rows.map(row => row.plays)}::bigint[]) as t (campaign, amount, plays)
    where handle = t.campaign`;
  return rows
    .filter(row => row.amountMicros > 0)
    .map(({ campaign, workspace, currency, sandbox, amountMicros }) =>
      charge({
        book: sandbox ? 'sandbox' : 'live',
        currency,
        workspace,
        campaign,
        amountMicros,
        reference: `charge:${run}:${campaign}`,
      }),
    );
}
