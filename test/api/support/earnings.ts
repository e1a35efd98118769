/**
 * Earnings, accounts, findings and invoices, written straight into the database as settlement and the API write them.
 * Tests of money use them where the way of a play does not matter.
 */
import { formatId, type Handle } from '../../../domain/id.ts';
import { earning } from '../../../domain/money/ledger.ts';
import { replaceAccount } from '#sql/payouts/accounts.ts';
import { raiseFinding } from '#sql/findings/findings.ts';
import { jsonb } from '#sql/postgres.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import type { TestApi } from './app-under-test.ts';

export const IBAN = 'DE89370400440532013000';

export type Earned = {
  workspace: Handle<'workspace'>;
  venue: number;
  amount: number;
  currency: string;
  day: string;
  settledOn: string;
  sandbox: boolean;
};
let posted = 0;

/**
 * Earnings of a day as settlement writes them, with their posting: ten plays, and half of the gross. Without another
 * day of settlement they were released long ago.
 */
export async function addEarnings(
  api: Pick<TestApi, 'sql' | 'clock'>,
  {
    workspace,
    venue,
    amount,
    currency = 'EUR',
    day = '2026-03-01',
    settledOn = day,
    sandbox = false,
  }: Pick<Earned, 'workspace' | 'venue' | 'amount'> & Partial<Earned>,
): Promise<void> {
  const micros = Math.round(amount * 1_000_000);
  await inUnitOfWork(api.sql, { actor: SYSTEM_ACTOR, now: new Date(api.clock.now()) }, async unit => {
    await unit.tx`
      insert into venue_earnings (workspace_handle, venue_handle, sandbox, currency, day, tier, share_millionths, settled_on, plays, impressions_thousandths, gross_micros, earned_micros)
      values (${workspace}, ${venue}, ${sandbox}, ${currency}, ${day}, 'sensing', 500000, ${settledOn}, 10, 50500, ${2 * micros}, ${micros})`;
    await unit.tx`
      insert into earnings_days (workspace_handle, sandbox, currency, settled_on, earned_micros) values (${workspace}, ${sandbox}, ${currency}, ${unit.now.toISOString().slice(0, 10)}::date, ${micros})
      on conflict (workspace_handle, sandbox, currency, settled_on) do update set earned_micros = earnings_days.earned_micros + excluded.earned_micros`;
    await unit.post(
      earning({
        book: sandbox ? 'sandbox' : 'live',
        currency,
        workspace,
        amountMicros: micros,
        reference: `earning:test:${(posted += 1)}`,
      }),
    );
  });
}

/** An account that may be withdrawn to at once. */
export async function giveAccount(api: TestApi, workspace: Handle<'workspace'>): Promise<void> {
  const now = new Date(api.clock.now());
  await api.sql.begin(tx =>
    replaceAccount({ tx, now }, api.sealer, { workspace, holder: 'A bar', iban: IBAN, bic: null, usableFrom: now }),
  );
}

type Place = { workspace: Handle<'workspace'>; venue: Handle<'venue'>; screen?: Handle<'screen'> };

/** An open finding about a venue, or about one of its screens, which holds the earnings of the day of `addEarnings`. */
export async function raiseFindingAbout(
  api: Pick<TestApi, 'sql' | 'clock'>,
  { workspace, venue, screen }: Place,
  rule = 'pace',
): Promise<string> {
  const found = {
    rule,
    ruleVersion: 1,
    workspace,
    venue,
    screen: screen ?? null,
    fromAt: new Date('2026-03-01T00:00:00Z'),
    toAt: new Date('2026-03-02T00:00:00Z'),
    evidence: { plays: 4_210, plays_per_hour: 175.4, times_peers: 9.1, score: 7.42, peer_venues: 14, peer_owners: 5 },
  };
  const raised = await api.sql.begin(tx => raiseFinding(tx, found, new Date(api.clock.now())));
  return formatId('finding', raised!.handle);
}

/** An invoice of March 2026 over 119.00 with VAT, as the workers issue it. */
export async function addInvoice(
  api: Pick<TestApi, 'sql' | 'clock'>,
  { workspace, sequence }: { workspace: Handle<'workspace'>; sequence: number },
): Promise<string> {
  const party = (name: string) => ({ name, address_lines: ['1 Harbour Street'], tax_id: '42' });
  const parties = { seller: party('Network operations'), buyer: party('Test'), branding: null };
  const [row] = await api.sql<{ handle: Handle<'invoice'> }[]>`
    insert into invoices (workspace_handle, year, sequence, month, currency, is_consolidated, status, gross_micros, discount_micros, total_micros, parties, issued_at, vat_category, vat_rate, vat_micros)
    values (${workspace}, 2026, ${sequence}, '2026-03-01', 'EUR', false, 'issued', 100000000, 0, 100000000, ${jsonb(api.sql, parties)}, '2026-04-01T02:00:00Z', 'S', 1900, 19000000)
    returning handle`;
  return formatId('invoice', row!.handle);
}

/** An open dispute of a payment, whose top-up is on the wallet if the caller has funded that. */
export async function addDispute(
  api: Pick<TestApi, 'sql' | 'clock'>,
  { workspace, user, amount }: { workspace: Handle<'workspace'>; user: Handle<'user'>; amount: number },
): Promise<string> {
  const [now, micros, name] = [new Date(api.clock.now()), amount * 1_000_000, `dp_${(posted += 1)}`];
  const [row] = await api.sql<{ handle: Handle<'payment_case'> }[]>`
    with asked as (
      insert into top_ups (workspace_handle, user_handle, book, currency, amount_micros, created_at, credited_at)
      values (${workspace}, ${user}, 'live', 'EUR', ${micros}, ${now}, ${now}) returning handle),
    paid as (
      insert into checkouts (top_up_handle, reference, status, success_url, created_at, ended_at)
      select handle, ${name}, 'paid', 'https://example.com/', ${now}, ${now} from asked returning handle)
    insert into payment_cases (kind, object_id, payment_id, checkout_handle, currency, amount_micros, status,
      created_at)
    select 'dispute', ${name}, ${`pi_${name}`}, handle, 'EUR', ${micros}, 'open', ${now} from paid returning handle`;
  return formatId('payment_case', row!.handle);
}
