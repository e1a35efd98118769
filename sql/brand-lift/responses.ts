/** Answers to surveys about campaigns that measure brand lift. Of a person only a hash is stored. */
import { createHash } from 'node:crypto';
import type { Handle } from '#domain/id.ts';
import type { Question } from '#domain/reporting/brand-lift.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, type Call, type Owner } from '#books/unit-of-work.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';

/** A campaign that was named, and whether it measures brand lift. */
export type LiftCampaign = { handle: Handle<'campaign'>; name: string; brand_lift: boolean };
type SurveyAnswer = {
  campaign: Handle<'campaign'>;
  respondent: string;
  question: Question;
  exposed: boolean;
  positive: boolean;
};
export type AnswerCount = {
  campaign_handle: Handle<'campaign'>;
  question: Question;
  exposed: boolean;
  sample: number;
  positive: number;
};

/** `refuse`: given the campaigns of the owner among those named, and whether each measures brand lift. */
type Recording = {
  answers: readonly SurveyAnswer[];
  refuse: (campaigns: ReadonlyMap<Handle<'campaign'>, boolean>) => Refusal | undefined;
};

/**
 * Stores all answers, or none where `refuse` says so of the campaigns that were found. The first answer of a person to
 * a question is stored; later ones are counted as duplicates.
 */
export async function recordAnswers(
  sql: Postgres,
  call: Call,
  { answers, refuse }: Recording,
): Promise<{ accepted: number; duplicates: number } | Refusal> {
  return inUnitOfWork<{ accepted: number; duplicates: number } | Refusal>(sql, call, async unit => {
    const found = await unit.tx<{ handle: Handle<'campaign'>; brand_lift: boolean }[]>`
      select handle, brand_lift from campaigns
      where handle = any(${[...new Set(answers.map(answer => answer.campaign))]}::bigint[])
        and workspace_handle = ${call.workspace} and sandbox = ${call.sandbox} and deleted_at is null`;
    const refusal = refuse(new Map(found.map(row => [row.handle, row.brand_lift])));
    if (isRefusal(refusal)) return refusal;
    const rows = answers.map(({ campaign, respondent, ...answer }) => ({
      campaign_handle: campaign,
      respondent_hash: hashOf(campaign, respondent),
      ...answer,
      created_at: unit.now,
    }));
    const inserted = await unit.tx<{ campaign_handle: Handle<'campaign'> }[]>`
      insert into brand_lift_responses ${unit.tx(rows)} on conflict do nothing returning campaign_handle`;
    for (const campaign of new Set(inserted.map(row => row.campaign_handle))) {
      const count = inserted.filter(row => row.campaign_handle === campaign).length;
      unit.audit({
        workspace: call.workspace,
        action: 'brand_lift.recorded',
        entityType: 'campaign',
        entityHandle: campaign,
        diff: { responses: { from: null, to: count } },
      });
    }
    return { accepted: inserted.length, duplicates: rows.length - inserted.length };
  });
}

function hashOf(campaign: Handle<'campaign'>, respondent: string): Buffer {
  return createHash('sha256').update(`${campaign}\n${respondent}`).digest();
}

/** A page of the campaigns that measure brand lift, or the named one, whether it does or not. */
export async function listLiftCampaigns(
  sql: Queryable,
  { workspace, sandbox }: Owner,
  { campaign, page }: { campaign: Handle<'campaign'> | undefined; page: PageOrder },
): Promise<LiftCampaign[]> {
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION });
  return sql<LiftCampaign[]>`
    select handle, name, brand_lift from campaigns
    where workspace_handle = ${workspace} and sandbox = ${sandbox} ${behind}
    ${campaign === undefined ? sql`and deleted_at is null and brand_lift` : sql`and handle = ${campaign}`} ${order}`;
}

/** The answers about campaigns, by question and by whether the person was exposed. */
export async function countAnswers(sql: Queryable, campaigns: readonly Handle<'campaign'>[]): Promise<AnswerCount[]> {
  return sql<AnswerCount[]>`
    select campaign_handle, question, exposed, count(*) as sample, count(*) filter (where positive) as positive
    from brand_lift_responses where campaign_handle = any(${[...campaigns]}::bigint[])
    group by campaign_handle, question, exposed`;
}
