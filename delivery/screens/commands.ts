/**
 * Passes commands of people to their screens (`#domain/screens/command.ts`). The API sends each command once, with the
 * commit of its audit entry. Every process looks for the screen's session, and the one that has it sends the message.
 * The API gets no answer: it knows from Postgres which screens are online, and which commands their players support.
 */
import { COMMANDS_CHANNEL, messageOfCommand, screenOfCommand } from '#domain/screens/command.ts';
import type { Postgres } from '#sql/postgres.ts';
import * as outbound from '../protocol/outbound.ts';
import type { SessionRegistry } from './session-registry.ts';

type CommandOptions = { sql: Postgres; registry: Pick<SessionRegistry, 'of'> };

/** Listens for commands to the screens of this process. @returns what ends it */
export async function startCommands({ sql, registry }: CommandOptions): Promise<() => Promise<void>> {
  const subscription = await sql.listen(COMMANDS_CHANNEL, text => {
    const session = registry.of(screenOfCommand(text));
    if (session?.state === 'open') session.send(outbound.command(messageOfCommand(text)));
  });
  return () => subscription.unlisten();
}
