/**
 * The answer of `GET /v1/campaigns/{id}`: the campaign's record with its counters and its pacing. Everything here is
 * computed from rows and figures that were read before. While neither changes, the answer is computed and serialized
 * once a second, and is sent to all who ask.
 */
import { formatId, parseId } from '#domain/id.ts';
import { roundThousandths } from '#domain/money/money.ts';
import { formatDate } from '#domain/time/calendar.ts';
import type { WrittenAnswer } from '../wire/reply.ts';
import { money } from '../wire/shapes.ts';
import type { CreativeCounts, Delivery, HourSpend } from '#sql/campaigns/deliveries.ts';
import { evenCurveOf, expectedSpend } from '#domain/campaigns/even-spend.ts';
import type { CampaignRow, StoredCampaign } from '#domain/campaigns/changes/stored-campaign.ts';
import { campaignRecord } from './record.ts';
import type { CampaignDetailRecord } from './schema/record.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY = 24 * MS_PER_HOUR;

/** How long an answer may be reused. It depends on `now`, so it is renewed as often as its metrics. */
const WRITTEN_MS = 1_000;

type DetailOptions = { delivery: Delivery; now: Milliseconds; write: (detail: CampaignDetailRecord) => WrittenDetail };
type WrittenDetail = WrittenAnswer<CampaignDetailRecord>;
type CacheEntry = { answer: WrittenDetail; delivery: Delivery; writtenAt: Milliseconds };

/** The answers, rewritten when the campaign or its metrics have changed, or after a second. */
export type CampaignDetails = { of(campaign: StoredCampaign, options: DetailOptions): WrittenDetail };

export function createCampaignDetails(): CampaignDetails {
  const written = new WeakMap<StoredCampaign, CacheEntry>();
  return {
    of(campaign, { delivery, now, write }) {
      const before = written.get(campaign);
      const ageMs = before === undefined ? Infinity : now - before.writtenAt;
      if (before?.delivery === delivery && ageMs >= 0 && ageMs < WRITTEN_MS) return before.answer;
      const answer = write(campaignDetail(campaign, { delivery, now }));
      written.set(campaign, { answer, delivery, writtenAt: now });
      return answer;
    },
  };
}

type DetailInput = { delivery: Delivery; now: Milliseconds };

/**
 * The campaign with its delivery. A creative that played and was detached later is in the totals, but not in the list.
 */
function campaignDetail(campaign: StoredCampaign, { delivery, now }: DetailInput): CampaignDetailRecord {
  const { row, bindings } = campaign;
  const countsOf = new Map(
    delivery.byCreative.map(counts => [parseId('creative', counts.creative_id) as number | undefined, counts]),
  );
  const sum = (pick: (counts: CreativeCounts) => number) =>
    delivery.byCreative.reduce((total, counts) => total + pick(counts), 0);
  const spendMicros = sum(counts => counts.cost_micros);
  return {
    ...campaignRecord(campaign),
    creatives: bindings.map(({ creative, weight, status }) => ({
      id: formatId('creative', creative),
      weight,
      status,
      plays: countsOf.get(creative)?.plays ?? 0,
      impressions: roundThousandths(countsOf.get(creative)?.impressions_thousandths ?? 0),
    })),
    counters: {
      plays: sum(counts => counts.plays),
      impressions: roundThousandths(sum(counts => counts.impressions_thousandths)),
      scans: delivery.scans,
      late_plays: sum(counts => counts.late_plays),
      spend: money(spendMicros, row.currency),
      screens_used: delivery.screensUsed,
    },
    pacing: pacingOf(row, { spendMicros, today: delivery.today, now }),
  };
}

/** Spend compared with the even curve. */
function pacingOf(
  row: CampaignRow,
  { spendMicros, today, now }: { spendMicros: Micros; today: readonly HourSpend[]; now: Milliseconds },
): CampaignDetailRecord['pacing'] {
  const curve = evenCurveOf(row);
  const expectedMicros = expectedSpend(row, curve, now);
  return {
    expected_spend: money(expectedMicros, row.currency),
    actual_spend: money(spendMicros, row.currency),
    ratio: expectedMicros === 0 ? null : Math.round((spendMicros / expectedMicros) * 10_000) / 10_000,
    today: hoursOf(now).map(({ hour, label, fromMs }) => ({
      hour: label,
      expected_spend: money(
        expectedSpend(row, curve, Math.min(fromMs + MS_PER_HOUR, now)) - expectedSpend(row, curve, fromMs),
        row.currency,
      ),
      actual_spend: money(today.find(spend => spend.hour === hour)?.cost_micros ?? 0, row.currency),
    })),
  };
}

/** The hours (UTC) of the day of `now` that have begun; the last one ends at `now`. */
function hoursOf(now: Milliseconds): { hour: number; label: string; fromMs: Milliseconds }[] {
  const day = Math.floor(now / MS_PER_DAY);
  const begun = Math.floor((now % MS_PER_DAY) / MS_PER_HOUR) + 1;
  const date = formatDate(day);
  return Array.from({ length: begun }, (_, hour) => ({
    hour,
    label: `${date}T${String(hour).padStart(2, '0')}:00`,
    fromMs: day * MS_PER_DAY + hour * MS_PER_HOUR,
  }));
}
