/**
 * The charges in Postgres are those that follow from the rows of ClickHouse, as far as groups were settled. First they
 * are compared by campaign, over all time: what was charged is at least the sum over the rows of groups that were
 * certainly settled, and at most the sum over all rows. Months whose raw rows were dropped count with their rollup,
 * which was compared with those rows before. Then they are compared by group, to the micro-unit, for the groups that
 * were settled in the last two hours, so that hourly runs see each group.
 */
import { NO_HANDLE, type Handle } from '#domain/id.ts';
import type { Postgres } from '#sql/postgres.ts';
import { rawKeptFrom } from '../raw-retention.ts';
import {
  clickhouseNow,
  findLasting,
  groupsUnderWay,
  rowsOf,
  textList,
  type Findings,
  type VerifyDependencies,
} from './findings.ts';

const GROUPS_AT_ONCE = 1_000;
const RECENT_MS = 2 * 3_600_000;

type Sums = { plays: number; impressions: number; amount: number };
type Difference = { campaign: Handle<'campaign'>; line: keyof Sums; detail: string };
const LINES = ['plays', 'impressions', 'amount'] as const;

export async function checkCharges(dependencies: VerifyDependencies, findings: Findings): Promise<void> {
  for (const { campaign, detail } of await findLasting(
    () => compareCampaigns(dependencies),
    found => `${found.campaign} ${found.line}`,
  ))
    findings.add({ invariant: 'charges', campaign, detail });
  for (const { campaign, detail } of await compareRecentGroups(dependencies))
    findings.add({ invariant: 'charges', campaign, detail });
}

async function compareCampaigns(dependencies: VerifyDependencies): Promise<Difference[]> {
  const { sql, clickhouse, redis, streams } = dependencies;
  const now = await clickhouseNow(clickhouse);
  // Read after the time: a group with rows from before it is one of these, or was settled already.
  const open = [
    ...(await groupsUnderWay(dependencies)),
    ...(await Promise.all(streams.map(({ unsettled }) => redis.zrange(unsettled, 0, -1)))).flat(),
  ];
  const { charged, settled } = await readCharges(sql, open);
  const keptFrom = await rawKeptFrom(sql);
  const gone = await readGone(dependencies, keptFrom);
  const openStill = open.filter(group => !settled.has(group));
  const rows = await rowsOf<
    { campaign: Handle<'campaign'> } & Record<`least_${keyof Sums}` | `most_${keyof Sums}`, number>
  >(
    clickhouse,
    `
    select toInt64(campaign_handle) as campaign, ${Object.entries(COUNTED)
      .map(([name, sum]) => `toInt64(sumIf(${sum}, is_settled)) as least_${name}, toInt64(sum(${sum})) as most_${name}`)
      .join(', ')}
    from (select campaign_handle, impressions_thousandths, cost_micros, inserted_at < toDateTime64('${now}', 3, 'UTC')
      and group_id not in ${textList(openStill)} as is_settled from plays_raw
      where not late and toYYYYMM(slot_at) >= ${keptFrom}) as p group by campaign`,
  );
  const rowOf = new Map(rows.map(row => [row.campaign, row]));
  return [...new Set([...charged.keys(), ...rowOf.keys(), ...gone.keys()])].flatMap(campaign =>
    LINES.flatMap(line => {
      const found = charged.get(campaign)?.[line] ?? 0;
      const before = gone.get(campaign)?.[line] ?? 0;
      const [least, most] = [
        before + (rowOf.get(campaign)?.[`least_${line}`] ?? 0),
        before + (rowOf.get(campaign)?.[`most_${line}`] ?? 0),
      ];
      return found < least || found > most
        ? [
            {
              campaign,
              line,
              detail: `was charged ${line} ${found}, its rows say ${least === most ? least : `${least} to ${most}`}`,
            },
          ]
        : [];
    }),
  );
}

const COUNTED: Record<keyof Sums, string> = {
  plays: 'toUInt64(1)',
  impressions: 'p.impressions_thousandths',
  amount: 'p.cost_micros',
};

/**
 * The sums of campaigns in the months whose raw rows were dropped, all of which were settled long ago. Rows of no
 * campaign are under 0, which was never charged.
 */
async function readGone(
  { clickhouse, handleOf }: VerifyDependencies,
  keptFrom: number,
): Promise<Map<Handle<'campaign'>, Sums>> {
  const rows = await rowsOf<{ campaign_id: string } & Sums>(
    clickhouse,
    `
    select campaign_id, toInt64(sum(r.plays)) as plays, toInt64(sum(r.impressions_thousandths)) as impressions,
      toInt64(sum(r.cost_micros)) as amount
    from plays_campaign_quarter_hour as r where toYYYYMM(bucket) < ${keptFrom} group by campaign_id`,
  );
  return new Map(rows.map(({ campaign_id, ...sums }) => [handleOf(campaign_id) ?? NO_HANDLE, sums]));
}

/** The charges of each campaign, and which of these groups they include, in one snapshot. */
async function readCharges(
  sql: Postgres,
  groups: readonly string[],
): Promise<{ charged: Map<Handle<'campaign'>, Sums>; settled: Set<string> }> {
  const [rows, settled] = await sql.begin(
    'isolation level repeatable read read only',
    async tx =>
      [
        await tx<({ campaign: Handle<'campaign'> } & Sums)[]>`
      select campaign_handle as campaign, sum(plays)::bigint as plays,
        sum(impressions_thousandths)::bigint as impressions, sum(amount_micros)::bigint as amount from charges
      group by campaign_handle`,
        await tx<{ group_id: string }[]>`select group_id from settled_groups where group_id = any(${[...groups]})`,
      ] as const,
  );
  return {
    charged: new Map(rows.map(({ campaign, ...sums }) => [campaign, sums])),
    settled: new Set(settled.map(row => row.group_id)),
  };
}

async function compareRecentGroups({ sql, clickhouse }: VerifyDependencies): Promise<Difference[]> {
  const differences: Difference[] = [];
  let after = '';
  for (;;) {
    const groups = await sql<{ group_id: string }[]>`
      select group_id from settled_groups where settled_at > now() - make_interval(secs => ${RECENT_MS / 1_000})
        and group_id > ${after} order by group_id limit ${GROUPS_AT_ONCE}`;
    if (groups.length === 0) return differences;
    const names = groups.map(row => row.group_id);
    after = names.at(-1)!;
    const charges = await sql<GroupSums[]>`
      select group_id, campaign_handle as campaign, plays, impressions_thousandths as impressions,
        amount_micros as amount from charges where group_id = any(${names})`;
    const rows = await rowsOf<GroupSums>(
      clickhouse,
      `
      select group_id, toInt64(campaign_handle) as campaign, ${Object.entries(COUNTED)
        .map(([name, sum]) => `toInt64(sum(${sum})) as ${name}`)
        .join(', ')}
      from plays_raw as p where group_id in ${textList(names)} and not late group by group_id, campaign`,
    );
    differences.push(...compareGroups(charges, rows));
  }
}

type GroupSums = { group_id: string; campaign: Handle<'campaign'> } & Sums;

function compareGroups(charges: readonly GroupSums[], rows: readonly GroupSums[]): Difference[] {
  const nameOf = ({ group_id, campaign }: GroupSums) => `${group_id} ${campaign}`;
  const [chargeOf, rowOf] = [
    new Map(charges.map(sums => [nameOf(sums), sums])),
    new Map(rows.map(sums => [nameOf(sums), sums])),
  ];
  return [...new Map([...chargeOf, ...rowOf]).values()].flatMap(sums => {
    const [charge, row] = [chargeOf.get(nameOf(sums)), rowOf.get(nameOf(sums))];
    const wrong = LINES.find(line => (charge?.[line] ?? 0) !== (row?.[line] ?? 0));
    return wrong === undefined
      ? []
      : [
          {
            campaign: sums.campaign,
            line: wrong,
            detail: `group ${sums.group_id} was charged ${wrong} ${charge?.[wrong] ?? 0}, its rows say ${row?.[wrong] ?? 0}`,
          },
        ];
  });
}
