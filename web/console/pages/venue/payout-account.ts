/** The account that payouts go to. */
import { MarqueeError, type AnswerOf, type Marquee, type OperationOf } from '@marquee/sdk';

export type PayoutAccount = AnswerOf<OperationOf<'/v1/payouts/account', 'get'>>;

/** Null if no account is set yet. */
export async function readAccount(api: Marquee, signal: AbortSignal): Promise<PayoutAccount | null> {
  try {
    return await api.get('/v1/payouts/account', { signal });
  } catch (error) {
    if (error instanceof MarqueeError && error.is('not_found')) return null;
    throw error;
  }
}
