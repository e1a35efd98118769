/** What time it is for the records that are shown: in the sandbox that of its clock. */
import { useRead } from './api.ts';
import { mayRead, useSession } from './session.ts';

/** In ms since 1970; undefined while the clock is read. */
export function usePresent(): number | undefined {
  const session = useSession();
  const hasClock = session.me.mode === 'test' && mayRead(session, 'sandbox');
  const clock = useRead(['sandbox clock'], (api, signal) => api.get('/v1/sandbox/clock', { signal }), {
    isWanted: hasClock,
  });
  return hasClock && !clock.isError ? clock.data && Date.parse(clock.data.now) : Date.now();
}
