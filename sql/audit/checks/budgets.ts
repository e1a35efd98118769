/**
 * For every campaign, handed = free + open + in doubt + spent + returned, none of them is below zero, and the spend is
 * at most the budget. The check also compares the authority in Redis with Postgres: Postgres records first what it
 * hands to the authority, so the authority never knows of more; and plays are spent before they are charged and before
 * they have rows. Rows that are past their retention are no longer in that sum.
 */
import type { Handle } from '#domain/id.ts';
import { inPipelines } from '#authority/shard-calls.ts';
import { findLasting, rowsOf, type Findings, type VerifyDependencies } from './findings.ts';
import type { Micros } from '#domain/unit.ts';

const CAMPAIGNS_AT_ONCE = 1_000;

type Difference = { campaign: Handle<'campaign'>; rule: string; detail: string };
type Before = { handle: Handle<'campaign'>; charged_micros: Micros };
type After = {
  handle: Handle<'campaign'>;
  budget_micros: Micros;
  handed_micros: Micros;
  take_back_micros: Micros;
  returned_micros: Micros;
};

export async function checkBudgets(dependencies: VerifyDependencies, findings: Findings): Promise<void> {
  const differences = await findLasting<Difference>(
    async before => {
      if (before) return comparePage(dependencies, [...new Set(before.map(({ campaign }) => campaign))]);
      return compareAll(dependencies);
    },
    ({ campaign, rule }) => `${campaign} ${rule}`,
  );
  for (const { campaign, detail } of differences) findings.add({ invariant: 'budgets', campaign, detail });
}

async function compareAll(dependencies: VerifyDependencies): Promise<Difference[]> {
  const differences: Difference[] = [];
  let last = 0;
  for (;;) {
    const rows = await dependencies.sql<{ handle: Handle<'campaign'> }[]>`
      select handle from campaigns where handle > ${last} order by handle limit ${CAMPAIGNS_AT_ONCE}`;
    if (rows.length === 0) return differences;
    last = rows.at(-1)!.handle;
    differences.push(
      ...(await comparePage(
        dependencies,
        rows.map(row => row.handle),
      )),
    );
  }
}

async function comparePage(
  { sql, clickhouse, redis }: VerifyDependencies,
  campaigns: readonly Handle<'campaign'>[],
): Promise<Difference[]> {
  const charged = await sql<Before[]>`
    select handle, charged_micros from campaigns where handle = any(${[...campaigns]}::bigint[])`;
  const costs = await rowsOf<{ campaign: Handle<'campaign'>; cost: number }>(
    clickhouse,
    `select toInt64(campaign_handle) as campaign, toInt64(sum(cost_micros)) as cost from plays_raw
      where campaign_handle in (${campaigns.join(',')}) group by campaign`,
  );
  const amounts = await inPipelines<Before, Record<string, string>>(redis, charged, {
    handleOf: ({ handle }) => handle,
    send: (pipeline, keys, { handle }) => pipeline.hgetall(keys.amounts(handle)),
  });
  const after = new Map(
    (
      await sql<After[]>`
    select handle, budget_micros, handed_micros, take_back_micros, returned_micros from campaigns
    where handle = any(${[...campaigns]}::bigint[])`
    ).map(row => [row.handle, row]),
  );
  const costOf = new Map(costs.map(row => [row.campaign, row.cost]));
  return charged.flatMap(({ handle, charged_micros: chargedMicros }, index) =>
    faultsOf(amounts[index]!, { ...after.get(handle)!, chargedMicros, costMicros: costOf.get(handle) ?? 0 }).map(
      fault => ({ campaign: handle, ...fault }),
    ),
  );
}

function faultsOf(
  fields: Record<string, string>,
  row: After & { chargedMicros: Micros; costMicros: Micros },
): { rule: string; detail: string }[] {
  const sumOf = (prefix: string) =>
    Object.entries(fields).reduce((sum, [field, value]) => sum + (field.startsWith(prefix) ? Number(value) : 0), 0);
  const [handed, free, spent, returned] = ['handed', 'free', 'spent', 'returned'].map(field =>
    Number(fields[field] ?? 0),
  ) as [number, number, number, number];
  const [open, inDoubt] = [sumOf('open:'), sumOf('doubt:')];
  const below = Object.entries(fields)
    .filter(
      ([field, value]) => /^(handed|free|spent|returned|open:|doubt:|named:|planned)/.test(field) && Number(value) < 0,
    )
    .map(([field]) => field);
  const rules: Record<string, [holds: boolean, detail: string]> = {
    sum: [
      handed === free + open + inDoubt + spent + returned,
      `handed ${handed} is not free ${free} + open ${open} + in doubt ${inDoubt} + spent ${spent} + returned ${returned}`,
    ],
    sign: [below.length === 0, `${below.join(', ')} below zero`],
    budget: [spent <= row.budget_micros, `spent ${spent} of a budget of ${row.budget_micros}`],
    handed: [handed <= row.handed_micros, `the authority was handed ${handed}, Postgres handed ${row.handed_micros}`],
    returned: [
      returned <= row.take_back_micros,
      `the authority returned ${returned}, Postgres asked for ${row.take_back_micros}`,
    ],
    charged: [row.chargedMicros <= spent, `was charged ${row.chargedMicros}, the authority spent ${spent}`],
    rows: [row.costMicros <= spent, `has rows of ${row.costMicros}, the authority spent ${spent}`],
  };
  return Object.entries(rules).flatMap(([rule, [holds, detail]]) => (holds ? [] : [{ rule, detail }]));
}
