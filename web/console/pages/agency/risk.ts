/** Whether a client's money lasts: its wallet compared with its daily spend of this month. */
import type { RecordOf } from '@marquee/sdk';
import { count } from '../../text/format.ts';
import type { TextKey } from '../../text/text.ts';

export type Client = RecordOf<'/v1/agency/clients'>;
export type Risk = {
  /** The higher, the sooner it needs attention. */
  rank: number;
  tone: 'good' | 'wait' | 'bad' | 'quiet';
  text: TextKey;
  values?: Record<string, string>;
};

/** Time enough to send an invoice and have it paid. */
const DAYS_SAFE = 14;
const DAY_MS = 86_400_000;

export function riskOf({ wallet, mtd_spend: spend }: Client, now: number): Risk {
  if (spend.amount <= 0)
    return wallet.balance.amount > 0
      ? { rank: 1, tone: 'quiet', text: 'risk.idle' }
      : { rank: 0, tone: 'quiet', text: 'risk.unused' };
  if (wallet.balance.amount <= 0) return { rank: 1_000, tone: 'bad', text: 'risk.empty' };
  const days = wallet.balance.amount / (spend.amount / daysOfMonth(now));
  const values = { days: count(Math.floor(days)) };
  if (days < DAYS_SAFE) return { rank: 999 - days, tone: 'wait', text: 'risk.soon', values };
  return { rank: 2, tone: 'good', text: 'risk.fine', values };
}

/** How much of this month has passed, in days and parts of them; the spend of a month is counted in UTC. */
function daysOfMonth(now: number): number {
  const date = new Date(now);
  return Math.max(1, (now - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)) / DAY_MS);
}
