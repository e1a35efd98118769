/**
 * Brand lift of campaigns that opted in (`brand_lift`): answers to surveys by third parties, from people who were
 * exposed to the campaign and from people who were not, and the lift computed from them
 * (`domain/reporting/brand-lift.ts`).
 */
import type { Milliseconds } from '#domain/unit.ts';
import { liftOf, QUESTIONS, type Answers, type Question } from '#domain/reporting/brand-lift.ts';
import { formatId, NO_HANDLE, parseId, type Handle } from '#domain/id.ts';
import { refuse, refuseAbsent, refuseFields, type FieldFault, type Refusal } from '#domain/refusal.ts';
import {
  countAnswers,
  listLiftCampaigns,
  recordAnswers,
  type AnswerCount,
  type LiftCampaign,
} from '#sql/brand-lift/responses.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';
import { listed, type List, type Page } from '../lists/paging.ts';
import type { BrandLift, SurveyResponse } from './schema/brand-lift.ts';

/** The confidence level of the intervals, as `liftOf` computes them. */
const CONFIDENCE = 0.95;

/** Stores all answers, or none if one is about a campaign without brand lift. */
export async function recordResponses(
  sql: Postgres,
  caller: Caller,
  { responses, now }: { responses: readonly SurveyResponse[]; now: Milliseconds },
): Promise<{ accepted: number; duplicates: number } | Refusal> {
  const answers = responses.map(({ campaign_id: id, group, question, positive, respondent }) => ({
    // What is no id becomes 0, which no campaign has as its handle.
    campaign: parseId('campaign', id) ?? NO_HANDLE,
    respondent,
    question,
    exposed: group === 'exposed',
    positive,
  }));
  return recordAnswers(
    sql,
    { ...caller, now: new Date(now) },
    {
      answers,
      refuse(campaigns) {
        const faults = answers.flatMap(({ campaign }, index) => faultOf(campaigns.get(campaign), index) ?? []);
        return faults.length > 0 ? refuseFields(faults) : undefined;
      },
    },
  );
}

/** @param isMeasured undefined: the workspace has no such campaign */
function faultOf(isMeasured: boolean | undefined, index: number): FieldFault | undefined {
  const pointer = `/responses/${index}/campaign_id`;
  if (isMeasured === undefined)
    return { pointer, code: 'unknown_campaign', detail: 'is not a campaign of this workspace' };
  return isMeasured
    ? undefined
    : { pointer, code: 'brand_lift_off', detail: 'is a campaign without brand_lift; set it on the campaign first' };
}

/** The lift of every campaign that opted in, newest first, or of the named one. */
export async function listBrandLift(
  sql: Postgres,
  caller: Caller,
  { campaign, page }: { campaign: Handle<'campaign'> | undefined; page: Page },
): Promise<List<BrandLift> | Refusal> {
  const rows = await listLiftCampaigns(sql, caller, { campaign, page });
  if (campaign !== undefined && rows.length === 0 && page.after === undefined) return refuseAbsent();
  if (rows.some(row => !row.brand_lift))
    return refuse('state_conflict', 'Brand lift of this campaign is not measured: set brand_lift on it.');
  const counts = await countAnswers(
    sql,
    rows.map(row => row.handle),
  );
  return listed({ rows }, page, { recordOf: row => brandLiftOf(row, counts) });
}

function brandLiftOf({ handle, name }: LiftCampaign, counts: readonly AnswerCount[]): BrandLift {
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
