/**
 * Commands to a screen. Postgres knows whether the screen is online and what its player can do, so the caller learns at
 * once what will not work. The command goes to delivery with the commit of its audit entry.
 */
import {
  COMMANDS_CHANNEL,
  formatCommand,
  IDENTIFY_MS,
  type CommandMessage,
  type ScreenCommand,
} from '#domain/screens/command.ts';
import {
  SCREENSHOT_ANSWER_MS,
  SCREENSHOT_BYTES_MAX,
  SCREENSHOT_KEPT_MS,
  SCREENSHOT_WIDTH_MAX,
  type ScreenshotFault,
} from '#domain/screens/screenshot.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import type { Queryable, Postgres } from '#sql/postgres.ts';
import { addScreenshotRequest, readScreenshots, type ScreenshotRow } from '#sql/screenshots/screenshots.ts';
import { signPath } from '#storage/signed-url.ts';
import { diffOfNew } from '#domain/access/audit-diff.ts';
import type { Caller } from '../authentication/caller.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import type { Screen, Screenshot } from './schema.ts';
import { statusColumn } from './status.ts';
import { isOwn, readScreen } from './store.ts';

export type CommandDependencies = {
  sql: Postgres;
  uploadKeys: readonly Uint8Array[];
  now: () => Milliseconds;
  urls: { public: string };
};
type Addressed = { screen: Handle<'screen'>; command: ScreenCommand };

/** Sends a command to a screen, or says why the screen will not carry it out. */
export async function sendCommand(
  dependencies: CommandDependencies,
  caller: Caller,
  { screen, command }: Addressed,
): Promise<undefined | Refusal> {
  const now = new Date(dependencies.now());
  return inUnitOfWork(dependencies.sql, { ...caller, now }, async unit => {
    const connected = await lockConnected(unit, caller, { screen, command });
    return isRefusal(connected) ? connected : send(dependencies, caller, { unit, screen, command, connected });
  });
}

/** Requests a screenshot from a screen. One request is open at a time. */
export async function requestScreenshot(
  dependencies: CommandDependencies,
  caller: Caller,
  screen: Handle<'screen'>,
): Promise<Screenshot | Refusal> {
  const command = 'screenshot';
  const now = new Date(dependencies.now());
  return inUnitOfWork(dependencies.sql, { ...caller, now }, async unit => {
    const { tx } = unit;
    const connected = await lockConnected(unit, caller, { screen, command });
    if (isRefusal(connected)) return connected;
    const [newest] = await readScreenshots(tx, { screen, since: new Date(now.getTime() - SCREENSHOT_ANSWER_MS) });
    if (newest && newest.answered_at === null)
      return refuse('state_conflict', 'The screen is taking a screenshot already. Wait for it.');
    await addScreenshotRequest(tx, { screen, requestedAt: now });
    await send(dependencies, caller, { unit, screen, command, connected });
    return readScreenshot(tx, caller, { screen, now: now.getTime() });
  });
}

type Sending = Addressed & { unit: Unit; connected: ConnectedRow };

/** Writes the audit entry. Postgres notifies delivery when the unit is committed. */
async function send(
  dependencies: CommandDependencies,
  caller: Caller,
  { unit, screen, command, connected }: Sending,
): Promise<undefined> {
  const { tx, now } = unit;
  const message = messageOf(dependencies, { screen, command, now: now.getTime(), label: connected.label });
  await tx`select pg_notify(${COMMANDS_CHANNEL}, ${formatCommand({ screen, message })})`;
  unit.audit({
    workspace: caller.workspace,
    action: 'screen.command_sent',
    entityType: 'screen',
    entityHandle: screen,
    diff: diffOfNew({ command }),
  });
  return undefined;
}

type ConnectedRow = { label: string; simulated: boolean; commands: string[] | null; status: Screen['status'] };

/** A screen of the caller's that can carry out the command now. It is locked, so that requests are serialized. */
async function lockConnected(
  { tx, now }: Unit,
  caller: Caller,
  { screen, command }: Addressed,
): Promise<ConnectedRow | Refusal> {
  const [row] = await tx<ConnectedRow[]>`
    select s.label, s.simulated, p.commands, ${statusColumn(tx, now.getTime())} as status
    from screens s left join screen_presence p on p.screen_handle = s.handle
    where ${isOwn(tx, caller)} and s.handle = ${screen} for no key update of s`;
  if (!row) return refuseAbsent();
  if (row.simulated) return refuse('screen_offline', 'A simulated screen has no device.');
  if (row.status !== 'online')
    return refuse('screen_offline', 'The screen is not connected. Turn it on, and check its network.');
  return row.commands?.includes(command)
    ? row
    : refuse('command_unsupported', `The player of this screen does not know ${command}. Update the player.`);
}

function messageOf(
  { urls, uploadKeys }: CommandDependencies,
  { screen, command, now, label }: Addressed & { now: Milliseconds; label: string },
): CommandMessage {
  const id = formatId('screen', screen);
  if (command === 'reload') return { command };
  if (command === 'identify') return { command, name: label === '' ? id : label, duration_ms: IDENTIFY_MS };
  const path = signPath(screenshotPath(id), { key: uploadKeys[0]!, expiresAt: now + SCREENSHOT_ANSWER_MS });
  return { command, upload_url: urls.public + path, bytes_max: SCREENSHOT_BYTES_MAX, width_max: SCREENSHOT_WIDTH_MAX };
}

/** The upload path of a player's screenshot, which the address signs. */
export const screenshotPath = (id: string): string => `/screenshots/${id}`;

/** The newest request for a picture, and the newest picture. */
export async function readScreenshot(
  sql: Queryable,
  caller: Caller,
  { screen, now }: { screen: Handle<'screen'>; now: Milliseconds },
): Promise<Screenshot | Refusal> {
  const found = await readScreen(sql, caller, { handle: screen, now });
  if (isRefusal(found)) return found;
  const rows = await readScreenshots(sql, { screen, since: new Date(now - SCREENSHOT_KEPT_MS) });
  const picture = rows.find(({ image }) => image !== null);
  return {
    ...stateOf(rows[0], now),
    requested_at: rows[0]?.requested_at.toISOString() ?? null,
    taken_at: picture?.answered_at?.toISOString() ?? null,
    image: picture ? `data:${picture.image_type};base64,${picture.image!.toString('base64')}` : null,
  };
}

function stateOf(newest: ScreenshotRow | undefined, now: Milliseconds): Pick<Screenshot, 'state' | 'fault'> {
  if (newest === undefined) return { state: 'none', fault: null };
  if (newest.image !== null) return { state: 'taken', fault: null };
  if (newest.fault !== null) return { state: 'failed', fault: newest.fault as ScreenshotFault };
  return now - newest.requested_at.getTime() < SCREENSHOT_ANSWER_MS
    ? { state: 'requested', fault: null }
    : { state: 'failed', fault: 'no_answer' };
}
