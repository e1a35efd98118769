/**
 * `admin operator update`: who runs this installation, as invoices and statements print it, the account that payouts
 * are paid from, the fee of a payout, and how overload is shared. Options that are not given stay as they are.
 */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { isRefusal, type FieldFault } from '#domain/refusal.ts';
import type { Postgres } from '#sql/postgres.ts';
import { changeSettings, detailsOf, readSettings } from '../../../api/operator/details/store.ts';
import { OPERATOR } from '../../operator.ts';
import { UsageError } from '../../arguments.ts';
import { amountOfUnits, share } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';
import { addressLines, placeDetails, shortLine, type VatOptions } from './lines.ts';

export function declareOperatorCommands(program: CommandUnknownOpts, run: Runner): void {
  const operator = program.command('operator').description('who runs this installation');
  operator
    .command('show')
    .description('show who sells and pays, and what invoices with VAT still need')
    .action(run(async ({ sql }) => detailsOf(await readSettings(sql))));
  operator
    .command('update')
    .description('set who sells and pays; options that are left out stay as they are')
    .option('--name <name>', 'legal name')
    .option('--address <lines>', "its lines, as in 'line|line'")
    .option('--tax-id <id>', 'number for the tax office')
    .option('--city <city>', 'city of the address')
    .option('--postal-code <code>', 'postal code of the address')
    .option('--country <code>', 'country of the address, such as DE')
    .option('--vat-id <id>', 'VAT id, with the prefix of the country')
    .option('--vat-exemption <text>', 'why no VAT is charged at home')
    .option('--iban <iban>', 'account that payouts leave from and invoices ask to pay to')
    .option('--bic <bic>', 'its bank')
    .option('--payout-fee <amount>', 'fee of a payout, such as 1.50', amountOfUnits)
    .option('--payout-free-above <amount>', 'payouts above it are free', amountOfUnits)
    .option(
      '--overload-floor <share>',
      'if demand exceeds supply: the part of its goal that each campaign gets before price counts, 0 to 1',
      share,
    )
    .option(
      '--overload-floor-least <share>',
      'the same for campaigns that earn less than nine in ten others, 0 to 1',
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
