/**
 * `admin sensor`: enrols sensing modules with their public keys, so that a workspace may pair them with its screens,
 * lists them, and takes them out of use.
 */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { formatId, type Handle } from '#domain/id.ts';
import { isSerial, PUBLIC_KEY_BYTES } from '#domain/screens/sensor.ts';
import { openPublicKey } from '#runtime/cryptography/ed25519.ts';
import type { Postgres } from '#sql/postgres.ts';
import { addSensor, findSensors, retireSensor } from '#sql/screens/sensors.ts';
import { OPERATOR } from '../../operator.ts';
import { UsageError } from '../../arguments.ts';
import { assertWorkspace, idOf, text } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';

const LISTED_MAX = 1_000;

export function declareSensorCommands(program: CommandUnknownOpts, run: Runner): void {
  const sensor = program.command('sensor').description('sensing modules');
  sensor
    .command('enrol')
    .description('register a sensing module of a workspace')
    .requiredOption('--workspace <id>', 'id of the workspace', idOf('workspace'))
    .requiredOption('--serial <serial>', 'serial number', text)
    .requiredOption('--public-key <key>', 'Ed25519 public key, 32 bytes in base64', text)
    .action(
      run(async ({ sql }, { workspace, serial, publicKey }) => {
        await assertWorkspace(sql, workspace);
        return enrolSensor(sql, new Date(), { workspace, serial, publicKey });
      }),
    );
  sensor
    .command('list')
    .description('list sensing modules and their screens')
    .option('--workspace <id>', 'filter by workspace', idOf('workspace'))
    .action(
      run(async ({ sql }, { workspace }) => {
        if (workspace !== undefined) await assertWorkspace(sql, workspace);
        return listSensors(sql, workspace);
      }),
    );
  sensor
    .command('revoke')
    .description('revoke a sensing module')
    .argument('<serial>', 'serial number')
    .action(run(({ sql }, serial) => revokeSensor(sql, new Date(), serial)));
}

type NewSensor = { workspace: Handle<'workspace'>; serial: string; publicKey: string };

/**
 * Lets a workspace pair this module with a screen. `publicKey`: 32 bytes in base64 or base64url.
 * @throws UsageError if the serial or the key is malformed or belongs to another module
 */
export async function enrolSensor(
  sql: Postgres,
  now: Date,
  { workspace, serial, publicKey }: NewSensor,
): Promise<Result> {
  if (!isSerial(serial))
    throw new UsageError(`--serial takes 4 to 40 capital letters, digits and inner hyphens, not '${serial}'`);
  const key = Buffer.from(publicKey, 'base64');
  if (key.length !== PUBLIC_KEY_BYTES || !/^[A-Za-z0-9+/_-]{43}=?$/.test(publicKey))
    throw new UsageError(
      `--public-key takes the ${PUBLIC_KEY_BYTES} bytes of an Ed25519 key in base64, not '${publicKey}'`,
    );
  if (openPublicKey(key) === undefined)
    throw new UsageError(
      '--public-key is a point of small order, under which anybody can sign. Take the key of the module.',
    );
  if (!(await addSensor(sql, { actor: OPERATOR, now }, { workspace, serial, publicKey: key })))
    throw new UsageError(`A module with the serial ${serial} or with this key is enrolled. Revoke it first.`);
  return { serial, workspace_id: formatId('workspace', workspace) };
}

/**
 * Takes a module out of use: the screen that it was paired with has none from then on.
 * @throws UsageError if no such module is enrolled
 */
export async function revokeSensor(sql: Postgres, now: Date, serial: string): Promise<Result> {
  const revoked = await retireSensor(sql, { actor: OPERATOR, now }, serial);
  if (revoked === 'unknown') throw new UsageError(`No module ${serial} is enrolled`);
  if (revoked === 'moved')
    throw new UsageError(`The module ${serial} was paired or unpaired at this moment. Try again.`);
  const { screen } = revoked;
  return { serial, screen_id: screen === null ? null : formatId('screen', screen), revoked: true };
}

/** Modules, newest first, with the screens that they are paired with and when they attested last. */
export async function listSensors(sql: Postgres, workspace: Handle<'workspace'> | undefined): Promise<Result> {
  const rows = await findSensors(sql, { workspace, limit: LISTED_MAX + 1 });
  const sensors = rows
    .slice(0, LISTED_MAX)
    .map(row => ({
      serial: row.serial,
      workspace_id: formatId('workspace', row.workspace_handle),
      enrolled_at: row.enrolled_at.toISOString(),
      revoked_at: row.revoked_at?.toISOString() ?? null,
      screen_id: row.screen_handle === null ? null : formatId('screen', row.screen_handle),
      paired_at: row.paired_at?.toISOString() ?? null,
      attested_at: row.audience_attested_at?.toISOString() ?? null,
    }));
  return { sensors, more: rows.length > LISTED_MAX };
}
