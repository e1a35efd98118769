/**
 * Commands to a screen. Postgres knows whether the screen is online and what its player can do, so the caller learns at
 * once what will not work. The command goes to delivery with the commit of its audit entry.
 */
import { diffOfNew } from '#domain/access/audit-diff.ts';
import type { Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import { COMMANDS_CHANNEL, formatCommand, type CommandMessage } from '#domain/screens/command.ts';
import type { ScreenStatus } from '#domain/screens/screen.ts';
import { SCREENSHOT_ANSWER_MS, SCREENSHOT_KEPT_MS } from '#domain/screens/screenshot.ts';
import { inUnitOfWork, type Call, type Unit } from '#books/unit-of-work.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { addScreenshotRequest, readScreenshots, type ScreenshotRow } from '#sql/screenshots/screenshots.ts';
import { statusColumn } from './presence.ts';
import { isOwn } from './rows.ts';

/** A command, and the message to the screen of this label. */
type Command = {
  screen: Handle<'screen'>;
  command: CommandMessage['command'];
  messageOf: (label: string) => CommandMessage;
};

/** Sends a command to a screen, or refuses with the reason why the screen will not carry it out. */
export async function sendCommand(sql: Postgres, call: Call, command: Command): Promise<undefined | Refusal> {
  return inUnitOfWork(sql, call, async unit => {
    const label = await lockConnected(unit, call, command);
    return isRefusal(label) ? label : send(unit, call, { ...command, label });
  });
}

/** Requests a screenshot from a screen. One request is open at a time. Returns the rows of its screenshots. */
export async function requestScreenshot(
  sql: Postgres,
  call: Call,
  command: Command,
): Promise<ScreenshotRow[] | Refusal> {
  return inUnitOfWork<ScreenshotRow[] | Refusal>(sql, call, async unit => {
    const { tx, now } = unit;
    const { screen } = command;
    const label = await lockConnected(unit, call, command);
    if (isRefusal(label)) return label;
    const [newest] = await readScreenshots(tx, { screen, since: new Date(now.getTime() - SCREENSHOT_ANSWER_MS) });
    if (newest && newest.answered_at === null)
      return refuse('state_conflict', 'The screen is taking a screenshot already. Wait for it.');
    await addScreenshotRequest(tx, { screen, requestedAt: now });
    await send(unit, call, { ...command, label });
    return readKept(tx, screen, now);
  });
}

/** The rows of the newest request for a picture and of the newest picture, of a screen that the owner has. */
export function readKept(sql: Queryable, screen: Handle<'screen'>, now: Date): Promise<ScreenshotRow[]> {
  return readScreenshots(sql, { screen, since: new Date(now.getTime() - SCREENSHOT_KEPT_MS) });
}

/** Writes the audit entry. Postgres notifies delivery when the unit is committed. */
async function send(
  unit: Unit,
  { workspace }: Call,
  { screen, command, messageOf, label }: Command & { label: string },
): Promise<undefined> {
  await unit.tx`select pg_notify(${COMMANDS_CHANNEL}, ${formatCommand({ screen, message: messageOf(label) })})`;
  const diff = diffOfNew({ command });
  unit.audit({ workspace, action: 'screen.command_sent', entityType: 'screen', entityHandle: screen, diff });
  return undefined;
}

type ConnectedRow = { label: string; simulated: boolean; commands: string[] | null; status: ScreenStatus };

/**
 * The label of a screen of the owner that can carry out the command now. It is locked, so that requests are serialized.
 */
async function lockConnected({ tx, now }: Unit, call: Call, { screen, command }: Command): Promise<string | Refusal> {
  const [row] = await tx<ConnectedRow[]>`
    select s.label, s.simulated, p.commands, ${statusColumn(tx, now.getTime())} as status
    from screens s left join screen_presence p on p.screen_handle = s.handle
    where ${isOwn(tx, call)} and s.handle = ${screen} for no key update of s`;
  if (!row) return refuseAbsent();
  if (row.simulated) return refuse('screen_offline', 'A simulated screen has no device.');
  if (row.status !== 'online')
    return refuse('screen_offline', 'The screen is not connected. Turn it on, and check its network.');
  return row.commands?.includes(command)
    ? row.label
    : refuse('command_unsupported', `The player of this screen does not know ${command}. Update the player.`);
}
