/**
 * Pairing codes in Postgres. A code has two halves, each usable once within 60 s: the device confirms, and a person
 * gives the label. The half that comes first creates the screen and claims the code; the second attaches to that
 * screen. Each half first locks the row of the code, so that two at the same moment run one after the other.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { formatDeviceToken } from '#domain/access/key.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseAbsent, refuseField, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, type Call, type Owner, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import { ADVISORY_LOCKS } from '#sql/advisory-locks.ts';
import type { Postgres, Transaction } from '#sql/postgres.ts';
import { noteCrowds } from '#sql/venues/crowd.ts';
import { findVenue, holdVenue } from '#sql/venues/rows.ts';
import { findScreen, type ScreenRow } from './rows.ts';

const CODE_VALID_MS = 60_000;
const CODES = 1_000_000;
const CODE_TRIES_MAX = 50; // with 1,000 codes valid at once, 50 tries all fail once in 10^150

export type CodeRow = {
  handle: Handle<'pairing'>;
  code: string;
  workspace_handle: Handle<'workspace'>;
  venue_handle: Handle<'venue'>;
  sandbox: boolean;
  screen_handle: Handle<'screen'> | null;
  confirmed_at: Date | null;
  labelled_at: Date | null;
  expires_at: Date;
};

export type Mint = { venue: Handle<'venue'>; screen: Handle<'screen'> | undefined };

/** Mints a code for a venue, or for a screen of it that has no device yet. */
export async function mintCode(sql: Postgres, call: Call, mint: Mint): Promise<CodeRow | Refusal> {
  const { workspace } = call;
  return inUnitOfWork<CodeRow | Refusal>(sql, call, async unit => {
    const { tx, now } = unit;
    if (!(await findVenue(tx, call, mint.venue))) return refuseVenue();
    const refusal = await checkAttachable(tx, call, mint);
    if (refusal) return refusal;
    const code = await freeCode(tx, now);
    const [row] = await tx<CodeRow[]>`
      insert into pairing_codes (code, workspace_handle, venue_handle, sandbox, screen_handle, expires_at, created_at)
      values (${code}, ${workspace}, ${mint.venue}, ${call.sandbox}, ${mint.screen ?? null},
        ${new Date(now.getTime() + CODE_VALID_MS)}, ${now})
      returning *`;
    const diff = diffOfNew({ venue_id: formatId('venue', mint.venue), expires_at: row!.expires_at });
    unit.audit({ workspace, action: 'pairing.minted', entityType: 'pairing', entityHandle: row!.handle, diff });
    return row!;
  });
}

async function checkAttachable(
  tx: Transaction,
  { workspace, sandbox }: Owner,
  { venue, screen }: Mint,
): Promise<Refusal | undefined> {
  if (screen === undefined) return undefined;
  const [row] = await tx<{ paired: boolean }[]>`
    select token_hash is not null as paired from screens
    where handle = ${screen} and workspace_handle = ${workspace} and venue_handle = ${venue}
      and sandbox = ${sandbox} and unpaired_at is null for update`;
  if (!row) return refuseField('/screen_id', 'unknown_screen', 'is not a screen of this venue');
  return row.paired
    ? refuse('state_conflict', 'A device has confirmed this screen already. Unpair it first.')
    : undefined;
}

/** Six random digits without a valid code. The lock on the digits keeps two transactions from choosing the same. */
async function freeCode(tx: Transaction, now: Date): Promise<string> {
  for (let attempt = 0; attempt < CODE_TRIES_MAX; attempt += 1) {
    const number = randomInt(CODES);
    const code = String(number).padStart(6, '0');
    const [free] = await tx<{ free: boolean }[]>`
      select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.pairingCodes}, ${number}) and not exists (
        select 1 from pairing_codes where code = ${code} and expires_at > ${now}) as free`;
    if (free?.free) return code;
  }
  throw new Error('no pairing code is free');
}

/** The newest code of these digits that the workspace minted. */
export async function findCode(
  sql: Postgres,
  { workspace, sandbox }: Owner,
  code: string,
): Promise<CodeRow | undefined> {
  const [row] = await sql<CodeRow[]>`
    select * from pairing_codes where code = ${code} and workspace_handle = ${workspace} and sandbox = ${sandbox}
    order by expires_at desc limit 1`;
  return row;
}

/**
 * Whether a half of the code was used. A code that was minted for a screen names it from the start and is not claimed
 * by that.
 */
export function isClaimed(row: CodeRow): boolean {
  return row.confirmed_at !== null || row.labelled_at !== null;
}

export type Confirmation = { screen: Handle<'screen'>; token: string };

type Device = { code: string; platform: string; player: string };

/** The device's half: gives the screen its token. Undefined when no such code was ever minted (a wrong guess). */
export async function confirmCode(
  sql: Postgres,
  options: UnitOptions,
  { code, platform, player }: Device,
): Promise<Confirmation | Refusal | undefined> {
  const token = formatDeviceToken(randomBytes(32));
  const tokenHash = createHash('sha256').update(token).digest();
  return inUnitOfWork<Confirmation | Refusal | undefined>(sql, options, async unit => {
    const [row] = await unit.tx<CodeRow[]>`
      select * from pairing_codes where code = ${code} order by expires_at desc limit 1 for update`;
    if (!row) return undefined;
    if (row.expires_at <= unit.now) return refuseExpired();
    if (row.confirmed_at)
      return refuse('pairing_code_used', 'A device has confirmed this code already. Mint a new one.');
    const screen = row.screen_handle ?? (await createScreen(unit, row, ''));
    if (screen === undefined) return refuseExpired();
    const [attached] = await unit.tx`
      update screens set platform = ${platform}, token_hash = ${tokenHash}
      where handle = ${screen} and token_hash is null and unpaired_at is null returning handle`;
    if (!attached) return refuseExpired();
    await unit.tx`update pairing_codes set confirmed_at = ${unit.now}, screen_handle = ${screen}
      where handle = ${row.handle}`;
    unit.audit({
      workspace: row.workspace_handle,
      sandbox: row.sandbox,
      action: 'screen.confirmed',
      entityType: 'screen',
      entityHandle: screen,
      diff: { platform: { from: null, to: platform }, player: { from: null, to: player } },
    });
    unit.changed('screen', screen);
    return { screen, token };
  });
}

/** The person's half: gives the screen its label. Returns the screen. */
export async function labelCode(
  sql: Postgres,
  call: Call,
  { venue, label, code }: { venue: Handle<'venue'>; label: string; code: string },
): Promise<ScreenRow | Refusal> {
  return inUnitOfWork<ScreenRow | Refusal>(sql, call, async unit => {
    const [row] = await unit.tx<CodeRow[]>`
      select * from pairing_codes where code = ${code} and workspace_handle = ${call.workspace}
        and sandbox = ${call.sandbox}
      order by expires_at desc limit 1 for update`;
    if (!row) return refuseField('/code', 'unknown_code', 'is not a pairing code of this workspace');
    if (row.expires_at <= unit.now) return refuseExpired();
    if (row.venue_handle !== venue)
      return refuseField('/venue_id', 'unknown_venue', 'is not the venue that the code was minted for');
    if (row.labelled_at)
      return refuse('pairing_code_used', 'A label was given with this code already. Mint a new one.');
    const screen =
      row.screen_handle === null
        ? ((await createScreen(unit, row, label)) ?? refuseVenue())
        : ((await relabel(unit, row, { screen: row.screen_handle, label })) ?? refuseExpired());
    if (isRefusal(screen)) return screen;
    await unit.tx`update pairing_codes set labelled_at = ${unit.now}, screen_handle = ${screen}
      where handle = ${row.handle}`;
    unit.changed('screen', screen);
    return (await findScreen(unit.tx, call, { handle: screen, now: unit.now.getTime() })) ?? refuseAbsent();
  });
}

export function refuseExpired(): Refusal {
  return refuse('pairing_code_expired', 'A code is valid for 60 seconds, while its venue is there. Mint a new one.');
}

const refuseVenue = (): Refusal => refuseField('/venue_id', 'unknown_venue', 'is not a venue of this workspace');

/**
 * Puts a screen into the venue of the code, unless that was archived since. The venue is locked, so that it is not
 * archived before the screen is there for it to count.
 */
async function createScreen(unit: Unit, row: CodeRow, label: string): Promise<Handle<'screen'> | undefined> {
  const owner = { workspace: row.workspace_handle, sandbox: row.sandbox };
  if (!(await holdVenue(unit.tx, owner, row.venue_handle))) return undefined;
  const [screen] = await unit.tx<{ handle: Handle<'screen'> }[]>`
    insert into screens (workspace_handle, venue_handle, label, sandbox, created_at)
    values (${row.workspace_handle}, ${row.venue_handle}, ${label}, ${row.sandbox}, ${unit.now}) returning handle`;
  const handle = screen!.handle;
  await noteCrowds(unit, [row.venue_handle]);
  const venueId = formatId('venue', row.venue_handle);
  const entity = { workspace: row.workspace_handle, entityType: 'screen', entityHandle: handle };
  const diff = diffOfNew({ venue_id: venueId, label });
  unit.audit({ ...entity, sandbox: row.sandbox, action: 'screen.paired', diff });
  const object = { id: formatId('screen', handle), venue_id: venueId, label };
  unit.emit({ ...entity, sandbox: row.sandbox, type: 'screen.paired', payload: { object } });
  return handle;
}

async function relabel(
  unit: Unit,
  row: CodeRow,
  { screen, label }: { screen: Handle<'screen'>; label: string },
): Promise<Handle<'screen'> | undefined> {
  const [before] = await unit.tx<{ label: string }[]>`
    select label from screens where handle = ${screen} and unpaired_at is null for update`;
  if (!before) return undefined;
  if (before.label === label) return screen;
  await unit.tx`update screens set label = ${label} where handle = ${screen}`;
  unit.audit({
    workspace: row.workspace_handle,
    action: 'screen.updated',
    entityType: 'screen',
    entityHandle: screen,
    diff: { label: { from: before.label, to: label } },
  });
  return screen;
}

/** Long after its 60 s: callers check within the hour whether a code was claimed. */
const CODES_KEPT_MS = 24 * 60 * 60 * 1_000;
const FORGOTTEN_AT_ONCE = 1_000;

/** Deletes codes a day after they expired, at most 1,000. Returns how many. */
export async function forgetOldCodes({ sql, now }: { sql: Postgres; now: () => Date }): Promise<number> {
  const forgotten = await sql`
    delete from pairing_codes where handle in (select handle from pairing_codes
      where expires_at < ${new Date(now().getTime() - CODES_KEPT_MS)} order by expires_at limit ${FORGOTTEN_AT_ONCE})`;
  return forgotten.count;
}
