/**
 * A cable between a browser and a port of this machine, which a test can pull: connections break, and new ones do too.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A cable between a browser and a port of this machine, which a test can pull: connections break, and new ones do too.
 */
export type Cable = { port: number; pull(): void; plugIn(): void; close(): Promise<void> };

export async function layCable(targetPort: number): Promise<Cable> {
  const ends = new Set<Socket>();
  let isPulled = false;
  const server = createServer(near => {
    if (isPulled) return void near.destroy();
    const far = connect(targetPort, '127.0.0.1');
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end);
      end.on('error', () => other.destroy()); // a close follows
      end.on('close', () => {
        ends.delete(end);
        other.destroy();
      });
      end.pipe(other);
    }
  });
  const cut = (): void => {
    for (const end of ends) end.destroy();
  };
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    pull() {
      isPulled = true;
      cut();
    },
    plugIn() {
      isPulled = false;
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        cut();
      }),
  };
}
