/** The route of forecasts: the reach of a planned campaign, without creating a campaign or reserving money. */
import { orientationsOf } from '#domain/campaigns/creative.ts';
import { parseId } from '#domain/id.ts';
import { isRefusal, refuseField, type Refusal } from '#domain/refusal.ts';
import type { Forecast } from '#domain/forecast/forecast.ts';
import type { Plan } from '#domain/forecast/plan-supply.ts';
import { formatDate } from '#domain/time/calendar.ts';
import { readCreatives } from '#sql/campaigns/rows.ts';
import { refuseCreatives } from '#domain/campaigns/changes/refuse-change.ts';
import type { Caller } from '../authentication/caller.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { money } from '../wire/shapes.ts';
import type { CampaignRecords } from '../campaigns/record-cache.ts';
import { parseQuestion, type Question } from './fields.ts';
import { ForecastAnswer, ForecastBody, type ForecastQuestion, type ForecastReply } from './schema.ts';
import type { Forecaster } from './forecaster.ts';

type Dependencies = CallDependencies & { forecasts: Forecaster; campaigns: CampaignRecords };
const route = routeFor<Dependencies>();

export const forecastRoutes = [
  route({
    method: 'POST',
    path: '/forecasts',
    access: { resource: 'forecasts', verb: 'write' },
    bucket: 'forecasts',
    summary: 'Forecast what a plan would reach, with a 90% band',
    body: ForecastBody,
    response: { 200: ForecastAnswer },
    handle: ({ caller, body }, dependencies) => forecast(dependencies, caller, body),
  }),
];

async function forecast(
  dependencies: Dependencies,
  caller: Caller,
  body: ForecastQuestion,
): Promise<ForecastReply | Refusal> {
  const { sandbox, currency } = caller;
  const question = parseQuestion(body, { sandbox, currency, now: dependencies.now() });
  if (isRefusal(question)) return question;
  const changed = await changedCampaign(dependencies, caller, body.campaign_id);
  if (isRefusal(changed)) return changed;
  const named = await namedCreatives(dependencies, caller, question.bindings);
  if (isRefusal(named)) return named;
  return replyOf(question, await dependencies.forecasts.ask({ ...question.plan, ...changed, ...named }));
}

/** The orientations of the plan's creatives; undefined without creatives. */
async function namedCreatives(
  { sql }: Dependencies,
  caller: Caller,
  bindings: Question['bindings'],
): Promise<Pick<Plan, 'orientations'> | undefined | Refusal> {
  if (bindings.length === 0) return undefined;
  const handles = bindings.map(({ creative }) => creative);
  const creatives = await readCreatives(sql, caller, handles);
  return refuseCreatives(creatives, { bindings, isDraft: true }) ?? { orientations: orientationsOf(creatives) };
}

/** The data of the campaign that the plan would change. */
async function changedCampaign(
  { campaigns }: Dependencies,
  caller: Caller,
  id: string | undefined,
): Promise<Pick<Plan, 'replaces' | 'orientations'> | undefined | Refusal> {
  if (id === undefined) return undefined;
  const handle = parseId('campaign', id);
  const found = handle && (await campaigns.find(caller, handle));
  return found
    ? { replaces: found.row.handle, orientations: orientationsOf(found.bindings) }
    : refuseField('/campaign_id', 'unknown_campaign', 'is not a campaign of this workspace');
}

function replyOf({ shape, currency, pointerOf }: Question, found: Forecast): ForecastReply {
  const band = {
    impressions_low: found.impressionsLow,
    impressions_high: found.impressionsHigh,
    fill_probability: found.fillProbability,
  };
  const warnings = found.warnings.map(({ path, code, detail }) => ({ pointer: pointerOf(path), code, detail }));
  if (shape === 'areas')
    return {
      screens: found.screensEligible,
      plays: found.plays,
      impressions: found.impressions,
      ...band,
      cost: money(found.costMicros, currency),
      warnings,
    };
  return {
    rate: money(found.rateMicros, currency),
    ...band,
    scan_rate_est: found.scanRateEst,
    screens_eligible: found.screensEligible,
    pacing: found.pacing.map(({ day, impressionsEst }) => ({ date: formatDate(day), impressions_est: impressionsEst })),
    warnings,
  };
}
