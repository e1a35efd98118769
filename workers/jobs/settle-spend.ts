import { charge } from '#domain/ledger.ts';
import { faultPoint } from '#runtime/fault.ts';
import { counter } from '#runtime/metrics.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { inUnitOfWork, SYSTEM_ACTOR, type Unit } from '#sql/unit-of-work.ts';
import type { JobContext } from '../schedule.ts';

/**
 * Turns counted plays into charges, group by group: the sums come from ClickHouse, and the record that a group is settled,
 * its charges, the campaigns' totals and the ledger are one Postgres transaction. A group's row in settled_groups is unique,
 * so a group that is met again (a crash before Redis was told, a second worker) adds nothing.
 */
const GROUPS_MAX = 200;

const settledMicros = counter({ name: 'workers_settled_micros_total', help: 'Charges in micro-units, all currencies' });

type GroupSum = { group_id: string; campaign_handle: number; plays: number; impressions_thousandths: number; amount_micros: number };
type Total = { campaign: number; plays: number; amountMicros: number };
type Payer = { handle: number; workspace_handle: number; currency: string; sandbox: boolean };

/** Settles the oldest complete groups. Answers how many there were. */
export async function settleSpend({ sql, clickhouse, intake, now }: JobContext): Promise<number> {
  const groups = await intake.groupsDone(GROUPS_MAX);
  if (groups.length === 0) return 0;
  const sums = await readSums(clickhouse, groups);
  const settled = await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: now() }, unit => chargeGroups(unit, groups, sums));
  settledMicros.inc(settled);
  faultPoint('workers.after_settle_commit');
  await intake.groupsSettled(groups);
  return groups.length;
}

async function readSums(clickhouse: Clickhouse, groups: readonly string[]): Promise<GroupSum[]> {
  const result = await clickhouse.query({
    query: `select group_id, toInt64(p.campaign_handle) as campaign_handle, toInt64(count()) as plays,
        toInt64(sum(p.impressions_thousandths)) as impressions_thousandths, toInt64(sum(p.cost_micros)) as amount_micros
      from plays_raw as p where group_id in {groups:Array(String)} and not late group by group_id, campaign_handle`,
    query_params: { groups },
    format: 'JSONEachRow',
  });
  return (await result.json<Record<keyof GroupSum, string | number>>()).map(row => ({
    group_id: String(row.group_id),
    campaign_handle: exact(row.campaign_handle),
    plays: exact(row.plays),
    impressions_thousandths: exact(row.impressions_thousandths),
    amount_micros: exact(row.amount_micros),
  }));
}

function exact(value: string | number): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`a sum of ${value} is above 2^53`);
  return number;
}

async function chargeGroups({ tx, now, post }: Unit, groups: readonly string[], sums: readonly GroupSum[]): Promise<number> {
  const fresh = await tx<{ group_id: string }[]>`
    insert into settled_groups ${tx(groups.map(group => ({ group_id: group, settled_at: now })))} on conflict do nothing returning group_id`;
  const names = new Set(fresh.map(row => row.group_id));
  const due = sums.filter(sum => names.has(sum.group_id));
  if (due.length === 0) return 0;
  await tx`insert into charges ${tx(due.map(({ group_id, campaign_handle, plays, impressions_thousandths, amount_micros }) =>
    ({ group_id, campaign_handle, plays, impressions_thousandths, amount_micros })))}`;
  const totals = totalsOf(due);
  const payers = await lockPayers(tx, totals);
  // Groups are settled once, so the first of this run names the run for ever.
  const run = fresh[0]!.group_id;
  for (const { campaign, plays, amountMicros } of totals) {
    const payer = payers.get(campaign);
    if (!payer) throw new Error(`plays of campaign ${campaign}, which does not exist, were counted`);
    await tx`update campaigns set charged_micros = charged_micros + ${amountMicros}, charged_plays = charged_plays + ${plays} where handle = ${campaign}`;
    if (amountMicros === 0) continue;
    await post(charge({
      book: payer.sandbox ? 'sandbox' : 'live', currency: payer.currency, workspace: payer.workspace_handle, campaign, amountMicros,
      reference: `charge:${run}:${campaign}`,
    }));
  }
  return totals.reduce((sum, total) => sum + total.amountMicros, 0);
}

function totalsOf(sums: readonly GroupSum[]): Total[] {
  const totals = new Map<number, Total>();
  for (const { campaign_handle: campaign, plays, amount_micros } of sums) {
    const total = totals.get(campaign) ?? { campaign, plays: 0, amountMicros: 0 };
    total.plays += plays;
    total.amountMicros += amount_micros;
    totals.set(campaign, total);
  }
  return [...totals.values()].sort((a, b) => a.campaign - b.campaign);
}

/** Locks the campaigns in the order of their handles, so that two transactions never wait for each other. */
async function lockPayers(tx: Unit['tx'], totals: readonly Total[]): Promise<Map<number, Payer>> {
  const rows = await tx<Payer[]>`
    select handle, workspace_handle, currency, sandbox from campaigns where handle in ${tx(totals.map(total => total.campaign))} order by handle for update`;
  return new Map(rows.map(row => [row.handle, row]));
}
