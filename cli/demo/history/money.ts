/**
 * Billing details, last month's invoices, of which the first brand's is unpaid, and two withdrawals of the venues'
 * owner, of which the newer one is pending.
 */
import type { Handle } from '#domain/id.ts';
import { monthOf } from '#domain/money/invoice.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Actor } from '#books/unit-of-work.ts';
import { listWorkspaceInvoices } from '#sql/invoices/rows.ts';
import { newest } from '#sql/lists/sorts.ts';
import { createPayout } from '#sql/payouts/withdrawals.ts';
import { createSealer } from '#runtime/cryptography/sealed.ts';
import { issueInvoices } from '../../../workers/invoices/issue-invoices.ts';
import type { JobContext } from '../../../workers/schedule.ts';
import { setInvoiceAddress, settleInvoice } from '../../admin/money/invoices.ts';
import { changeOperator } from '../../admin/money/operator.ts';
import { setPayoutAccount } from '../../admin/money/payout-accounts.ts';
import { recordOutcome, setHoldDays } from '../../admin/money/payouts.ts';
import { accepted } from '../accepted.ts';
import type { FoundedNetwork, Party } from '../network/network.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Invoices are issued in the first hours of a month. */
const ISSUED_AFTER_MS = 3 * HOUR_MS;
const PAID_AFTER_DAYS = 8;
/** A month has one of each brand and of the agency. */
const INVOICES_MAX = 1_000;
const HOLD_DAYS = 7;
/** The first withdrawal, which the bank paid some days later, and the pending one. */
const [FIRST_WITHDRAWAL_DAYS_AGO, PAYMENT_DAYS] = [16, 2];
const LAST_WITHDRAWAL_MS_AGO = 5 * HOUR_MS;
/** Example numbers, which belong to no account and no company. */
const [IBAN, OTHER_IBAN] = ['DE89370400440532013000', 'DE02120300000000202051'];
const SELLER_VAT_ID = 'DE123456789';

/** Sets the operator's details, the billing addresses and the payout account. */
export async function nameParties(
  sql: JobContext['sql'],
  founded: FoundedNetwork,
  encryptionKey: string,
): Promise<void> {
  const { openedAt, brands, agency, venue } = founded;
  await changeOperator(sql, openedAt, {
    name: 'Example Screens GmbH',
    address: 'Beispielstraße 1',
    city: 'Berlin',
    postalCode: '10115',
    country: 'DE',
    vatId: SELLER_VAT_ID,
    iban: IBAN,
  });
  const buyers = [
    ...brands.map(({ workspace, brand }) => ({ workspace, name: brand.name })),
    { ...agency, name: 'Northern Media' },
  ];
  for (const [index, { workspace, name }] of buyers.entries())
    await setInvoiceAddress(sql, openedAt, {
      workspace,
      name: `${name} GmbH`,
      address: `Musterweg ${index + 2}`,
      city: 'Hamburg',
      postalCode: '20095',
      country: 'DE',
    });
  const sealer = createSealer(Buffer.from(encryptionKey, 'base64'));
  const account = { workspace: venue.workspace, holder: 'City Screens', iban: OTHER_IBAN, bic: undefined };
  await setPayoutAccount({ sql, sealer }, openedAt, account);
  await setHoldDays(sql, openedAt, { workspace: venue.workspace, days: String(HOLD_DAYS) });
}

/** Issues last month's invoices and settles those of all payers except the first brand. */
export async function issueLastMonth(context: JobContext, { brands, agency }: FoundedNetwork): Promise<void> {
  const { sql, now } = context;
  const nowMs = now().getTime();
  const issuedAt = new Date(Math.min(Date.parse(monthOf(nowMs)) + ISSUED_AFTER_MS, nowMs));
  await issueInvoices({ ...context, now: () => issuedAt });
  const paidAt = new Date(issuedAt.getTime() + PAID_AFTER_DAYS * DAY_MS);
  if (paidAt > now()) return;
  const payers = new Set([...brands.slice(1), agency].map(({ workspace }) => workspace));
  const page = { ...newest(INVOICES_MAX), isDescending: false };
  const { rows } = await listWorkspaceInvoices(sql, { page, filter: { isCounted: false } });
  for (const { handle, workspace } of rows) if (payers.has(workspace)) await settleInvoice(sql, paidAt, handle);
}

/** Withdraws all available earnings, twice. */
export async function withdraw({ sql, now }: JobContext, venue: Party): Promise<void> {
  const nowMs = now().getTime();
  const firstMs = nowMs - FIRST_WITHDRAWAL_DAYS_AGO * DAY_MS;
  const paid = await withdrawAll(sql, venue, firstMs);
  await recordOutcome(sql, new Date(firstMs + PAYMENT_DAYS * DAY_MS), { payout: paid, outcome: 'paid' });
  await withdrawAll(sql, venue, nowMs - LAST_WITHDRAWAL_MS_AGO);
}

async function withdrawAll(
  sql: JobContext['sql'],
  { workspace, user }: Party,
  now: Milliseconds,
): Promise<Handle<'payout'>> {
  const actor: Actor = { type: 'user', source: 'API', handle: user };
  const call = { workspace, sandbox: false, actor, now: new Date(now) };
  const request = { wantedMicros: undefined, currency: 'EUR', holdDays: HOLD_DAYS };
  return accepted(await createPayout(sql, call, request)).row.handle;
}
