/**
 * Looks up a token in Postgres that is unknown in memory: a screen may connect before the change of its pairing has
 * arrived. Bounded, because anybody can make tokens up.
 */
import type { Loader } from '../snapshot/loader.ts';
import type { Store } from '../snapshot/store.ts';
import { TokenBucket } from './token-bucket.ts';

/** Concurrent look-ups: guesses of tokens must not take the connections that the change feed needs. */
const LOOKUPS_MAX = 32;
/**
 * Look-ups per second: a screen is looked up once, just after its pairing, so this is far above what honest ones need.
 */
const LOOKUPS_PER_SECOND_MAX = 200;

/** The screen's integer; `unpaired`: a former token of a screen. */
type FoundToken = number | 'unpaired' | 'unknown';

/** The row of a token and its screen. */
export type TokenLoader = Pick<Loader, 'findToken' | 'loadScreens' | 'loadVenues'>;

export type TokenLookupDependencies = { store: Store; loader: TokenLoader; now: () => number };

export class TokenLookup {
  readonly #store: Store;
  readonly #loader: TokenLoader;
  readonly #now: () => number;
  readonly #rate: TokenBucket;
  #lookups = 0;

  constructor({ store, loader, now }: TokenLookupDependencies) {
    this.#store = store;
    this.#loader = loader;
    this.#now = now;
    this.#rate = new TokenBucket({ perSecond: LOOKUPS_PER_SECOND_MAX, burst: LOOKUPS_PER_SECOND_MAX, nowMs: now() });
  }

  /**
   * Looks a token's hash (base64) up, and adds its screen to the store. @returns undefined if too many look-ups are
   * pending
   */
  find(tokenHash: string): Promise<FoundToken> | undefined {
    if (this.#lookups >= LOOKUPS_MAX || !this.#rate.take(this.#now())) return undefined;
    this.#lookups++;
    return this.#load(tokenHash).finally(() => this.#lookups--);
  }

  async #load(tokenHash: string): Promise<FoundToken> {
    const found = await this.#loader.findToken(Buffer.from(tokenHash, 'base64'));
    if (found === undefined) return 'unknown';
    if (!found.paired) return 'unpaired';
    const screens = await this.#loader.loadScreens([found.screen]);
    const venues = await this.#loader.loadVenues(screens.map(screen => screen.venue));
    this.#store.apply({
      campaigns: new Map(),
      venues,
      screens: new Map(screens.map(screen => [screen.handle, screen])),
      playlists: new Map(),
    });
    return this.#store.screenWithToken(tokenHash) ?? 'unknown';
  }
}
