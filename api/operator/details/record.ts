/** The details of the operator as the API and `admin operator` show them. */
import { decimalFromMicros } from '#domain/money/money.ts';
import { missingOfSeller } from '#domain/tax/vat-party.ts';
import type { OperatorSettings } from '#sql/operator/settings.ts';
import type { OperatorDetails } from './schema.ts';

/** With the fields that VAT still needs. */
export function detailsOf(settings: OperatorSettings): OperatorDetails {
  const { payout_fee_micros: fee, payout_free_above_micros: freeAbove, ...details } = settings;
  return {
    ...details,
    payout_fee: decimalFromMicros(fee),
    payout_free_above: decimalFromMicros(freeAbove),
    missing_for_vat: missingOfSeller(settings),
  };
}
