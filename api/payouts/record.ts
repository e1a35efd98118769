/** How the API shows payouts, and what may be withdrawn. */
import { formatId } from '#domain/id.ts';
import { decimalFromMicros, roundThousandths } from '#domain/money/money.ts';
import { withdrawalFee } from '#domain/money/payout.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { readEarnings, readHoldDays } from '#sql/payouts/earnings.ts';
import { readInTransit, readTerms, type FoundPayout, type LineRow, type PayoutRow } from '#sql/payouts/withdrawals.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';
import { payoutMoney, type Payout } from './schema.ts';
import { selfBilledRecord } from './self-billed.ts';

/** A payout with its line items. */
export function payoutDetail({ row, lines, selfBilled }: FoundPayout) {
  return {
    ...payoutRecord(row),
    line_items: lines.map(line => lineItem(line, row.currency)),
    self_billed_invoice: selfBilled ? selfBilledRecord(selfBilled, row.currency) : null,
  };
}

/** A payout as lists show it. */
export function payoutRecord(row: PayoutRow): Payout {
  const { currency } = row;
  const settledAt = row.settled_at?.toISOString() ?? null;
  return {
    id: formatId('payout', row.handle),
    period: row.issued_at.toISOString().slice(0, 7),
    status: row.status,
    amount: payoutMoney(row.amount_micros, currency),
    issued_at: row.issued_at.toISOString(),
    paid_at: row.status === 'paid' ? settledAt : null,
    failed_at: row.status === 'failed' ? settledAt : null,
    venues_count: row.venues_count,
    venues: row.venues.map(({ venue, micros }) => ({
      venue_id: formatId('venue', venue),
      earnings: payoutMoney(micros, currency),
    })),
    gross_to_net: {
      ad_revenue: payoutMoney(row.gross_micros, currency),
      platform_share: payoutMoney(row.gross_micros - row.amount_micros, currency),
      earnings: payoutMoney(row.amount_micros, currency),
      sending_fee: payoutMoney(row.fee_micros, currency),
      paid_out: payoutMoney(row.amount_micros - row.fee_micros, currency),
    },
  };
}

function lineItem(row: LineRow, currency: string) {
  return {
    venue_id: formatId('venue', row.venue),
    venue_name: row.name,
    commission_tier: row.tier,
    commission_rate: row.share_millionths / 1_000_000,
    first_day: row.first_day,
    last_day: row.last_day,
    plays: row.plays,
    impressions: roundThousandths(row.impressions_thousandths),
    ad_revenue: payoutMoney(row.gross_micros, currency),
    earnings: payoutMoney(row.earned_micros, currency),
  };
}

/** Available and held earnings per currency. */
export async function readBalance(
  sql: Postgres,
  caller: Caller,
  { holdDays: installationDays, now }: { holdDays: number; now: Milliseconds },
) {
  const { workspace, sandbox } = caller;
  const [earnings, inTransit, terms] = await Promise.all([
    readEarnings(sql, { workspace, sandbox, holdDays: await readHoldDays(sql, workspace, installationDays), now }),
    readInTransit(sql, caller),
    readTerms(sql),
  ]);
  return {
    balances: [...earnings].map(([currency, { availableMicros, heldMicros, reviewedMicros, nextMs }]) => ({
      available: payoutMoney(availableMicros, currency),
      held: payoutMoney(heldMicros, currency),
      under_review: payoutMoney(reviewedMicros, currency),
      next_release_at: nextMs === undefined ? null : new Date(nextMs).toISOString(),
      in_transit: payoutMoney(inTransit.get(currency) ?? 0, currency),
      fee: payoutMoney(withdrawalFee(terms.freeAboveMicros, currency, terms), currency),
    })),
    free_above: decimalFromMicros(terms.freeAboveMicros),
    fee: decimalFromMicros(terms.feeMicros),
  };
}
