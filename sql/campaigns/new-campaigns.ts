/**
 * Writes new campaigns: one statement, which locks their creatives, writes rows, money, audit log, events and replies,
 * and commits. It writes nothing if one of the creatives has changed since it was read, so that no creative is detached
 * before the campaign that names it is written.
 */
import type { NewPlan } from '#domain/campaigns/changes/plan-new.ts';
import type { NamedCreative } from '#domain/campaigns/changes/refuse-change.ts';
import type { Handle } from '#domain/id.ts';
import { writeUnits, type Owner, type PlannedUnit } from '#books/unit-of-work.ts';
import { jsonb, type Postgres } from '#sql/postgres.ts';
import { storedNames, type StoredColumns } from './write-plan.ts';

/**
 * How long a statement of several campaigns waits for a lock. A settlement that holds the wallet of one workspace must
 * not hold up the campaigns of others: after this time each campaign is written alone, and only those of that workspace
 * wait.
 */
const SHARED_LOCK_WAIT = '100ms';

/** What a new campaign relies on. */
export type CampaignParties = {
  handle: Handle<'campaign'>;
  /** The creatives of the request that exist and may be bound to it. */
  creatives: readonly NamedCreative[];
  /** Whether the workspace's agency wants to approve its campaigns. */
  isApproved: boolean;
};
export type PartiesKey = Owner & { creatives: readonly Handle<'creative'>[] };
type CreativeRow = NamedCreative & Owner;

/** Reads what these new campaigns rely on, and reserves their handles. */
export async function readParties(
  sql: Postgres,
  keys: readonly PartiesKey[],
): Promise<ReadonlyMap<PartiesKey, CampaignParties>> {
  const creatives = [...new Set(keys.flatMap(key => key.creatives))];
  const workspaces = [...new Set(keys.map(key => key.workspace))];
  const [row] = await sql<
    { handles: Handle<'campaign'>[]; creatives: CreativeRow[] | null; approving: Handle<'workspace'>[] }[]
  >`
    select array(select nextval('campaigns_handle_seq') from generate_series(1, ${keys.length}::int)) as handles,
      (select json_agg(json_build_object('handle', handle, 'status', status, 'has_file', uploaded_at is not null,
        'orientation', orientation, 'workspace', workspace_handle, 'sandbox', sandbox) order by handle)
        from creatives where handle = any(${creatives}::bigint[]) and not of_venue
          and detached_at is null) as creatives,
      array(select client.handle from workspaces client join workspaces agency on agency.handle = client.parent_handle
        where client.handle = any(${workspaces}::bigint[])
          and coalesce(client.approval, agency.approval) = 'agency') as approving`;
  const approving = new Set(row!.approving);
  const found = row!.creatives ?? [];
  return new Map(
    keys.map((key, at) => [
      key,
      {
        handle: row!.handles[at]!,
        creatives: found.filter(
          ({ handle, workspace, sandbox }) =>
            workspace === key.workspace && sandbox === key.sandbox && key.creatives.includes(handle),
        ),
        isApproved: approving.has(key.workspace),
      },
    ]),
  );
}

/** A planned campaign, its caller, and the result of its call. */
export type NewUnit<T> = Pick<PlannedUnit<T>, 'actor' | 'once' | 'value'> & { plan: NewPlan };

/** Writes all campaigns, or none and returns false. @throws as `writeUnits` does */
export async function writeNewCampaigns<T>(sql: Postgres, units: readonly NewUnit<T>[]): Promise<boolean> {
  const plans = units.map(({ plan }) => plan);
  return writeUnits(sql, {
    now: new Date(Math.max(...plans.map(({ row }) => row.created_at.getTime()))),
    rows: insertionOf(sql, plans),
    units: units.map(({ plan: { row, entry, audits, event }, ...call }) => {
      const entity = { workspace: row.workspace_handle, entityType: 'campaign', entityHandle: row.handle };
      return {
        ...call,
        ...(entry && { entries: [entry] }),
        audits: audits.map(audit => ({ ...entity, ...audit })),
        events: [{ ...entity, ...event }],
      };
    }),
  });
}

/** Inserts campaigns and their bindings if all creatives are as they were read, and locks these until the commit. */
function insertionOf(sql: Postgres, plans: readonly NewPlan[]) {
  const rows = plans.map(({ row }) => storedNames(row));
  const columns = sql(Object.keys(rows[0]!) as (keyof StoredColumns)[]);
  // A fragment of its own, because the library takes names after an insert with text before it for values.
  const insertion = sql`
    insert into campaigns (${columns})
    select ${columns} from jsonb_populate_recordset(null::campaigns, ${jsonb(sql, rows)})`;
  const bindings = plans.flatMap(({ row, bindings: bound }) =>
    bound.map(binding => ({ campaign: row.handle, ...binding })),
  );
  // A creative that was read twice, in two states, counts twice here but is locked only once, so nothing is written.
  const read = [
    ...new Map(bindings.map(({ creative, status }) => [`${creative} ${status}`, { creative, status }])).values(),
  ];
  const creatives = read.map(({ creative }) => creative);
  return sql`
    locked as (
      select from creatives where (select set_config('lock_timeout', ${plans.length === 1 ? '0' : SHARED_LOCK_WAIT},
        true)) is not null
        and handle = any(${creatives}::bigint[]) and detached_at is null
        and status = (${read.map(({ status }) => status)}::text[])[array_position(${creatives}::bigint[], handle)]
        for share),
    written as (
      ${insertion}
      where (select count(*) from locked) = ${read.length}
      returning handle),
    bound as (
      insert into campaign_creatives (campaign_handle, creative_handle, weight)
      select campaign, creative, weight from jsonb_to_recordset(${jsonb(sql, bindings)}) as binding (campaign bigint,
        creative bigint, weight integer)
      where exists (select from written))`;
}
