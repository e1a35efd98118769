/** The two libraries below the screens' sockets, for benchmarks that measure what each of them costs. */
import type { Figure } from '../protocol.ts';

/** The values of SOCKET_LIBRARY. */
export type SocketLibrary = 'uws' | 'ws';

/**
 * A benchmark with each library below the screens' sockets, one after the other. Figures of `ws` have it as their
 * variant. The reference is uWebSockets.js in both.
 */
export async function withEachLibrary(run: (library: SocketLibrary) => Promise<Figure[]>): Promise<Figure[]> {
  const ofUws = await run('uws');
  const ofWs = await run('ws');
  return [...ofUws, ...ofWs.map(figure => ({ ...figure, variant: 'ws' }))];
}
