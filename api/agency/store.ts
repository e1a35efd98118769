/**
 * Client workspaces of an agency in Postgres: list, creation, changes, and transfers between the wallets of the agency
 * and a client. `archive.ts` has the rest.
 */
import { discountRate } from '#domain/money/discount.ts';
import { formatId, type Handle } from '#domain/id.ts';
import type { BillingModel } from '#domain/money/invoice.ts';
import { transferBetween } from '#domain/money/ledger.ts';
import type { Role } from '#domain/access/permission.ts';
import { isRefusal, refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import { readDiscountFacts } from '#records/discount-facts.ts';
import { changeSeats } from '#sql/members/client-seats.ts';
import { seatFounder } from '#sql/members/seats.ts';
import { assignments, jsonb, type Postgres, type Queryable } from '#sql/postgres.ts';
import { stableJson } from '#domain/signing/stable-json.ts';
import { inUnitOfWork, Rollback, type Unit } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfChange, diffOfNew } from '#domain/access/audit-diff.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { likeText, positionIn, sliceOf, totalOf } from '#sql/lists/list-order.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import { money } from '../wire/shapes.ts';
import { CLIENT_SORTS, type ChangeClient, type Client, type ClientsParameters } from './schema.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/**
 * Limit for live clients, and a separate one for sandbox clients. Each client is a company; an agency with more of them
 * has a program that creates them by mistake.
 */
const CLIENTS_MAX = 10_000;

export type ClientRow = {
  handle: Handle<'workspace'>;
  parent_handle: Handle<'workspace'> | null;
  name: string;
  currency: string;
  sandbox: boolean;
  billing_model: BillingModel | null;
  case_study: boolean;
  created_at: Date;
  archived_at: Date | null;
  branding: Client['branding'];
  billing_details: Client['billing_details'];
  approval: 'none' | 'agency' | null;
  audit_retention_years: number | null;
  agency_branding: Client['branding'];
  agency_approval: 'none' | 'agency' | null;
  agency_retention_years: number | null;
  plan: string;
};
type ClientFields = { name: string; billing_model: BillingModel; currency: string };
type Transfer = {
  client: Handle<'workspace'>;
  direction: 'to_client' | 'to_agency';
  amountMicros: Micros;
  currency: string;
  now: Milliseconds;
};

/** Refuses a caller that acts on a client workspace: clients have no clients. */
export async function refuseClient(sql: Queryable, caller: Caller): Promise<Refusal | undefined> {
  const [row] = await sql<
    { parent_handle: Handle<'workspace'> | null }[]
  >`select parent_handle from workspaces where handle = ${caller.workspace}`;
  return row === undefined || row.parent_handle === null
    ? undefined
    : refuse('wrong_surface', 'A client workspace has no clients; send no X-Workspace-Id here.');
}

function selectClients(sql: Queryable) {
  return sql`
    select c.handle, c.parent_handle, c.name, c.currency, c.sandbox, c.billing_model, c.case_study, c.created_at,
      c.archived_at, c.branding, c.billing_details, c.approval, c.audit_retention_years,
      a.branding as agency_branding, a.approval as agency_approval, a.audit_retention_years as agency_retention_years, coalesce(a.plan, c.plan) as plan
    from workspaces c left join workspaces a on a.handle = c.parent_handle`;
}

/** Lists the clients of the caller's workspace. Clients that test keys created are only listed for test keys. */
export async function listClients(
  sql: Postgres,
  caller: Caller,
  { page, filter, now }: { page: Page; filter: ClientsParameters; now: Milliseconds },
): Promise<List<Client> | Refusal> {
  const refusal = await refuseClient(sql, caller);
  if (refusal) return refusal;
  const { status = 'active', billing_model: model, currency, q, count } = filter;
  const wanted = sql`${selectClients(sql)} where c.parent_handle = ${caller.workspace} and c.sandbox = ${caller.sandbox} and case when c.archived_at is null then 'active' else 'archived' end = any(${status.split(',')}::text[])
    ${model === undefined ? sql`` : sql`and c.billing_model = any(${model.split(',')}::text[])`}
    ${currency === undefined ? sql`` : sql`and c.currency = any(${currency.split(',')}::text[])`}
    ${q === undefined ? sql`` : sql`and c.name ilike ${likeText(q)}`}`;
  const { behind, order } = sliceOf(sql, page, { sorts: CLIENT_SORTS, handle: 'c.handle' });
  const [rows, total] = await Promise.all([
    sql<ClientRow[]>`${wanted} ${behind} ${order}`,
    totalOf(sql, count === 'true', wanted),
  ]);
  const records = await clientRecords(sql, rows, { sandbox: caller.sandbox, now: new Date(now) });
  return {
    ...envelope(rows, page, { positionOf: positionIn(page, CLIENT_SORTS), recordOf: row => records.get(row.handle)! }),
    ...total,
  };
}

/** Creates a client workspace with the caller as its owner. */
export async function createClient(
  sql: Postgres,
  caller: Caller,
  { fields, now }: { fields: ClientFields; now: Milliseconds },
): Promise<Client | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const refusal = (await refuseClient(unit.tx, caller)) ?? (await refuseMany(unit, caller));
    if (refusal) return refusal;
    const [row] = await unit.tx<{ handle: Handle<'workspace'> }[]>`
      insert into workspaces ${unit.tx({
        ...fields,
        kind: 'brand',
        parent_handle: caller.workspace,
        sandbox: caller.sandbox,
        created_at: unit.now,
      })} returning handle`;
    const handle = row!.handle;
    if (!(await seatFounder(unit, { client: handle, user: caller.actor.handle! })))
      throw new Rollback(refuse('role_forbidden', 'You have left this agency a moment ago.'));
    const entity = { entityType: 'workspace', entityHandle: handle, diff: diffOfNew(fields) };
    unit.audit({ ...entity, workspace: caller.workspace, action: 'client.created' });
    unit.audit({ ...entity, workspace: handle, action: 'workspace.created' });
    return readClient(unit, caller, handle);
  });
}

/** Calls at the same moment are counted one by one. */
async function refuseMany({ tx }: Unit, caller: Caller): Promise<Refusal | undefined> {
  await tx`select 1 from workspaces where handle = ${caller.workspace} for no key update`;
  const [row] = await tx<{ clients: number }[]>`select count(*) as clients from workspaces
      where parent_handle = ${caller.workspace} and sandbox = ${caller.sandbox}`;
  return row!.clients < CLIENTS_MAX
    ? undefined
    : refuse('state_conflict', `An agency has at most ${CLIENTS_MAX} clients.`);
}

/** `own`: the role of the caller. */
type ClientChange = { handle: Handle<'workspace'>; changes: ChangeClient; own: Role; now: Milliseconds };

/** A client of the caller's workspace, archived or not, or the agency itself. */
export async function findClient(
  sql: Postgres,
  caller: Caller,
  { handle, now }: { handle: Handle<'workspace'>; now: Milliseconds },
): Promise<Client | Refusal> {
  const refusal = await refuseClient(sql, caller);
  if (refusal) return refusal;
  const rows = await sql<ClientRow[]>`${selectOwn(sql, caller, handle)}`;
  const records = await clientRecords(sql, rows, { sandbox: caller.sandbox, now: new Date(now) });
  return records.get(handle) ?? refuseAbsent();
}

/** Changes a client, or the agency itself, whose branding, approval and retention its clients inherit. */
export async function changeClient(
  sql: Postgres,
  caller: Caller,
  { handle, changes, own, now }: ClientChange,
): Promise<Client | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const before = await lockClient(unit, caller, handle);
    if (isRefusal(before)) return before;
    const refusal = refuseSharedFor(caller, before) ?? refuseChange(before, changes) ?? refuseArchived(before);
    if (refusal) return refusal;
    const { seats, ...given } = changes;
    // Postgres keeps the fields of an object in an order of its own.
    const columns = Object.fromEntries(
      Object.entries(given).filter(
        ([field, value]) => stableJson(value) !== stableJson(before[field as keyof ClientRow]),
      ),
    ) as typeof given;
    const diff = diffOfChange(before, columns);
    if (Object.keys(diff).length > 0)
      await unit.tx`update workspaces set ${assignments(unit.tx, stored(unit, columns))} where handle = ${handle}`;
    const seatsDiff =
      seats === undefined
        ? {}
        : await changeSeats(unit, handle, { seats, by: { user: caller.actor.handle!, role: own } });
    const whole = { ...diff, ...seatsDiff };
    if (Object.keys(whole).length > 0) {
      const entity = { entityType: 'workspace', entityHandle: handle, diff: whole };
      if (handle !== caller.workspace) unit.audit({ ...entity, workspace: caller.workspace, action: 'client.updated' });
      unit.audit({ ...entity, workspace: handle, action: 'workspace.updated' });
    }
    return readClient(unit, caller, handle);
  });
}

/** The client of this handle, or the agency itself, if it is the caller's. */
function selectOwn(sql: Queryable, { workspace, sandbox }: Caller, handle: Handle<'workspace'>) {
  return sql`${selectClients(sql)} where c.handle = ${handle}
    and (c.parent_handle = ${workspace} and c.sandbox = ${sandbox} or c.handle = ${workspace})`;
}

export async function lockClient(
  { tx }: Unit,
  caller: Caller,
  handle: Handle<'workspace'>,
): Promise<ClientRow | Refusal> {
  const refusal = await refuseClient(tx, caller);
  if (refusal) return refusal;
  const [row] = await tx<ClientRow[]>`${selectOwn(tx, caller, handle)} for no key update of c`;
  return row ?? refuseAbsent();
}

function refuseArchived({ archived_at }: ClientRow): Refusal | undefined {
  return archived_at === null ? undefined : refuse('workspace_archived', 'The client is archived. Restore it first.');
}

/** The agency itself is no record of a sandbox: what it says of its clients holds for the live ones. */
function refuseSharedFor({ sandbox }: Caller, { parent_handle }: ClientRow): Refusal | undefined {
  return sandbox && parent_handle === null
    ? refuse('wrong_mode', 'A test key does not change the agency itself, which is live. Use a live key.')
    : undefined;
}

function refuseChange(before: ClientRow, changes: ChangeClient): Refusal | undefined {
  if (before.parent_handle === null) {
    const foreign = (['billing_model', 'case_study', 'seats'] as const).find(field => changes[field] !== undefined);
    if (foreign !== undefined)
      return refuseField(`/${foreign}`, 'not_allowed', 'is set for clients, not for the agency itself');
  }
  if (changes.audit_retention_years === 7 && before.plan !== 'top')
    return refuseField('/audit_retention_years', 'not_allowed', 'must be 2: 7 years are part of the top plan');
  return undefined;
}

function stored(
  { tx }: Unit,
  { branding, billing_details: details, ...columns }: Omit<ChangeClient, 'seats'>,
): Record<string, unknown> {
  return {
    ...columns,
    ...(branding !== undefined && { branding: branding === null ? null : jsonb(tx, branding) }),
    ...(details !== undefined && { billing_details: details === null ? null : jsonb(tx, details) }),
  };
}

export async function readClient({ tx, now }: Unit, caller: Caller, handle: Handle<'workspace'>): Promise<Client> {
  const rows = await tx<ClientRow[]>`${selectClients(tx)} where c.handle = ${handle}`;
  return (await clientRecords(tx, rows, { sandbox: caller.sandbox, now })).get(handle)!;
}

async function clientRecords(
  sql: Queryable,
  rows: readonly ClientRow[],
  { sandbox, now }: { sandbox: boolean; now: Date },
): Promise<Map<Handle<'workspace'>, Client>> {
  const handles = rows.map(row => row.handle);
  const balances = await readBalances(sql, handles, sandbox);
  const facts = await readDiscountFacts(sql, handles, { sandbox, now });
  const seats =
    handles.length === 0
      ? []
      : await sql<{ workspace_handle: Handle<'workspace'>; email: string; role: Role }[]>`
    select workspace_handle, email, role from users where workspace_handle in ${sql(handles)} and removed_at is null
    order by handle`;
  return new Map(
    rows.map(row => {
      const own = facts.get(row.handle)!;
      return [
        row.handle,
        {
          id: formatId('workspace', row.handle),
          name: row.name,
          currency: row.currency,
          wallet: { balance: money(balances.get(row.handle) ?? 0, row.currency) },
          mtd_spend: money(own.monthToDateMicros, row.currency),
          discount_tier: discountRate(own) / 1_000_000,
          billing_model: row.billing_model,
          branding: row.branding ?? row.agency_branding,
          billing_details: row.billing_details,
          approval: row.approval ?? row.agency_approval ?? 'none',
          audit_retention_years:
            row.audit_retention_years ?? row.agency_retention_years ?? (row.plan === 'top' ? 7 : 2),
          inherited:
            row.parent_handle === null
              ? []
              : (['branding', 'approval', 'audit_retention_years'] as const).filter(field => row[field] === null),
          case_study: row.case_study,
          seats: seats.filter(seat => seat.workspace_handle === row.handle).map(({ email, role }) => ({ email, role })),
          created_at: row.created_at.toISOString(),
          archived_at: row.archived_at?.toISOString() ?? null,
        },
      ];
    }),
  );
}

async function readBalances(
  sql: Queryable,
  workspaces: readonly Handle<'workspace'>[],
  sandbox: boolean,
): Promise<Map<Handle<'workspace'>, Micros>> {
  if (workspaces.length === 0) return new Map();
  const rows = await sql<{ workspace_handle: Handle<'workspace'>; micros: Micros }[]>`
    select a.workspace_handle, a.balance_micros as micros from ledger_accounts a
    join workspaces w on w.handle = a.workspace_handle and w.currency = a.currency
    where a.kind = 'wallet' and a.book = ${sandbox ? 'sandbox' : 'live'}
    and a.workspace_handle in ${sql([...workspaces])}`;
  return new Map(rows.map(row => [row.workspace_handle, row.micros]));
}

/** Moves money between the wallets of the agency and its client, of the same currency and book. */
export async function transferMoney(
  sql: Postgres,
  caller: Caller,
  { client, direction, amountMicros, currency, now }: Transfer,
) {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const row = await lockClient(unit, caller, client);
    if (isRefusal(row)) return row;
    if (row.parent_handle === null) return refuseAbsent(); // an agency is not its own client
    const archived = refuseArchived(row);
    if (archived) return archived;
    const foreign = [caller.currency, row.currency].find(own => own !== currency);
    if (foreign !== undefined)
      return refuseField(
        '/amount/currency',
        'wrong_currency',
        `must be the currency of both wallets; one has ${foreign}`,
      );
    const book = caller.sandbox ? 'sandbox' : 'live';
    const [transfer] = await unit.tx<{ handle: Handle<'transfer'> }[]>`
      insert into wallet_transfers ${unit.tx({
        agency_handle: caller.workspace,
        client_handle: client,
        user_handle: caller.actor.handle!,
        direction,
        book,
        currency,
        amount_micros: amountMicros,
        created_at: unit.now,
      })} returning handle`;
    const handle = transfer!.handle;
    const [from, to] = direction === 'to_client' ? [caller.workspace, client] : [client, caller.workspace];
    await unit.post(transferBetween({ book, currency, amountMicros, from, to, reference: `transfer ${handle}` }));
    const amount = money(amountMicros, currency);
    const entity = {
      entityType: 'transfer',
      entityHandle: handle,
      action: 'wallet.transferred',
      diff: diffOfNew({ amount, direction, client_id: formatId('workspace', client) }),
    };
    for (const workspace of [caller.workspace, client]) unit.audit({ ...entity, workspace });
    const balances = await readBalances(unit.tx, [caller.workspace, client], caller.sandbox);
    return {
      id: formatId('transfer', handle),
      client_id: formatId('workspace', client),
      direction,
      amount,
      agency_balance: money(balances.get(caller.workspace) ?? 0, currency),
      client_balance: money(balances.get(client) ?? 0, currency),
      created_at: unit.now.toISOString(),
    };
  });
}
