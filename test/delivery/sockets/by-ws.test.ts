/** The tests of strangers and of sessions once more, with `ws` below them instead of uWebSockets.js. */
import { describe } from 'vitest';

process.env['SOCKET_LIBRARY'] = 'ws'; // for the delivery processes that these files start

describe('by ws', async () => {
  await import('../conversation/strangers.test.ts');
});
describe('by ws', async () => {
  await import('../screens/session.test.ts');
});
