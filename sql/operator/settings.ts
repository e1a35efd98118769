/** Who runs this installation, the seller on invoices and the payer of payouts, and its terms. */
import { inUnitOfWork, type UnitOptions, type Decider } from '#books/unit-of-work.ts';
import { maskIban, parseBic, parseIban } from '#domain/money/iban.ts';
import { microsFromDecimal } from '#domain/money/money.ts';
import { isRefusal, refuseField, refuseFields, type FieldFault, type Refusal } from '#domain/refusal.ts';
import { readVatDetails } from '#domain/tax/vat-party.ts';
import type { Micros } from '#domain/unit.ts';
import { assignments, type Postgres, type Queryable } from '#sql/postgres.ts';
import { diffOfChange } from '#domain/access/audit-diff.ts';

/** Terms hold in the currency of each payout, so they have the decimals that most currencies have. */
const CURRENCY_OF_TWO_DECIMALS = 'EUR';
type Amounts = 'payout_fee' | 'payout_free_above';
type Details = {
  name: string;
  address_lines: string[];
  city: string | null;
  postal_code: string | null;
  country: string | null;
  tax_id: string | null;
  vat_id: string | null;
  vat_exemption: string | null;
  iban: string | null;
  bic: string | null;
  overload_floor: number;
  overload_floor_least: number;
};
/** As stored. */
export type OperatorSettings = Details & Record<`${Amounts}_micros`, Micros>;
/** Amounts are in units of money. */
export type SettingsChange = Partial<Details & Record<Amounts, number>>;
type Columns = Partial<OperatorSettings>;

export async function readSettings(sql: Queryable): Promise<OperatorSettings> {
  const [row] = await sql<OperatorSettings[]>`
    select name, address_lines, city, postal_code, country, tax_id, vat_id, vat_exemption, iban, bic, payout_fee_micros,
      payout_free_above_micros, overload_floor, overload_floor_least from operator_settings`;
  return row!;
}

/** Changes what is given; the rest stays. The audit log of the operator's workspace names the account by its end. */
export async function changeSettings(
  sql: Postgres,
  options: UnitOptions,
  { changes, by }: { changes: SettingsChange; by?: Decider },
): Promise<OperatorSettings | Refusal> {
  return inUnitOfWork<OperatorSettings | Refusal>(sql, options, async unit => {
    await unit.tx`select from operator_settings for update`;
    const before = await readSettings(unit.tx);
    const columns = columnsOf(changes, before);
    if (isRefusal(columns)) return columns;
    await unit.tx`update operator_settings set ${assignments(unit.tx, columns)}`;
    const after = { ...before, ...columns };
    const diff = diffOfChange(auditedOf(before), auditedOf(after));
    if (by && Object.keys(diff).length > 0)
      unit.audit({ ...by, action: 'operator.updated', entityType: 'workspace', entityHandle: by.workspace, diff });
    return after;
  });
}

function auditedOf({ iban, ...settings }: OperatorSettings): Record<string, unknown> {
  return { ...settings, iban_masked: iban === null ? null : maskIban(iban) };
}

/** What is stored of the changes, or the refusal that names the field. */
function columnsOf(changes: SettingsChange, before: OperatorSettings): Columns | Refusal {
  const { payout_fee: fee, payout_free_above: freeAbove, ...given } = trimmed(changes);
  const bank = readBank(given, before);
  if (isRefusal(bank)) return bank;
  const { country, vat_id: vatId } = { ...before, ...given };
  const place = readVatDetails(
    { ...(country !== null && { country }), ...(vatId !== null && { vat_id: vatId }) },
    field => `/${field}`,
  );
  if (isRefusal(place)) return place;
  const columns: Columns = { ...given, ...bank, ...(given.vat_id && { vat_id: place.vat_id }) };
  for (const [field, amount] of Object.entries({ payout_fee: fee, payout_free_above: freeAbove })) {
    if (amount === undefined) continue;
    const micros = microsFromDecimal(amount, CURRENCY_OF_TWO_DECIMALS, '', field);
    if (isRefusal(micros)) return micros;
    columns[`${field as Amounts}_micros`] = micros; // of the names above
  }
  return columns;
}

function trimmed(changes: SettingsChange): SettingsChange {
  return Object.fromEntries(
    Object.entries(changes).map(([field, value]) => [field, typeof value === 'string' ? value.trim() : value]),
  );
}

type Bank = { iban?: string | null; bic?: string | null };

/** The account as it is stored. A BIC is of the account that it came with. */
function readBank({ iban, bic }: Bank, before: OperatorSettings): Bank | Refusal {
  if (iban === undefined && bic === undefined) return {};
  const number = iban === undefined ? before.iban : iban === null ? null : parseIban(iban);
  const bank = bic ? parseBic(bic) : null;
  const faults: FieldFault[] = [];
  if (number === undefined)
    faults.push({ pointer: '/iban', code: 'bad_format', detail: 'must be an IBAN with matching check digits' });
  if (bank === undefined)
    faults.push({ pointer: '/bic', code: 'bad_format', detail: 'must be a BIC of 8 or 11 characters' });
  if (number === undefined || bank === undefined) return refuseFields(faults);
  return number === null && bank !== null
    ? refuseField('/iban', 'required', 'is required with a BIC')
    : { iban: number, bic: bank };
}
