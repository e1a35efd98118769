/**
 * Pairs a screen with a sensing module. The operator enrols a module for a workspace; the module proves its presence by
 * signing a challenge, which is valid for one pairing with this screen. Screens are locked before modules.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { randomBytes } from 'node:crypto';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import { CHALLENGE_VALID_MS, pairingText } from '#domain/screens/sensor.ts';
import { hasSigned, openPublicKey } from '#runtime/cryptography/ed25519.ts';
import type { Postgres, Transaction } from '#sql/postgres.ts';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import type { Screen, SensorChallenge } from './schema.ts';
import { freeSensor, lockScreen, readScreen } from './store.ts';

const CHALLENGE_BYTES = 32;

type SensorRow = {
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
  caller: Caller,
  { screen, serial }: { screen: Handle<'screen'>; serial: string },
): Promise<SensorRow | Refusal> {
  const [row] = await tx<SensorRow[]>`
    select handle, public_key, screen_handle, challenge, challenge_screen_handle, challenge_expires_at from sensors
    where serial = ${serial} and workspace_handle = ${caller.workspace} and revoked_at is null for update`;
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

/** The challenge for the module. A second one replaces the first. */
export async function challengeSensor(
  sql: Postgres,
  caller: Caller,
  { screen, serial, now }: { screen: Handle<'screen'>; serial: string; now: Milliseconds },
): Promise<SensorChallenge | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async ({ tx }) => {
    if (!(await lockScreen(tx, caller, screen))) return refuseAbsent();
    const sensor = await lockSensor(tx, caller, { screen, serial });
    if (isRefusal(sensor)) return sensor;
    const challenge = randomBytes(CHALLENGE_BYTES);
    const expiresAt = new Date(now + CHALLENGE_VALID_MS);
    await tx`update sensors set challenge = ${challenge}, challenge_screen_handle = ${screen},
        challenge_expires_at = ${expiresAt} where handle = ${sensor.handle}`;
    const text = challenge.toString('base64url');
    return {
      challenge: text,
      text: pairingText({ screenId: formatId('screen', screen), serial, challenge: text }),
      expires_at: expiresAt.toISOString(),
    };
  });
}

export type PairingProof = { serial: string; challenge: string; signature: string };

/** Pairs the screen with the module that signed; a module that it was paired with before is free again. */
export async function pairSensor(
  sql: Postgres,
  caller: Caller,
  { screen, proof, now }: { screen: Handle<'screen'>; proof: PairingProof; now: Milliseconds },
): Promise<Screen | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const { tx } = unit;
    if (!(await lockScreen(tx, caller, screen))) return refuseAbsent();
    const sensor = await lockSensor(tx, caller, { screen, serial: proof.serial });
    if (isRefusal(sensor)) return sensor;
    const isGood =
      sensor.challenge?.toString('base64url') === proof.challenge &&
      sensor.challenge_screen_handle === screen &&
      sensor.challenge_expires_at!.getTime() > now;
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
      await tx`update sensors set screen_handle = ${screen}, paired_at = ${unit.now} where handle = ${sensor.handle}`;
      await tx`update screens set sensor_paired = true where handle = ${screen}`;
      noteSensor(unit, { caller, screen, from: before, to: proof.serial });
    }
    return readScreen(tx, caller, { handle: screen, now });
  });
}

/** Removes the module from the screen. Does nothing if it has none. */
export async function unpairSensor(
  sql: Postgres,
  caller: Caller,
  { screen, now }: { screen: Handle<'screen'>; now: Milliseconds },
): Promise<undefined | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const before = await lockScreen(unit.tx, caller, screen);
    if (!before) return refuseAbsent();
    const serial = await freeSensor(unit.tx, screen);
    if (!before.sensor_paired) return undefined;
    await unit.tx`update screens set sensor_paired = false where handle = ${screen}`;
    noteSensor(unit, { caller, screen, from: serial, to: null });
    return undefined;
  });
}

function noteSensor(
  unit: Unit,
  { caller, screen, from, to }: { caller: Caller; screen: Handle<'screen'>; from: string | null; to: string | null },
): void {
  unit.audit({
    workspace: caller.workspace,
    action: 'screen.updated',
    entityType: 'screen',
    entityHandle: screen,
    diff: { sensor: { from, to } },
  });
  unit.changed('screen', screen);
}
