/**
 * The life of a process that is one server. Its parent sends the options over the IPC channel (passwords stay out of
 * arguments and environment) and gets `{port}` or `{error}`. When that channel closes, because the parent has ended in
 * whatever way, or on SIGTERM, it lets running statements end and exits: a folder has one owner at a time.
 */
import type { ClickHouseServer } from './server.ts';

export type ReadyMessage = { port: number } | { error: string };

/** @param open makes the server that the message asks for */
export function serveParent<Message>(open: (message: Message) => Promise<ClickHouseServer>): void {
  let server: ClickHouseServer | undefined;
  let isStopping = false;

  async function stop(): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    await server?.close();
    // Statements still running after the time limit are aborted; acknowledged data are in the folder.
    process.exit(0);
  }

  async function start(message: Message): Promise<void> {
    try {
      server = await open(message);
      process.send?.({ port: server.port } satisfies ReadyMessage);
    } catch (error) {
      process.send?.({ error: error instanceof Error ? error.message : String(error) } satisfies ReadyMessage, () =>
        process.exit(1),
      );
    }
  }

  process.on('SIGINT', () => undefined); // a Ctrl-C is the parent's to handle: it drains its services first
  process.on('SIGTERM', () => void stop());
  process.on('disconnect', () => void stop());
  // the parent was killed while the program was loaded: no request will ever come
  if (!process.connected) process.exit(0);
  process.once('message', message => void start(message as Message));
}
