/**
 * Commands for one connected screen: what a player can do on request, and how the API passes a command to the delivery
 * process that has the screen's socket.
 */
import { readHandle, type Handle } from '../id.ts';
import type { Milliseconds } from '../unit.ts';

/** The commands that a player may list in its `hello`. */
export const SCREEN_COMMANDS = ['identify', 'reload', 'screenshot'] as const;
export type ScreenCommand = (typeof SCREEN_COMMANDS)[number];

/** How long a screen shows its name. */
export const IDENTIFY_MS = 30_000;

/** The command as the screen gets it, besides its type. */
export type CommandMessage =
  | { command: 'identify'; name: string; duration_ms: Milliseconds }
  | { command: 'reload' }
  | { command: 'screenshot'; upload_url: string; bytes_max: number; width_max: number };

/**
 * The channel of Postgres on which every delivery process listens. A command goes out with the commit of the
 * transaction that writes its audit entry.
 */
export const COMMANDS_CHANNEL = 'marquee_screen_commands';

export type AddressedCommand = { screen: Handle<'screen'>; message: CommandMessage };

/** The text of a command on the channel. The handle is first, so a process without the screen parses nothing more. */
export function formatCommand({ screen, message }: AddressedCommand): string {
  return `${screen} ${JSON.stringify(message)}`;
}

/** The screen that a text of the channel is for. */
export function screenOfCommand(text: string): Handle<'screen'> {
  return readHandle('screen', text.slice(0, text.indexOf(' ')));
}

export function messageOfCommand(text: string): CommandMessage {
  return JSON.parse(text.slice(text.indexOf(' ') + 1)) as CommandMessage;
}

/** The known ones among the names that a player lists. */
export function knownCommands(names: readonly unknown[]): ScreenCommand[] {
  return SCREEN_COMMANDS.filter(command => names.includes(command));
}
