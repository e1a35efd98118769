/** The libraries below the screens' sockets, for benchmarks that measure what each of them costs. */
import { SOCKET_LIBRARIES, type SocketLibrary } from '../../delivery/sockets/socket-library.ts';
import type { Figure } from '../protocol.ts';

/**
 * A benchmark with each library, one after the other. Figures of `ws` have it as their variant. The reference is
 * uWebSockets.js in both.
 */
export async function withEachLibrary(run: (library: SocketLibrary) => Promise<Figure[]>): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const library of SOCKET_LIBRARIES) {
    const measured = await run(library);
    figures.push(...(library === 'ws' ? measured.map(figure => ({ ...figure, variant: library })) : measured));
  }
  return figures;
}
