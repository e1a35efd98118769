/**
 * `admin operator update`: who runs this installation, as invoices and statements print it, the account that payouts
 * are paid from, the fee of a payout, and how overload is shared. Options that are not given stay as they are.
 */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { isRefusal, type FieldFault } from '#domain/refusal.ts';
import type { Postgres } from '#sql/postgres.ts';
import { changeSettings, readSettings } from '#sql/operator/settings.ts';
import { detailsOf } from '../../../api/operator/details/record.ts';
import { OPERATOR } from '../../operator.ts';
import { UsageError } from '../../arguments.ts';
import { amountOfUnits, share } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';
import { addressLines, placeDetails, shortLine, type VatOptions } from './lines.ts';

export function declareOperatorCommands(program: CommandUnknownOpts, run: Runner): void {
  const operator = program.command('operator').description('legal details and terms of the operator');
  operator
    .command('show')
    .description('show the details of the operator and the details missing for VAT')
    .action(run(async ({ sql }) => detailsOf(await readSettings(sql))));
  operator
    .command('update')
    .description('change the details of the operator; omitted options stay unchanged')
    .option('--name <name>', 'legal name')
    .option('--address <lines>', "address lines, as in 'line|line'")
    .option('--tax-id <id>', 'tax number')
    .option('--city <city>', 'city')
    .option('--postal-code <code>', 'postal code')
    .option('--country <code>', 'country code, such as DE')
    .option('--vat-id <id>', 'VAT id with country prefix')
    .option('--vat-exemption <text>', 'reason for domestic invoices without VAT')
    .option('--iban <iban>', 'bank account for payouts and for payments of invoices')
    .option('--bic <bic>', 'BIC of the bank')
    .option('--payout-fee <amount>', 'fee of a payout, such as 1.50', amountOfUnits)
    .option('--payout-free-above <amount>', 'payouts without a fee above this amount', amountOfUnits)
    .option(
      '--overload-floor <share>',
      'guaranteed share of each goal before price counts under overload, 0 to 1',
      share,
    )
    .option(
      '--overload-floor-least <share>',
      'the same for the tenth of campaigns with the lowest earnings, 0 to 1',
      share,
    )
    .action(run(({ sql }, changes) => changeOperator(sql, new Date(), changes)));
}

type OperatorChanges = VatOptions & {
  name?: string | undefined;
  address?: string | undefined;
  taxId?: string | undefined;
  iban?: string | undefined;
  bic?: string | undefined;
  payoutFee?: number | undefined;
  payoutFreeAbove?: number | undefined;
  overloadFloor?: number | undefined;
  overloadFloorLeast?: number | undefined;
};

/**
 * Sets who runs this installation: the seller on invoices and the payer of payouts, and how overload is shared. What is
 * not given stays as it is.
 * @throws UsageError that names the option
 */
export async function changeOperator(sql: Postgres, now: Date, options: OperatorChanges): Promise<Result> {
  const { name, address, taxId, iban, bic, payoutFee, payoutFreeAbove, overloadFloor, overloadFloorLeast } = options;
  const changes = {
    ...(name !== undefined && { name: shortLine('name', name) }),
    ...(address !== undefined && { address_lines: addressLines(address) }),
    ...(taxId !== undefined && { tax_id: shortLine('tax-id', taxId) }),
    ...placeDetails(options),
    ...(iban !== undefined && { iban }),
    ...(bic !== undefined && { bic }),
    ...(payoutFee !== undefined && { payout_fee: payoutFee }),
    ...(payoutFreeAbove !== undefined && { payout_free_above: payoutFreeAbove }),
    ...(overloadFloor !== undefined && { overload_floor: overloadFloor }),
    ...(overloadFloorLeast !== undefined && { overload_floor_least: overloadFloorLeast }),
  };
  if (Object.keys(changes).length === 0)
    throw new UsageError(
      'operator update takes --name, --address, --city, --postal-code, --country, --tax-id, --vat-id, --vat-exemption, --iban with --bic, --payout-fee, --payout-free-above, --overload-floor or --overload-floor-least',
    );
  const changed = await changeSettings(sql, { actor: OPERATOR, now }, { changes });
  if (isRefusal(changed)) throw new UsageError(changed.errors!.map(asOption).join('. '));
  return detailsOf(changed);
}

/** A fault of a field, by the option that sets it. */
function asOption({ pointer, detail }: FieldFault): string {
  return `--${pointer.slice(1).replaceAll('_', '-')}: ${detail}`;
}
