/**
 * The creation of a campaign. Unless it is a draft, its budget is reserved on the wallet and it waits for review. What
 * it relies on is read first; then one statement writes and commits everything. Calls of the same moment share both.
 * The statement locks the campaigns' creatives and writes nothing where one of them has changed since it was read, so
 * that no creative is detached before the campaign that names it is written.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { changeLimit, type CampaignMoney } from '#domain/campaigns/campaign-money.ts';
import { refuseCreatives, type BindableCreative } from '#domain/campaigns/changes/refuse-change.ts';
import {
  estimateColumns,
  moneyOrNull,
  type BindingRow,
  type CampaignFields,
  type CampaignRow,
  type Estimate,
} from '#domain/campaigns/changes/stored-campaign.ts';
import { orientationsOf } from '#domain/campaigns/creative.ts';
import { formatId, type Handle } from '#domain/id.ts';
import type { Refusal } from '#domain/refusal.ts';
import { firstReview } from '#domain/campaigns/review.ts';
import type { Orientation } from '#domain/screens/screen.ts';
import { formatDate } from '#domain/time/calendar.ts';
import { targetsJson } from '#domain/campaigns/targeting.ts';
import { Fault } from '#runtime/fault-error.ts';
import { jsonb, type Postgres } from '#sql/postgres.ts';
import { writeUnits, type PlannedUnit } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { createJoinedReads, type JoinedReads } from '../joined/joined-reads.ts';
import { createJoinedWrites, type JoinedWrites } from '../joined/joined-writes.ts';
import { campaignRecord } from './rows/record.ts';
import type { CreatedCampaignRecord } from './schema/record.ts';

/** How often a creation starts again because a creative has changed in between. */
const TRIES_MAX = 5;
/** How many new campaigns one read is for. Each names at most a few dozen creatives. */
const CAMPAIGNS_AT_ONCE_MAX = 200;
/** How many new campaigns one statement writes. With as many it takes some tens of milliseconds. */
const WRITTEN_AT_ONCE_MAX = 50;
/**
 * How long a statement of several campaigns waits for a lock. A settlement that holds the wallet of one workspace must
 * not hold up the campaigns of others: after this time each campaign is written alone, and only those of that workspace
 * wait.
 */
const SHARED_LOCK_WAIT = '100ms';

/**
 * The premises of a new campaign. Its handle is reserved beforehand, so that its ledger entry and its answer can name
 * it.
 */
type CampaignParties = {
  handle: Handle<'campaign'>;
  /** The creatives of the request that exist and may be bound to it. */
  creatives: readonly NamedCreative[];
  /** Whether the workspace's agency wants to approve its campaigns. */
  isApproved: boolean;
};
type PartiesKey = Pick<Caller, 'workspace' | 'sandbox'> & { creatives: readonly Handle<'creative'>[] };
export type CampaignReads = JoinedReads<PartiesKey, CampaignParties>;

/** Reads the premises of new campaigns. Simultaneous calls share a read. */
export function createCampaignReads({ sql }: { sql: Postgres }): CampaignReads {
  return createJoinedReads({ read: keys => readParties(sql, keys), keysMax: CAMPAIGNS_AT_ONCE_MAX });
}

type NamedCreative = BindableCreative & { orientation: Orientation };
type CreativeRow = NamedCreative & { workspace: Handle<'workspace'>; sandbox: boolean };

async function readParties(
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

export type NewCampaign = {
  fields: CampaignFields;
  /** Forecasts it for screens of these orientations, those of its creatives; undefined: it lacks budget or days. */
  estimate(orientations: readonly Orientation[]): Promise<Estimate | undefined>;
  /** Whether the caller may approve for the agency. */
  actsForAgency: boolean;
  now: Milliseconds;
};
export type CreationDependencies = { campaignReads: CampaignReads; campaignWrites: CampaignWrites };

/**
 * Creates a campaign.
 *
 * @throws InsufficientFunds when the wallet does not cover the budget
 */
export async function createCampaign(
  { campaignReads, campaignWrites }: CreationDependencies,
  caller: Caller,
  { estimate: estimateFor, ...campaign }: NewCampaign,
): Promise<CreatedCampaignRecord | Refusal> {
  const creatives = campaign.fields.bindings.map(binding => binding.creative);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const parties = await campaignReads.get({ workspace: caller.workspace, sandbox: caller.sandbox, creatives });
    if (!parties) throw new Error('a read of campaigns left out one of its keys');
    const refusal = refuseCreatives(parties.creatives, campaign.fields);
    if (refusal) return refusal;
    const estimate = await estimateFor(orientationsOf(parties.creatives));
    const planned = planCampaign(caller, { ...campaign, ...parties, estimate });
    if (await campaignWrites.write(planned)) return planned.unit.value;
  }
  throw new Fault('creatives_changing', 'the creatives of a campaign change again and again', { retryable: true });
}

type CampaignToWrite = Omit<NewCampaign, 'estimate'> & CampaignParties & { estimate: Estimate | undefined };

/** A campaign in its stored form, with everything written together with it. */
type PlannedCampaign = { row: CampaignRow; bindings: readonly BindingRow[]; unit: PlannedUnit<CreatedCampaignRecord> };
export type CampaignWrites = JoinedWrites<PlannedCampaign>;

/** Writes new campaigns. Calls of the same moment share a statement. */
export function createCampaignWrites({ sql }: { sql: Postgres }): CampaignWrites {
  return createJoinedWrites({
    keyOf: planned => planned.row.workspace_handle,
    write: planned =>
      writeUnits(sql, {
        now: new Date(Math.max(...planned.map(({ row }) => row.created_at.getTime()))),
        rows: insertionOf(sql, planned),
        units: planned.map(({ unit }) => unit),
      }),
    unitsMax: WRITTEN_AT_ONCE_MAX,
  });
}

function planCampaign(caller: Caller, campaign: CampaignToWrite): PlannedCampaign {
  const { handle, fields, creatives } = campaign;
  const { budgetMicros, isDraft } = fields;
  const limit = isDraft || budgetMicros === null ? undefined : changeLimit(moneyOfNew(caller, handle), budgetMicros);
  const row = rowOf(caller, { ...campaign, budgetEdits: limit?.edits ?? 0 });
  const weightOf = new Map(fields.bindings.map(binding => [binding.creative, binding.weight]));
  const bindings = creatives.map(creative => ({
    creative: creative.handle,
    status: creative.status,
    orientation: creative.orientation,
    weight: weightOf.get(creative.handle)!,
  }));
  const record = { ...campaignRecord({ row, bindings }), warnings: campaign.estimate?.warnings ?? [] };
  const entity = { workspace: caller.workspace, entityType: 'campaign', entityHandle: handle };
  const unit = {
    actor: caller.actor,
    once: caller.once,
    ...(limit?.transaction && { entries: [limit.transaction] }),
    audits: [
      { ...entity, action: 'campaign.created', diff: diffOfNew({ ...auditedFields(fields), status: row.status }) },
    ],
    events: [
      {
        ...entity,
        type: 'campaign.created',
        payload: { object: { id: record.id, name: row.name, status: row.status } },
      },
    ],
    value: record,
  };
  return { row, bindings, unit };
}

/** The money of a campaign before its first budget is reserved: all zero. */
function moneyOfNew({ workspace, currency, sandbox }: Caller, campaign: Handle<'campaign'>): CampaignMoney {
  return {
    campaign,
    workspace,
    currency,
    book: sandbox ? 'sandbox' : 'live',
    limitMicros: 0,
    handedMicros: 0,
    takeBackMicros: 0,
    returnedMicros: 0,
    chargedMicros: 0,
    edits: 0,
  };
}

/** The row as it will be, with the defaults of the table. */
function rowOf(
  caller: Caller,
  { handle, fields, estimate, actsForAgency, isApproved, now, budgetEdits }: CampaignToWrite & { budgetEdits: number },
): CampaignRow {
  const { schedule } = fields;
  return {
    handle,
    workspace_handle: caller.workspace,
    name: fields.name,
    category: fields.category,
    status: fields.isDraft ? 'draft' : 'pending_review',
    sandbox: caller.sandbox,
    currency: fields.currency,
    budget_micros: fields.budgetMicros,
    handed_micros: 0,
    take_back_micros: 0,
    returned_micros: 0,
    charged_micros: 0,
    charged_plays: 0,
    taken_out_plays: 0,
    budget_edits: budgetEdits,
    paced_from: null,
    paced_base_micros: 0,
    ended_at: null,
    deleted_at: null,
    starts: schedule && formatDate(schedule.startsOn),
    ends: schedule && formatDate(schedule.endsOn),
    targets: targetsJson(fields.targets),
    landing_url: fields.landingUrl,
    brand_lift: fields.brandLift,
    frequency_per_hour_max: fields.perHourMax,
    political: fields.political,
    ...(estimate ? estimateColumns(estimate) : { rate_micros: null, forecast: null }),
    foreseen_micros: estimate?.forecast.costMicros ?? null,
    rejection: null,
    review_waits_for: fields.isDraft ? null : firstReview({ isApproved, actsForAgency }),
    review_at: null,
    created_at: new Date(now),
  };
}

/**
 * Inserts campaigns and their bindings if all of their creatives are still as they were read, and locks the creatives
 * until the commit.
 */
function insertionOf(sql: Postgres, planned: readonly PlannedCampaign[]) {
  const bindings = planned.flatMap(({ row, bindings: bound }) =>
    bound.map(binding => ({ campaign: row.handle, ...binding })),
  );
  // A creative that was read twice, in two states, counts twice here but is locked only once, so nothing is written.
  const read = [
    ...new Map(bindings.map(({ creative, status }) => [`${creative} ${status}`, { creative, status }])).values(),
  ];
  const creatives = read.map(({ creative }) => creative);
  return sql`
    locked as (
      select from creatives where (select set_config('lock_timeout', ${planned.length === 1 ? '0' : SHARED_LOCK_WAIT},
        true)) is not null
        and handle = any(${creatives}::bigint[]) and detached_at is null
        and status = (${read.map(({ status }) => status)}::text[])[array_position(${creatives}::bigint[], handle)]
        for share),
    written as (
      insert into campaigns (handle, workspace_handle, name, category, status, sandbox, currency, budget_micros,
        budget_edits, starts_on, ends_on,
        targets, landing_url, brand_lift, frequency_per_hour_max, political, rate_micros, forecast, foreseen_micros,
        review_waits_for, created_at)
      select handle, workspace_handle, name, category, status, sandbox, currency, budget_micros, budget_edits, starts,
        ends,
        targets, landing_url, brand_lift, frequency_per_hour_max, political, rate_micros, forecast, foreseen_micros,
        review_waits_for, created_at
      from jsonb_to_recordset(${jsonb(
        sql,
        planned.map(({ row }) => row),
      )}) as campaign (handle bigint, workspace_handle bigint, name text, category text,
        status text, sandbox boolean, currency text, budget_micros bigint, budget_edits integer, starts date, ends date,
          targets jsonb, landing_url text,
        brand_lift boolean, frequency_per_hour_max integer, political jsonb, rate_micros bigint, forecast jsonb,
          foreseen_micros bigint, review_waits_for text, created_at timestamptz)
      where (select count(*) from locked) = ${read.length}
      returning handle),
    bound as (
      insert into campaign_creatives (campaign_handle, creative_handle, weight)
      select campaign, creative, weight from jsonb_to_recordset(${jsonb(sql, bindings)}) as binding (campaign bigint,
        creative bigint, weight integer)
      where exists (select from written))`;
}

/** The fields of a new campaign as the audit shows them. */
function auditedFields({ schedule, ...fields }: CampaignFields): Record<string, unknown> {
  return {
    name: fields.name,
    category: fields.category,
    budget: moneyOrNull(fields.budgetMicros, fields.currency),
    schedule: schedule && { starts: formatDate(schedule.startsOn), ends: formatDate(schedule.endsOn) },
    targets: targetsJson(fields.targets),
    creatives: fields.bindings.map(binding => formatId('creative', binding.creative)),
    ...(fields.political && { political: fields.political }),
  };
}
