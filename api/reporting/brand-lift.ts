/**
 * Brand lift of campaigns that opted in (`brand_lift`): answers to surveys by third parties, from people who were
 * exposed to the campaign and from people who were not, and the lift computed from them
 * (`domain/reporting/brand-lift.ts`).
 */
import type { Milliseconds } from '#domain/unit.ts';
import { createHash } from 'node:crypto';
import { liftOf, QUESTIONS, type Answers, type Question } from '#domain/reporting/brand-lift.ts';
import { NO_HANDLE, formatId, parseId, type Handle } from '#domain/id.ts';
import { refuse, refuseFields, type FieldFault, type Refusal } from '#domain/refusal.ts';
import type { Postgres, Transaction } from '#sql/postgres.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, listed, type List, type Page } from '../lists/paging.ts';
import type { BrandLift, SurveyResponse } from './schema/brand-lift.ts';

/** The confidence level of the intervals, as `liftOf` computes them. */
const CONFIDENCE = 0.95;

type ResponseRow = {
  campaign_handle: Handle<'campaign'>;
  respondent_hash: Buffer;
  question: Question;
  exposed: boolean;
  positive: boolean;
};

/**
 * Stores all answers, or none if one is about a campaign without brand lift. The first answer of a person to a question
 * is stored; later ones are counted as duplicates.
 */
export async function recordResponses(
  sql: Postgres,
  caller: Caller,
  { responses, now }: { responses: readonly SurveyResponse[]; now: Milliseconds },
): Promise<{ accepted: number; duplicates: number } | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    // An invalid id becomes 0, which is no campaign's handle.
    const handles = responses.map(({ campaign_id }) => parseId('campaign', campaign_id) ?? NO_HANDLE);
    const faults = await faultsOf(unit.tx, caller, handles);
    if (faults.length > 0) return refuseFields(faults);
    const rows = responses.map(({ group, question, positive, respondent }, index): ResponseRow => ({
      campaign_handle: handles[index]!,
      respondent_hash: hashOf(handles[index]!, respondent),
      question,
      exposed: group === 'exposed',
      positive,
    }));
    const inserted = await unit.tx<{ campaign_handle: Handle<'campaign'> }[]>`
      insert into brand_lift_responses ${unit.tx(rows.map(row => ({ ...row, created_at: unit.now })))}
      on conflict do nothing returning campaign_handle`;
    for (const campaign of new Set(inserted.map(row => row.campaign_handle))) {
      const count = inserted.filter(row => row.campaign_handle === campaign).length;
      unit.audit({
        workspace: caller.workspace,
        action: 'brand_lift.recorded',
        entityType: 'campaign',
        entityHandle: campaign,
        diff: { responses: { from: null, to: count } },
      });
    }
    return { accepted: inserted.length, duplicates: rows.length - inserted.length };
  });
}

async function faultsOf(
  tx: Transaction,
  caller: Caller,
  handles: readonly Handle<'campaign'>[],
): Promise<FieldFault[]> {
  const found = await tx<{ handle: Handle<'campaign'>; brand_lift: boolean }[]>`
    select handle, brand_lift from campaigns
    where handle = any(${[...new Set(handles)]}::bigint[]) and workspace_handle = ${caller.workspace}
      and sandbox = ${caller.sandbox} and deleted_at is null`;
  const optedIn = new Map(found.map(row => [row.handle, row.brand_lift]));
  return handles.flatMap((handle, index) => {
    const pointer = `/responses/${index}/campaign_id`;
    if (!optedIn.has(handle))
      return [{ pointer, code: 'unknown_campaign', detail: 'is not a campaign of this workspace' }];
    return optedIn.get(handle)
      ? []
      : [{ pointer, code: 'brand_lift_off', detail: 'is a campaign without brand_lift; set it on the campaign first' }];
  });
}

function hashOf(campaign: Handle<'campaign'>, respondent: string): Buffer {
  return createHash('sha256').update(`${campaign}\n${respondent}`).digest();
}

type CampaignRow = { handle: Handle<'campaign'>; name: string; brand_lift: boolean };
type CountRow = {
  campaign_handle: Handle<'campaign'>;
  question: Question;
  exposed: boolean;
  sample: number;
  positive: number;
};

/** The lift of every campaign that opted in, newest first, or of the named one. */
export async function listBrandLift(
  sql: Postgres,
  caller: Caller,
  { campaign, page }: { campaign: Handle<'campaign'> | undefined; page: Page },
): Promise<List<BrandLift> | Refusal> {
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION });
  const rows = await sql<CampaignRow[]>`
    select handle, name, brand_lift from campaigns
    where workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} ${behind}
    ${campaign === undefined ? sql`and deleted_at is null and brand_lift` : sql`and handle = ${campaign}`} ${order}`;
  if (campaign !== undefined && rows.length === 0 && page.after === undefined)
    return refuse('not_found', 'There is no such record in this workspace.');
  if (rows.some(row => !row.brand_lift))
    return refuse('state_conflict', 'Brand lift of this campaign is not measured: set brand_lift on it.');
  const counts = await sql<CountRow[]>`
    select campaign_handle, question, exposed, count(*) as sample, count(*) filter (where positive) as positive
    from brand_lift_responses
    where campaign_handle = any(${rows.map(row => row.handle)}::bigint[]) group by campaign_handle, question, exposed`;
  return listed({ rows }, page, { recordOf: row => brandLiftOf(row, counts) });
}

function brandLiftOf({ handle, name }: CampaignRow, counts: readonly CountRow[]): BrandLift {
  const answersOf = (question: Question, exposed: boolean): Answers =>
    counts.find(row => row.campaign_handle === handle && row.question === question && row.exposed === exposed) ?? {
      sample: 0,
      positive: 0,
    };
  const lifts = QUESTIONS.map(
    question => [question, liftRecord(answersOf(question, true), answersOf(question, false))] as const,
  );
  return {
    campaign_id: formatId('campaign', handle),
    name,
    ...(Object.fromEntries(lifts) as Record<Question, BrandLift['awareness']>),
  };
}

function liftRecord(exposed: Answers, control: Answers): BrandLift['awareness'] {
  const lift = liftOf(exposed, control);
  return {
    exposed: answersRecord(exposed),
    control: answersRecord(control),
    delta: lift ? rounded(lift.delta) : null,
    confidence_interval: lift ? { low: rounded(lift.low), high: rounded(lift.high), level: CONFIDENCE } : null,
    significant: lift !== undefined && (lift.low > 0 || lift.high < 0),
  };
}

function answersRecord({ sample, positive }: Answers) {
  return { sample, positive, rate: sample === 0 ? null : rounded(positive / sample) };
}

/** Rounds to six decimals, far finer than the error of any sample. */
function rounded(rate: number): number {
  return Math.round(rate * 1_000_000) / 1_000_000;
}
