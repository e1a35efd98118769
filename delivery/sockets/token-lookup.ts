/**
 * Looks up in Postgres what a token stands for that is not known in memory: a screen may connect before the news of its
 * pairing has arrived. Bounded, since anybody can make tokens up.
 */
import type { Loader } from '../snapshot/loader.ts';
import type { Store } from '../snapshot/store.ts';
import { TokenBucket } from './token-bucket.ts';

/** Look-ups under way: guessers of tokens must not take the pool away from the change feed. */
const LOOKUPS_MAX = 32;
/** And per second: a screen is looked up once, in the moment after its pairing, so this is far above what honest ones need. */
const LOOKUPS_PER_SECOND_MAX = 200;

/** The screen's integer; `unpaired`: it was one's token once. */
type FoundToken = number | 'unpaired' | 'unknown';

export type TokenLookup = {
  /** Looks a token's hash up, and adds its screen to the store. @returns undefined when too many are looked up already */
  find(hash: Buffer): Promise<FoundToken> | undefined;
};

export function createTokenLookup({
  store,
  loader,
  now,
}: {
  store: Store;
  loader: Loader;
  now: () => number;
}): TokenLookup {
  let lookups = 0;
  const rate = new TokenBucket({ perSecond: LOOKUPS_PER_SECOND_MAX, burst: LOOKUPS_PER_SECOND_MAX, nowMs: now() });
  const load = async (hash: Buffer): Promise<FoundToken> => {
    const found = await loader.findToken(hash);
    if (found === undefined) return 'unknown';
    if (!found.paired) return 'unpaired';
    const screens = await loader.loadScreens([found.screen]);
    const venues = await loader.loadVenues(screens.map(screen => screen.venue));
    store.apply({
      campaigns: new Map(),
      venues,
      screens: new Map(screens.map(screen => [screen.handle, screen])),
      playlists: new Map(),
    });
    return store.screenWithToken(hash.toString('base64')) ?? 'unknown';
  };
  return {
    find(hash) {
      if (lookups >= LOOKUPS_MAX || !rate.take(now())) return undefined;
      lookups++;
      return load(hash).finally(() => lookups--);
    },
  };
}
