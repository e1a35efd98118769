/** A free TCP port on this machine, for an engine that is about to start. */
import { createServer } from 'node:net';

const HOST = '127.0.0.1';

/** A TCP port on 127.0.0.1 that was free a moment ago: `preferred` when it is, else one that the system picks. */
export async function findFreePort(preferred = 0): Promise<number> {
  return (
    (await probePort(preferred)) ?? (await probePort(0)) ?? Promise.reject(new Error('no free TCP port on 127.0.0.1'))
  );
}

function probePort(port: number): Promise<number | undefined> {
  return new Promise(resolve => {
    const probe = createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen({ host: HOST, port, exclusive: true }, () => {
      const address = probe.address();
      const found = typeof address === 'object' && address !== null ? address.port : undefined;
      probe.close(() => resolve(found));
    });
  });
}
