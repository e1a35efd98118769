/**
 * Passes commands of people to their screens (`#domain/screens/command.ts`). The API publishes a command once. Each
 * process looks for the screen's session, and the one that has it sends the message. Nothing answers the API: it knows
 * from Postgres which screens are online, and what their players can do.
 */
import { COMMANDS_CHANNEL, messageOfCommand, screenOfCommand } from '#domain/screens/command.ts';
import * as outbound from '../protocol/outbound.ts';
import type { SessionRegistry } from './session-registry.ts';

type Subscriber = {
  on(event: 'message', hear: (channel: string, text: string) => void): unknown;
  subscribe(channel: string): Promise<unknown>;
};

type CommandOptions = { registry: Pick<SessionRegistry, 'of'>; subscriber: Subscriber };

/** Listens for commands to the screens of this process. */
export async function startCommands({ registry, subscriber }: CommandOptions): Promise<void> {
  subscriber.on('message', (channel, text) => {
    if (channel !== COMMANDS_CHANNEL) return;
    const session = registry.of(screenOfCommand(text));
    if (session?.state === 'open') session.send(outbound.command(messageOfCommand(text)));
  });
  await subscriber.subscribe(COMMANDS_CHANNEL);
}
