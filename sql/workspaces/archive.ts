/**
 * Archives and restores the client workspace of an agency. An archived client can be read, but nothing of it runs. It
 * can only be archived once its campaigns have ended and its wallet is empty.
 */
import { formatId, type Handle } from '#domain/id.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { isRefusal, refuse, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import type { Micros } from '#domain/unit.ts';
import { inUnitOfWork, type Call, type Unit } from '#books/unit-of-work.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { lockClient, readClient, type ClientRow, type StoredClient } from './clients.ts';

/** How many campaigns a refusal names; the rest are in the list of campaigns. */
const NAMED_MAX = 5;

/** Archives a client. One that is already archived stays as it is. */
export async function archiveClient(
  sql: Postgres,
  call: Call,
  handle: Handle<'workspace'>,
): Promise<undefined | Refusal> {
  return inUnitOfWork<undefined | Refusal>(sql, call, async unit => {
    const row = await lockClient(unit, call, handle);
    if (isRefusal(row)) return row;
    if (row.parent_handle === null) return refuseAbsent(); // an agency is not its own client
    if (row.archived_at !== null) return undefined;
    const refusal = (await refuseRunning(unit.tx, row)) ?? (await refuseMoney(unit.tx, row));
    if (refusal) return refusal;
    await writeArchived(unit, call, { row, at: unit.now });
    return undefined;
  });
}

/** Restores an archived client. One that is not archived stays as it is. */
export async function restoreClient(
  sql: Postgres,
  call: Call,
  handle: Handle<'workspace'>,
): Promise<StoredClient | Refusal> {
  return inUnitOfWork<StoredClient | Refusal>(sql, call, async unit => {
    const row = await lockClient(unit, call, handle);
    if (isRefusal(row)) return row;
    if (row.parent_handle === null) return refuseAbsent();
    if (row.archived_at !== null) await writeArchived(unit, call, { row, at: null });
    return readClient(unit, call, handle);
  });
}

async function writeArchived(
  unit: Unit,
  { workspace }: Call,
  { row, at }: { row: ClientRow; at: Date | null },
): Promise<void> {
  await unit.tx`update workspaces set archived_at = ${at} where handle = ${row.handle}`;
  const verb = at === null ? 'restored' : 'archived';
  const entity = {
    entityType: 'workspace',
    entityHandle: row.handle,
    diff: { archived_at: { from: row.archived_at, to: at } },
  };
  unit.audit({ ...entity, workspace, action: `client.${verb}` });
  unit.audit({ ...entity, workspace: row.handle, action: `workspace.${verb}` });
}

/**
 * Refuses to archive a client with campaigns that have not ended. Those of a live client's sandbox stay as they are, as
 * its play money does: live keys neither see nor end them.
 */
async function refuseRunning(sql: Queryable, { handle: client, sandbox }: ClientRow): Promise<Refusal | undefined> {
  const rows = await sql<{ handle: Handle<'campaign'>; name: string }[]>`
    select handle, name from campaigns
    where workspace_handle = ${client} and sandbox = ${sandbox}
      and status in ('pending_review', 'live', 'paused') and ended_at is null and deleted_at is null
    order by handle desc limit ${NAMED_MAX + 1}`;
  if (rows.length === 0) return undefined;
  const named = rows
    .slice(0, NAMED_MAX)
    .map(({ handle, name }) => `${name} (${formatId('campaign', handle)})`)
    .join(', ');
  return refuse(
    'state_conflict',
    `The client has campaigns that have not ended: ${named}${rows.length > NAMED_MAX ? ' and others' : ''}. Delete them first, or let them end.`,
  );
}

/** Refuses to archive a client that still has live money. Play money of the sandbox does not count. */
async function refuseMoney(sql: Queryable, { handle }: ClientRow): Promise<Refusal | undefined> {
  const rows = await sql<{ kind: string; currency: string; micros: Micros }[]>`
    select kind, currency, sum(balance_micros)::bigint as micros from ledger_accounts
    where workspace_handle = ${handle} and book = 'live' and kind in ('wallet', 'reservation')
    group by kind, currency having sum(balance_micros) > 0 order by kind desc, currency`;
  const [held] = rows;
  if (!held) return undefined;
  const amount = `${decimalFromMicros(held.micros)} ${held.currency}`;
  return refuse(
    'state_conflict',
    held.kind === 'wallet'
      ? `The client's wallet holds ${amount}. Transfer it to the agency first (POST /v1/agency/clients/${formatId('workspace', handle)}/transfers).`
      : `Campaigns of the client that have ended still hold ${amount}, for plays on their way. What is left of it comes back to its wallet.`,
  );
}
