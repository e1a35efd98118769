/**
 * Finds the facts that people want by mail. Events of the outbox are facts already; whether a screen was offline for
 * long enough, or a campaign is behind, is computed here. A fact found twice is written once.
 */
import { dueAt, isOfflineFor } from '#domain/alerts/timing.ts';
import type { AlertFact } from '#domain/alerts/words.ts';
import { evenCurveOf, expectedSpend } from '#domain/campaigns/even-spend.ts';
import type { TargetsJson } from '#domain/campaigns/targeting.ts';
import { formatId } from '#domain/id.ts';
import { microsFromDecimal } from '#domain/money/money.ts';
import { isRefusal } from '#domain/refusal.ts';
import { parseOpeningHours } from '#domain/screens/schedule.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { insertFacts, type NewFact } from '#sql/alerts/facts.ts';
import {
  findEvents,
  findKeys,
  findOutages,
  findPaced,
  findWallets,
  type FoundCampaign,
  type FoundEvent,
  type FoundOutage,
  type Reader,
} from '#sql/alerts/found.ts';
import type { JobContext } from '../schedule.ts';

/** Screens of one venue are found offline up to a minute apart: they share a mail. */
const STRAGGLERS_MS: Milliseconds = 60_000;

/** Writes new facts. Returns how many. */
export async function findAlerts({ sql, now: clock }: JobContext): Promise<number> {
  const now = clock();
  const insert = (facts: readonly (NewFact | undefined)[]) =>
    insertFacts(
      sql,
      facts.filter(fact => fact !== undefined),
      now,
    );
  let found = await insert((await findEvents(sql, now)).map(event => noted(event, eventFact(event), now)));
  found += await insert(
    (await findWallets(sql)).map(wallet => {
      const { balance_micros, currency } = wallet;
      return noted(wallet, { kind: 'wallet_low', detail: { balance_micros, currency } }, now);
    }),
  );
  found += await insert(
    (await findKeys(sql, now)).map(key => {
      const { display, name, expires_at } = key;
      return noted(key, { kind: 'key_expiring', detail: { display, name, expires_at: expires_at.toISOString() } }, now);
    }),
  );
  for await (const page of findOutages(sql, now))
    found += await insert(page.map(outage => noted(outage, outageFact(outage, now), now)));
  for await (const page of findPaced(sql, now))
    found += await insert(page.map(campaign => noted(campaign, behindFact(campaign, now), now)));
  return found;
}

/** The fact with the time at which its mail is due; undefined without a fact. */
function noted(
  { choice, key, settings }: Reader & { key: string },
  fact: AlertFact | undefined,
  now: Date,
): NewFact | undefined {
  const mode = fact === undefined ? 'off' : settings.alerts[fact.kind];
  if (fact === undefined || mode === 'off') return undefined;
  const fromMs = now.getTime() + (fact.kind === 'screen_offline' ? STRAGGLERS_MS : 0);
  return { ...fact, choice, key, dueAt: new Date(dueAt(settings, mode, fromMs)) };
}

type EventObject = {
  id?: string;
  name?: string;
  rejection?: { code: string; detail?: string } | null;
  amount?: { value: number; currency: string };
};

function eventFact({ kind, object }: FoundEvent): AlertFact | undefined {
  const { id = '', name = '', rejection, amount } = object as EventObject;
  switch (kind) {
    case 'campaign_finished':
      return { kind, detail: { id, name } };
    case 'creative_rejected':
      return { kind, detail: { id, name, detail: rejection?.detail ?? rejection?.code ?? '' } };
    case 'payout_failed': {
      const micros = amount && microsFromDecimal(amount.value, amount.currency);
      if (micros === undefined || isRefusal(micros)) return undefined;
      return { kind, detail: { id, amount_micros: micros, currency: amount!.currency } };
    }
    default:
      return undefined;
  }
}

function outageFact(outage: FoundOutage, now: Date): AlertFact | undefined {
  const { settings, screen, label, venue, venue_name, screens, last_seen_at: since } = outage;
  const hours = parseOpeningHours(outage.opening_hours);
  const isOut = isOfflineFor(isRefusal(hours) ? undefined : hours, outage.timezone, {
    sinceMs: since.getTime(),
    nowMs: now.getTime(),
    minutes: settings.offline_minutes,
  });
  if (!isOut) return undefined;
  return {
    kind: 'screen_offline',
    detail: {
      screen: formatId('screen', screen),
      label,
      venue: formatId('venue', venue),
      venue_name,
      screens,
      since: since.toISOString(),
    },
  };
}

/** Until this part of a budget is due, being behind means little. */
const EXPECTED_SHARE_MIN = 0.05;

function behindFact(campaign: FoundCampaign, now: Date): AlertFact | undefined {
  const { settings, budget_micros: budget, charged_micros: charged, name } = campaign;
  const paced = { ...campaign, targets: campaign.targets as TargetsJson };
  const expected = expectedSpend(paced, evenCurveOf(paced), now.getTime());
  const percent = Math.floor((100 * (expected - charged)) / expected);
  if (expected < budget * EXPECTED_SHARE_MIN || percent < settings.behind_percent) return undefined;
  return { kind: 'campaign_behind', detail: { id: formatId('campaign', campaign.campaign), name, percent } };
}
