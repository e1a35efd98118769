/**
 * Client workspaces of an agency: listed, created and changed. The agency itself is read and changed as they are: its
 * branding, approval and retention hold for clients without their own.
 */
import { diffOfChange, diffOfNew } from '#domain/access/audit-diff.ts';
import type { Role } from '#domain/access/permission.ts';
import type { Handle } from '#domain/id.ts';
import type { BillingModel } from '#domain/money/invoice.ts';
import { bookOf } from '#domain/money/ledger.ts';
import { isRefusal, refuse, refuseAbsent, refuseField, type Refusal } from '#domain/refusal.ts';
import { stableJson } from '#domain/signing/stable-json.ts';
import type { Micros } from '#domain/unit.ts';
import { inUnitOfWork, Rollback, type Call, type Owner, type Unit } from '#books/unit-of-work.ts';
import { readDiscountFacts, type DiscountFactsRow } from './discount-facts.ts';
import { likeText, readListed, type Counted } from '#sql/lists/list-order.ts';
import type { PageOrder, Sorts } from '#sql/lists/sorts.ts';
import { changeSeats } from '#sql/members/client-seats.ts';
import { seatFounder } from '#sql/members/seats.ts';
import { assignments, jsonb, type Postgres, type Queryable } from '#sql/postgres.ts';
import { insertWorkspace } from './workspaces.ts';

/**
 * Limit for live clients, and a separate one for sandbox clients. Each client is a company; an agency with more of them
 * has a program that creates them by mistake.
 */
const CLIENTS_MAX = 10_000;

type Branding = { display_name?: string; accent_color?: string; footer?: string };
type BillingDetails = {
  legal_name: string;
  address_lines: string[];
  tax_id?: string;
  city?: string;
  postal_code?: string;
  country?: string;
  vat_id?: string;
  vat_exemption?: string;
};
type Approval = 'none' | 'agency';

/** A client with what it inherits, or the agency itself, which has no parent. */
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
  branding: Branding | null;
  billing_details: BillingDetails | null;
  approval: Approval | null;
  audit_retention_years: number | null;
  agency_branding: Branding | null;
  agency_approval: Approval | null;
  agency_retention_years: number | null;
  plan: string;
};
type Seat = { email: string; role: Role };
/** A client with its wallet, its people, and what makes its discount. */
export type StoredClient = ClientRow & { walletMicros: Micros; discount: DiscountFactsRow; seats: Seat[] };

/** The orders of a list of clients. */
export const CLIENT_SORTS = {
  created_at: 'handle',
  name: { column: 'c.name', type: 'text', valueOf: row => row.name },
} as const satisfies Sorts<ClientRow>;

/** Refuses a caller that acts on a client workspace: clients have no clients. */
export async function refuseClient(
  sql: Queryable,
  { workspace }: Pick<Owner, 'workspace'>,
): Promise<Refusal | undefined> {
  const [row] = await sql<{ parent_handle: Handle<'workspace'> | null }[]>`
    select parent_handle from workspaces where handle = ${workspace}`;
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

export type ClientFilter = {
  statuses?: readonly string[];
  billingModels?: readonly string[];
  currencies?: readonly string[];
  name?: string;
  isCounted: boolean;
};

/** A page of the clients of the caller's workspace. Those that test keys created are only listed for test keys. */
export async function listClients(
  sql: Postgres,
  owner: Owner,
  { page, filter, now }: { page: PageOrder; filter: ClientFilter; now: Date },
): Promise<Counted<StoredClient> | Refusal> {
  const refusal = await refuseClient(sql, owner);
  if (refusal) return refusal;
  const { statuses = ['active'], billingModels, currencies, name, isCounted } = filter;
  const wanted = sql<
    ClientRow[]
  >`${selectClients(sql)} where c.parent_handle = ${owner.workspace} and c.sandbox = ${owner.sandbox}
    and case when c.archived_at is null then 'active' else 'archived' end = any(${[...statuses]}::text[])
    ${billingModels === undefined ? sql`` : sql`and c.billing_model = any(${[...billingModels]}::text[])`}
    ${currencies === undefined ? sql`` : sql`and c.currency = any(${[...currencies]}::text[])`}
    ${name === undefined ? sql`` : sql`and c.name ilike ${likeText(name)}`}`;
  const { rows, ...total } = await readListed(sql, page, {
    sorts: CLIENT_SORTS,
    handle: 'c.handle',
    wanted,
    isCounted,
  });
  return { rows: await complete(sql, rows, { sandbox: owner.sandbox, now }), ...total };
}

type ClientFields = { name: string; billing_model: BillingModel; currency: string };

/** Creates a client workspace with the caller as its owner. */
export async function createClient(sql: Postgres, call: Call, fields: ClientFields): Promise<StoredClient | Refusal> {
  return inUnitOfWork(sql, call, async unit => {
    const { workspace, sandbox, actor } = call;
    const refusal = (await refuseClient(unit.tx, call)) ?? (await refuseMany(unit, call));
    if (refusal) return refusal;
    const client = await insertWorkspace(unit, { ...fields, kind: 'brand', parent_handle: workspace, sandbox });
    if (!(await seatFounder(unit, { client, user: actor.handle! })))
      throw new Rollback(refuse('role_forbidden', 'You have left this agency a moment ago.'));
    const entity = { entityType: 'workspace', entityHandle: client, diff: diffOfNew(fields) };
    unit.audit({ ...entity, workspace, action: 'client.created' });
    unit.audit({ ...entity, workspace: client, action: 'workspace.created' });
    return readClient(unit, call, client);
  });
}

/** Calls at the same moment are counted one by one. */
async function refuseMany({ tx }: Unit, { workspace, sandbox }: Owner): Promise<Refusal | undefined> {
  await tx`select 1 from workspaces where handle = ${workspace} for no key update`;
  const [row] = await tx<{ clients: number }[]>`select count(*) as clients from workspaces
      where parent_handle = ${workspace} and sandbox = ${sandbox}`;
  return row!.clients < CLIENTS_MAX
    ? undefined
    : refuse('state_conflict', `An agency has at most ${CLIENTS_MAX} clients.`);
}

/** A client of the caller's workspace, archived or not, or the agency itself. */
export async function findClient(
  sql: Postgres,
  owner: Owner,
  { handle, now }: { handle: Handle<'workspace'>; now: Date },
): Promise<StoredClient | Refusal> {
  const refusal = await refuseClient(sql, owner);
  if (refusal) return refusal;
  const rows = await sql<ClientRow[]>`${selectOwn(sql, owner, handle)}`;
  const [client] = await complete(sql, rows, { sandbox: owner.sandbox, now });
  return client ?? refuseAbsent();
}

/** Fields to change. Null: as the agency has it. `seats` replaces the people of the workspace. */
type ClientChanges = {
  name?: string;
  billing_model?: BillingModel;
  branding?: Branding | null;
  billing_details?: BillingDetails | null;
  approval?: Approval | null;
  audit_retention_years?: 2 | 7 | null;
  case_study?: boolean;
  seats?: readonly Seat[];
};

/** Changes a client, or the agency itself, whose branding, approval and retention its clients inherit. */
export async function changeClient(
  sql: Postgres,
  call: Call,
  { handle, changes, role }: { handle: Handle<'workspace'>; changes: ClientChanges; role: Role },
): Promise<StoredClient | Refusal> {
  return inUnitOfWork(sql, call, async unit => {
    const { workspace, actor } = call;
    const before = await lockClient(unit, call, handle);
    if (isRefusal(before)) return before;
    const refusal = refuseSharedFor(call, before) ?? refuseChange(before, changes) ?? refuseArchived(before);
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
    const by = { user: actor.handle!, role };
    const whole = { ...diff, ...(seats && (await changeSeats(unit, handle, { seats, by }))) };
    if (Object.keys(whole).length > 0) {
      const entity = { entityType: 'workspace', entityHandle: handle, diff: whole };
      if (handle !== workspace) unit.audit({ ...entity, workspace, action: 'client.updated' });
      unit.audit({ ...entity, workspace: handle, action: 'workspace.updated' });
    }
    return readClient(unit, call, handle);
  });
}

/** The client of this handle, or the agency itself, if it is the caller's. */
function selectOwn(sql: Queryable, { workspace, sandbox }: Owner, handle: Handle<'workspace'>) {
  return sql`${selectClients(sql)} where c.handle = ${handle}
    and (c.parent_handle = ${workspace} and c.sandbox = ${sandbox} or c.handle = ${workspace})`;
}

/** Locks a client of the caller's workspace, or the agency itself. */
export async function lockClient(
  { tx }: Unit,
  owner: Owner,
  handle: Handle<'workspace'>,
): Promise<ClientRow | Refusal> {
  const refusal = await refuseClient(tx, owner);
  if (refusal) return refusal;
  const [row] = await tx<ClientRow[]>`${selectOwn(tx, owner, handle)} for no key update of c`;
  return row ?? refuseAbsent();
}

export function refuseArchived({ archived_at }: ClientRow): Refusal | undefined {
  return archived_at === null ? undefined : refuse('workspace_archived', 'The client is archived. Restore it first.');
}

/** The agency itself is no record of a sandbox: what it says of its clients holds for the live ones. */
function refuseSharedFor({ sandbox }: Owner, { parent_handle }: ClientRow): Refusal | undefined {
  return sandbox && parent_handle === null
    ? refuse('wrong_mode', 'The agency itself is live, and not part of the sandbox. Use a live key.')
    : undefined;
}

function refuseChange(before: ClientRow, changes: ClientChanges): Refusal | undefined {
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
  { branding, billing_details: details, ...columns }: Omit<ClientChanges, 'seats'>,
): Record<string, unknown> {
  return {
    ...columns,
    ...(branding !== undefined && { branding: branding === null ? null : jsonb(tx, branding) }),
    ...(details !== undefined && { billing_details: details === null ? null : jsonb(tx, details) }),
  };
}

export async function readClient({ tx, now }: Unit, { sandbox }: Owner, handle: Handle<'workspace'>) {
  const rows = await tx<ClientRow[]>`${selectClients(tx)} where c.handle = ${handle}`;
  return (await complete(tx, rows, { sandbox, now }))[0]!;
}

/** Reads the money and the people of clients. */
async function complete(
  sql: Queryable,
  rows: readonly ClientRow[],
  { sandbox, now }: { sandbox: boolean; now: Date },
): Promise<StoredClient[]> {
  const handles = rows.map(row => row.handle);
  const balances = await readBalances(sql, handles, sandbox);
  const facts = await readDiscountFacts(sql, handles, { sandbox, now });
  const seats =
    handles.length === 0
      ? []
      : await sql<{ workspace_handle: Handle<'workspace'>; email: string; role: Role }[]>`
    select workspace_handle, email, role from users where workspace_handle in ${sql(handles)} and removed_at is null
    order by handle`;
  return rows.map(row => ({
    ...row,
    walletMicros: balances.get(row.handle) ?? 0,
    discount: facts.get(row.handle)!,
    seats: seats.filter(seat => seat.workspace_handle === row.handle).map(({ email, role }) => ({ email, role })),
  }));
}

/** The wallets of workspaces in a book. One that never had money is left out. */
export async function readBalances(
  sql: Queryable,
  workspaces: readonly Handle<'workspace'>[],
  sandbox: boolean,
): Promise<Map<Handle<'workspace'>, Micros>> {
  if (workspaces.length === 0) return new Map();
  const rows = await sql<{ workspace_handle: Handle<'workspace'>; micros: Micros }[]>`
    select a.workspace_handle, a.balance_micros as micros from ledger_accounts a
    join workspaces w on w.handle = a.workspace_handle and w.currency = a.currency
    where a.kind = 'wallet' and a.book = ${bookOf({ sandbox })}
    and a.workspace_handle in ${sql([...workspaces])}`;
  return new Map(rows.map(row => [row.workspace_handle, row.micros]));
}
