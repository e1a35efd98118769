/**
 * Sensing modules and their pairing with screens. The operator enrols a module for a workspace; the module proves its
 * presence by signing a challenge, which is valid for one pairing with one screen. Screens are locked before modules.
 */
import { randomBytes } from 'node:crypto';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseAbsent, refuseField, type Refusal } from '#domain/refusal.ts';
import { CHALLENGE_VALID_MS, pairingText } from '#domain/screens/sensor.ts';
import { hasSigned, openPublicKey } from '#runtime/cryptography/ed25519.ts';
import { inUnitOfWork, type Call, type Owner, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import type { Postgres, Transaction } from '#sql/postgres.ts';
import { findScreen, lockScreen, type ScreenRow } from './rows.ts';

const CHALLENGE_BYTES = 32;

export type SensorRow = {
  serial: string;
  workspace_handle: Handle<'workspace'>;
  enrolled_at: Date;
  revoked_at: Date | null;
  screen_handle: Handle<'screen'> | null;
  paired_at: Date | null;
  audience_attested_at: Date | null;
};

/** Modules, of a workspace if there is one, newest first, with their screens and when they attested last. */
export async function findSensors(
  sql: Postgres,
  { workspace, limit }: { workspace: Handle<'workspace'> | undefined; limit: number },
): Promise<SensorRow[]> {
  return sql<SensorRow[]>`
    select k.serial, k.workspace_handle, k.enrolled_at, k.revoked_at, k.screen_handle, k.paired_at,
      s.audience_attested_at
    from sensors k left join screens s on s.handle = k.screen_handle
      ${workspace === undefined ? sql`` : sql`where k.workspace_handle = ${workspace}`}
    order by k.handle desc limit ${limit}`;
}

type NewSensor = { workspace: Handle<'workspace'>; serial: string; publicKey: Uint8Array };

/** Enrols a module for a workspace. Returns false if its serial or its key (32 bytes) is enrolled already. */
export async function addSensor(
  sql: Postgres,
  options: UnitOptions,
  { workspace, serial, publicKey }: NewSensor,
): Promise<boolean> {
  return inUnitOfWork(sql, options, async unit => {
    const [row] = await unit.tx<{ handle: Handle<'sensor'> }[]>`
      insert into sensors (workspace_handle, serial, public_key, enrolled_at)
      values (${workspace}, ${serial}, ${publicKey}, ${unit.now}) on conflict do nothing returning handle`;
    if (!row) return false;
    const diff = { serial: { from: null, to: serial } };
    unit.audit({ workspace, action: 'sensor.enrolled', entityType: 'sensor', entityHandle: row.handle, diff });
    return true;
  });
}

/**
 * Takes a module out of use: its screen, which is returned, has none from then on.
 * @returns `unknown` if no such module is enrolled, `moved` if it was paired or unpaired at this moment
 */
export async function retireSensor(
  sql: Postgres,
  options: UnitOptions,
  serial: string,
): Promise<{ screen: Handle<'screen'> | null } | 'unknown' | 'moved'> {
  return inUnitOfWork(sql, options, async unit => {
    const { tx, now } = unit;
    const [screen] = await tx<{ handle: Handle<'screen'> }[]>`
      select handle from screens where handle = (select screen_handle from sensors
        where serial = ${serial} and revoked_at is null) for update`;
    const [row] = await tx<
      { handle: Handle<'sensor'>; workspace_handle: Handle<'workspace'>; screen_handle: Handle<'screen'> | null }[]
    >`
      select handle, workspace_handle, screen_handle from sensors where serial = ${serial} and revoked_at is null
      for update`;
    if (!row) return 'unknown';
    if (row.screen_handle !== (screen?.handle ?? null)) return 'moved';
    await tx`
      update sensors set revoked_at = ${now}, screen_handle = null, paired_at = null, challenge = null,
        challenge_screen_handle = null, challenge_expires_at = null where handle = ${row.handle}`;
    if (screen) {
      await tx`update screens set sensor_paired = false, audience_attested_at = null where handle = ${screen.handle}`;
      unit.changed('screen', screen.handle);
    }
    unit.audit({
      workspace: row.workspace_handle,
      action: 'sensor.revoked',
      entityType: 'sensor',
      entityHandle: row.handle,
      diff: { serial: { from: serial, to: null } },
    });
    return { screen: row.screen_handle };
  });
}

/** Frees the module of a locked screen and ends the effect of its attestations; returns its serial. */
export async function freeSensor(tx: Transaction, screen: Handle<'screen'>): Promise<string | null> {
  await tx`update screens set audience_attested_at = null where handle = ${screen}`;
  const [row] = await tx<{ serial: string }[]>`
    update sensors set screen_handle = null, paired_at = null where screen_handle = ${screen} returning serial`;
  return row?.serial ?? null;
}

type LockedSensor = {
  handle: Handle<'sensor'>;
  public_key: Buffer;
  screen_handle: Handle<'screen'> | null;
  challenge: Buffer | null;
  challenge_screen_handle: Handle<'screen'> | null;
  challenge_expires_at: Date | null;
};

/**
 * The module enrolled for the workspace under this serial. One of another workspace is indistinguishable from an
 * unknown one.
 */
async function lockSensor(
  tx: Transaction,
  { workspace }: Owner,
  { screen, serial }: { screen: Handle<'screen'>; serial: string },
): Promise<LockedSensor | Refusal> {
  const [row] = await tx<LockedSensor[]>`
    select handle, public_key, screen_handle, challenge, challenge_screen_handle, challenge_expires_at from sensors
    where serial = ${serial} and workspace_handle = ${workspace} and revoked_at is null for update`;
  if (!row)
    return refuseField(
      '/serial',
      'unknown_sensor',
      'is not a sensing module that the operator enrolled for this workspace',
    );
  if (row.screen_handle === null || row.screen_handle === screen) return row;
  return refuse(
    'state_conflict',
    `The module is paired with ${formatId('screen', row.screen_handle)}. Unpair it there first.`,
  );
}

/** A challenge, and the text with it that the module signs. */
export type SensorChallenge = { challenge: string; text: string; expiresAt: Date };

/** Makes the challenge for the module. A second one replaces the first. */
export async function challengeSensor(
  sql: Postgres,
  call: Call,
  { screen, serial }: { screen: Handle<'screen'>; serial: string },
): Promise<SensorChallenge | Refusal> {
  return inUnitOfWork<SensorChallenge | Refusal>(sql, call, async ({ tx, now }) => {
    if (!(await lockScreen(tx, call, screen))) return refuseAbsent();
    const sensor = await lockSensor(tx, call, { screen, serial });
    if (isRefusal(sensor)) return sensor;
    const challenge = randomBytes(CHALLENGE_BYTES);
    const expiresAt = new Date(now.getTime() + CHALLENGE_VALID_MS);
    await tx`update sensors set challenge = ${challenge}, challenge_screen_handle = ${screen},
        challenge_expires_at = ${expiresAt} where handle = ${sensor.handle}`;
    const text = challenge.toString('base64url');
    return {
      challenge: text,
      text: pairingText({ screenId: formatId('screen', screen), serial, challenge: text }),
      expiresAt,
    };
  });
}

export type PairingProof = { serial: string; challenge: string; signature: string };

/** Pairs the screen with the module that signed; a module that it was paired with before is free again. */
export async function pairSensor(
  sql: Postgres,
  call: Call,
  { screen, proof }: { screen: Handle<'screen'>; proof: PairingProof },
): Promise<ScreenRow | Refusal> {
  return inUnitOfWork<ScreenRow | Refusal>(sql, call, async unit => {
    const { tx, now } = unit;
    if (!(await lockScreen(tx, call, screen))) return refuseAbsent();
    const sensor = await lockSensor(tx, call, { screen, serial: proof.serial });
    if (isRefusal(sensor)) return sensor;
    const isGood =
      sensor.challenge?.toString('base64url') === proof.challenge &&
      sensor.challenge_screen_handle === screen &&
      sensor.challenge_expires_at! > now;
    if (!isGood)
      return refuseField('/challenge', 'expired_challenge', 'is not open for this module and screen; ask for another');
    const text = pairingText({
      screenId: formatId('screen', screen),
      serial: proof.serial,
      challenge: proof.challenge,
    });
    if (!hasSigned(openPublicKey(sensor.public_key), text, proof.signature))
      return refuseField(
        '/signature',
        'bad_signature',
        'is not the signature of this module over the text of the challenge',
      );
    await tx`update sensors set challenge = null, challenge_screen_handle = null, challenge_expires_at = null
      where handle = ${sensor.handle}`;
    if (sensor.screen_handle !== screen) {
      const before = await freeSensor(tx, screen);
      await tx`update sensors set screen_handle = ${screen}, paired_at = ${now} where handle = ${sensor.handle}`;
      await tx`update screens set sensor_paired = true where handle = ${screen}`;
      noteSensor(unit, { owner: call, screen, from: before, to: proof.serial });
    }
    return (await findScreen(tx, call, { handle: screen, now: now.getTime() })) ?? refuseAbsent();
  });
}

/** Removes the module from the screen. Does nothing if it has none. */
export async function unpairSensor(sql: Postgres, call: Call, screen: Handle<'screen'>): Promise<undefined | Refusal> {
  return inUnitOfWork(sql, call, async unit => {
    const before = await lockScreen(unit.tx, call, screen);
    if (!before) return refuseAbsent();
    const serial = await freeSensor(unit.tx, screen);
    if (!before.sensor_paired) return undefined;
    await unit.tx`update screens set sensor_paired = false where handle = ${screen}`;
    noteSensor(unit, { owner: call, screen, from: serial, to: null });
    return undefined;
  });
}

function noteSensor(
  unit: Unit,
  { owner, screen, from, to }: { owner: Owner; screen: Handle<'screen'>; from: string | null; to: string | null },
): void {
  unit.audit({
    workspace: owner.workspace,
    action: 'screen.updated',
    entityType: 'screen',
    entityHandle: screen,
    diff: { sensor: { from, to } },
  });
  unit.changed('screen', screen);
}
