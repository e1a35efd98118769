/**
 * Turns counted plays into charges, group by group: the sums come from ClickHouse, and the record that a group is
 * settled, its charges, the campaigns' totals, the venues' earnings, the agencies' discounts and the ledger are one
 * Postgres transaction. A group's row in settled_groups is unique, so a group that is read again (after a crash before
 * the Redis call, or by a second worker) adds nothing.
 */
import type { Handle } from '#domain/id.ts';
import { bookOf, charge } from '#domain/money/ledger.ts';
import { zoneOffsetMinutes } from '#domain/screens/schedule.ts';
import { faultPoint } from '#runtime/fault.ts';
import { counter } from '#runtime/metrics.ts';
import type { LedgerTransaction } from '#domain/money/ledger.ts';
import { addSettled, readSettled } from '#sql/campaigns/settled-groups.ts';
import { addCharged, addCharges, lockCampaigns, readPayers, type Payer } from '#sql/campaigns/spend.ts';
import { nameVenues } from '#sql/names/names.ts';
import { inUnitOfWork, Rollback, SYSTEM_ACTOR, type Unit } from '#books/unit-of-work.ts';
import { recordEarnings, type EarningSum } from './earnings.ts';
import type { Job, JobContext } from '../schedule.ts';
import { recordSpend, type SpendPart } from './spend-records.ts';
import {
  boundGroups,
  isCutByPlace,
  readCampaignSums,
  readPlaceSums,
  type Amounts,
  type CampaignSum,
  type PlaceSum,
} from './spend-sums.ts';
import type { Milliseconds } from '#domain/unit.ts';

const GROUPS_MAX = 200;

const settledMicros = counter({ name: 'workers_settled_micros_total', help: 'Charges in micro-units, all currencies' });

/** The groups of a round, their sums, and the payers. */
type Round = {
  groups: readonly string[];
  sums: readonly CampaignSum[];
  payers: readonly Payer[];
  places: readonly PlaceSum[];
};
type Total = Payer & Amounts;

/** Half a second keeps wallets as fresh as reports, at two small transactions a second. */
const EVERY_MS = 500;
/**
 * A round writes a row for each of its campaigns and screens, however many plays they have. So after a long round the
 * next one waits and takes more groups together, and settlement uses at most a fifth of its process's time, unless the
 * backlog grows.
 */
const REST_ROUNDS = 4;
const REST_MS_MAX = 2_000;
const WAITING_MANY = 10;

export const settleSpendJob: Job = {
  name: 'settle-spend',
  everyMs: EVERY_MS,
  lock: 3,
  hasWork: async ({ playGroups }) => (await playGroups.unsettled(1)).length > 0,
  restMs: ({ tookMs, did }) =>
    did >= WAITING_MANY ? 0 : Math.max(EVERY_MS, Math.min(REST_ROUNDS * tookMs, REST_MS_MAX)),
  run: settleSpend,
};

/** Settles the oldest complete groups. Returns how many there were. */
export async function settleSpend({ sql, clickhouse, playGroups, now }: JobContext): Promise<number> {
  const groups = await boundGroups(clickhouse, await playGroups.unsettled(GROUPS_MAX));
  if (groups.length === 0) return 0;
  // A crash before the Redis call leaves settled groups on its list.
  const before = await readSettled(sql, groups);
  const due = groups.filter(group => !before.has(group));
  if (due.length > 0) {
    const sums = await readCampaignSums(clickhouse, due);
    const payers = await readPayers(sql, sums);
    const places = sums.length === 0 ? [] : await readPlaceSums(clickhouse, due, payers);
    const settled = await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: now() }, unit =>
      settleGroups(unit, { groups: due, sums, payers, places }),
    ).catch(settledMeanwhile);
    if (settled === undefined) return 0;
    settledMicros.inc(settled);
    faultPoint('workers.after_settle_commit');
  }
  await playGroups.markSettled(groups);
  return groups.length;
}

/** Nothing was written then. @throws any other error */
function settledMeanwhile(error: unknown): undefined {
  if (!(error instanceof Rollback)) throw error;
}

async function settleGroups(unit: Unit, { groups, sums, payers, places }: Round): Promise<number> {
  const { tx } = unit;
  const fresh = await addSettled(unit, groups);
  // Another process has settled some of them since, and the sums include all: the next round reads them again.
  if (fresh.length < groups.length) throw new Rollback(undefined);
  if (sums.length === 0) return 0;
  // Groups are settled once, so the first of this run names the run permanently.
  const run = fresh[0]!;
  await lockCampaigns(
    tx,
    payers.map(({ campaign }) => campaign),
  );
  const totals = totalsOf(sums, payers);
  const placed = await withZones(tx, places);
  await addCharged(tx, totals);
  const { discounts, invoiceMonths } = await recordSpend(unit, partsOf(totals, placed), run);
  await addCharges(tx, sums, invoiceMonths);
  const earnings = await recordEarnings(unit, placed, run);
  await unit.postAll([...chargesOf(totals, run), ...discounts, ...earnings]);
  return totals.reduce((sum, { grossMicros }) => sum + grossMicros, 0);
}

/** By campaign, in the order of payers, as the rows of months are locked. */
function totalsOf(sums: readonly CampaignSum[], payers: readonly Payer[]): Total[] {
  const totals = new Map(payers.map(payer => [payer.campaign, { ...payer, ...NO_PLAYS }]));
  for (const sum of sums) {
    const total = totals.get(sum.campaign)!; // readPayers has refused others
    total.plays += sum.plays;
    total.impressionsThousandths += sum.impressionsThousandths;
    total.grossMicros += sum.grossMicros;
  }
  return [...totals.values()].sort(
    (a, b) => a.workspace - b.workspace || Number(a.sandbox) - Number(b.sandbox) || a.campaign - b.campaign,
  );
}

const NO_PLAYS: Amounts = { plays: 0, impressionsThousandths: 0, grossMicros: 0 };

/** A sum by place with the zone of its venue; `knownVenue` is null for an unknown venue. */
type ZonedSum = EarningSum & { knownVenue: Handle<'venue'> | null };

async function withZones(tx: Unit['tx'], places: readonly PlaceSum[]): Promise<ZonedSum[]> {
  const venues = await nameVenues(
    tx,
    places.map(({ venue }) => venue),
  );
  const offsets = new Map<string, number>();
  const offsetOf = (zone: string, atMs: Milliseconds): number => {
    const key = `${zone} ${atMs}`;
    const offset = offsets.get(key) ?? zoneOffsetMinutes(zone, atMs);
    offsets.set(key, offset);
    return offset;
  };
  return places.map(sum => {
    const zone = venues.get(sum.venue)?.timezone;
    return {
      ...sum,
      knownVenue: zone === undefined ? null : sum.venue,
      offsetMinutes: zone === undefined ? 0 : offsetOf(zone, sum.slotMs),
    };
  });
}

/** The charges of campaigns: as a whole, or by place if that matters for months and discounts. */
function partsOf(totals: readonly Total[], places: readonly ZonedSum[]): SpendPart[] {
  const byCampaign = new Map<Handle<'campaign'>, SpendPart[]>();
  for (const { payer, slotMs, knownVenue, offsetMinutes, plays, impressionsThousandths, grossMicros } of places) {
    if (payer === undefined) continue;
    const amounts = { plays, impressionsThousandths, grossMicros };
    const part = { ...payer, ...amounts, place: { slotMs, venue: knownVenue, offsetMinutes } };
    const parts = byCampaign.get(payer.campaign);
    if (parts) parts.push(part);
    else byCampaign.set(payer.campaign, [part]);
  }
  return totals.flatMap(total => (isCutByPlace(total) ? byCampaign.get(total.campaign)! : [{ ...total }]));
}

function chargesOf(totals: readonly Total[], run: string): LedgerTransaction[] {
  return totals
    .filter(row => row.grossMicros > 0)
    .map(({ campaign, workspace, currency, sandbox, grossMicros }) =>
      charge({
        book: bookOf({ sandbox }),
        currency,
        workspace,
        campaign,
        amountMicros: grossMicros,
        reference: `charge:${run}:${campaign}`,
      }),
    );
}
