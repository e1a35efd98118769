/**
 * From `hello` to `welcome`. The token's hash is looked up in memory. A known screen is counted among the connected
 * ones (`connection-limits.ts`) and waits for its turn (`admission.ts`). A token that is not known in memory is looked
 * up in Postgres before it is refused, since a screen may connect before the news of its pairing has arrived. Until it
 * is found it is neither queued nor counted, so made-up tokens block no screen.
 */
import { hash } from 'node:crypto';
import { isDeviceToken } from '#domain/access/key.ts';

import { formatId, type Index, type Handle } from '#domain/id.ts';
import { decodePlayId, type SigningKeys } from '#domain/plays/play.ts';
import { profileNumber } from '#domain/campaigns/rendition.ts';
import type { Log } from '#runtime/log.ts';
import type { Entry } from './entry.ts';
import type { RecordedEngine } from '../recording/recorded-engine.ts';
import { countRefusedSocket } from '../instruments.ts';
import type { Presence } from '../screens/presence.ts';
import { CLOSE } from '../protocol/bounds.ts';
import type { Codec, Frame } from '../protocol/codec.ts';
import type { Hello } from '../protocol/inbound.ts';
import * as outbound from '../protocol/outbound.ts';
import type { Session } from '../screens/session.ts';
import { encodeOnce, type SessionRegistry } from '../screens/session-registry.ts';
import type { FileList } from '../snapshot/file-lists.ts';
import type { Store } from '../snapshot/store.ts';
import { TokenLookup, type TokenLoader } from './token-lookup.ts';
import type { Milliseconds } from '#domain/unit.ts';

const MS_PER_SECOND = 1_000;
/** Lists of files whose frames are kept, of up to 20 KB each. */
const PREFETCH_LISTS_MAX = 200;

export type HandshakeDependencies = {
  store: Store;
  engine: Pick<RecordedEngine, 'prepare'>;
  loader: TokenLoader;
  registry: SessionRegistry;
  presence: Presence;
  entry: Pick<Entry, 'limits' | 'helloRate' | 'admission'>;
  keys: SigningKeys;
  log: Log;
  now: () => number;
};
/** A hello with the hash of its token, in base64. */
type Greeting = { hello: Hello; tokenHash: string };

export class Handshake {
  readonly #dependencies: HandshakeDependencies;
  readonly #lookup: TokenLookup;
  readonly #framesOf = createPrefetchFrames();

  constructor(dependencies: HandshakeDependencies) {
    this.#dependencies = dependencies;
    this.#lookup = new TokenLookup(dependencies);
  }

  /** Answers `hello`: in the end the session is open, or closed with the code of the reason. */
  greet(session: Session, hello: Hello): void {
    if (!isDeviceToken(hello.token)) return session.end(CLOSE.badToken, 'not a device token');
    const { store, entry } = this.#dependencies;
    session.state = 'greeting';
    const greeting = { hello, tokenHash: hash('sha256', hello.token, 'base64') };
    const screen = store.screenWithToken(greeting.tokenHash);
    if (screen === undefined) return this.#findOrGiveUp(session, greeting);
    if (!this.#mayConnect(session, screen) || entry.admission.admit(() => this.#enter(session, screen, greeting)))
      return;
    countRefusedSocket('busy');
    session.end(CLOSE.draining, 'too many screens connect at once: reconnect after a random wait');
  }

  /**
   * Whether the screen of a session may connect: it did not come too often, and there is room. If not, the session is
   * closed.
   */
  #mayConnect(session: Session, screen: Index<'screen'>): boolean {
    const { store, registry, entry, now } = this.#dependencies;
    const waitMs = entry.helloRate.take(screen, now());
    if (waitMs > 0) {
      countRefusedSocket('often');
      session.end(CLOSE.tooMany, `this screen connects too often: wait ${Math.ceil(waitMs / MS_PER_SECOND)} s`);
      return false;
    }
    if (entry.limits.identified(session, registry.of(store.screens.handleAt(screen)) !== undefined)) return true;
    countRefusedSocket('full');
    session.end(
      CLOSE.draining,
      'as many screens as this process takes are connected: reconnect elsewhere, after a random wait',
    );
    return false;
  }

  /** The turn of a screen has come. */
  #enter(session: Session, screen: Index<'screen'>, greeting: Greeting): void {
    if (session.state !== 'greeting') return; // it left while it waited
    if (this.#dependencies.store.hasToken(screen, greeting.tokenHash)) this.#open(session, screen, greeting.hello);
    else this.#findOrGiveUp(session, greeting); // unpaired while it waited
  }

  #findOrGiveUp(session: Session, greeting: Greeting): void {
    this.#find(session, greeting).catch((error: unknown) => {
      this.#dependencies.log.warn({ err: error }, 'a token cannot be looked up');
      if (session.state === 'greeting') notReady(session, 'the token cannot be looked up now');
    });
  }

  /** Looks the token up in Postgres, and opens the session if it belongs to a screen. */
  async #find(session: Session, { hello, tokenHash }: Greeting): Promise<void> {
    const found = await this.#lookup.find(tokenHash);
    if (session.state !== 'greeting') return;
    if (found === undefined) return notReady(session, 'too many unknown tokens at once');
    if (found === 'unknown') return session.end(CLOSE.badToken, 'unknown token');
    if (found === 'unpaired') {
      session.send(outbound.unpaired());
      return session.end(CLOSE.unpaired, 'unpaired');
    }
    if (this.#mayConnect(session, found)) this.#open(session, found, hello);
  }

  #open(session: Session, screen: Index<'screen'>, hello: Hello): void {
    const { store, engine, registry, presence, keys, now } = this.#dependencies;
    const nowMs = now();
    session.open(screen, store.screens.handleAt(screen));
    session.profile = profileNumber(hello.platform);
    session.settings = store.settingsOf(screen, session.profile);
    session.venueHandle = store.screens.venueAt(screen).facts.handle;
    session.noted(nowMs);
    registry.take(session);
    presence.note(session.screenHandle, { online: true, atMs: nowMs, commands: hello.commands });
    restoreRecent(store, keys, { screen, handle: session.screenHandle, recent: hello.recent });
    session.cork(() => this.#welcome(session, hello, nowMs));
    engine.prepare(screen, nowMs);
  }

  #welcome(session: Session, { list: held }: Hello, nowMs: Milliseconds): void {
    const { screenHandle, venueHandle } = session;
    const names = { screen_id: formatId('screen', screenHandle), venue_id: formatId('venue', venueHandle) };
    session.send(outbound.welcome(names, session.settings!, nowMs));
    const files = this.#dependencies.store.filesFor(session.screen, session.profile);
    if (files.assets.length > 0 && files.name !== held)
      session.sendFrame(encodeOnce(this.#framesOf(files), session.codec, outbound.prefetch(files)));
  }
}

function notReady(session: Session, why: string): void {
  session.state = 'new';
  session.sendError('not_ready', `${why}; say hello again`);
}

/**
 * Frames of `prefetch` by the list that they carry. Equal screens share a list, so it is encoded once when many
 * connect.
 */
function createPrefetchFrames(): (files: FileList) => Map<Codec, Frame> {
  const known = new Map<FileList, Map<Codec, Frame>>();
  return files => {
    let frames = known.get(files);
    if (frames === undefined) {
      if (known.size >= PREFETCH_LISTS_MAX) known.clear(); // most of them are from before an edit
      known.set(files, (frames = new Map()));
    }
    return frames;
  };
}

/** A screen (its integer and its handle) and the play ids that it reports as shown. */
type RecentPlays = { screen: Index<'screen'>; handle: Handle<'screen'>; recent: readonly string[] };

/**
 * Updates separation and frequency by the plays that the screen reports as shown, including those of other processes.
 */
function restoreRecent(store: Store, keys: SigningKeys, { screen, handle, recent }: RecentPlays): void {
  let lastAt = -1;
  for (const playId of recent) {
    const facts = decodePlayId(playId, keys);
    if (facts?.screen !== handle) continue;
    const campaign = store.index.campaigns.campaignIndex(facts.campaign);
    if (campaign === undefined) continue;
    if (facts.startsAt > lastAt) {
      lastAt = facts.startsAt;
      store.screens.setLastCampaign(screen, campaign);
    }
    if (store.index.frequencyPerHourMax(campaign) !== 0 && !store.screens.hasFill(screen, campaign, facts.startsAt)) {
      store.screens.recordFill(screen, campaign, facts.startsAt);
    }
  }
}
