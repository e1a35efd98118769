/**
 * From `hello` to `welcome`. The token's hash is looked up in memory. Who is known takes a place (`door`) and waits for its
 * turn (`admission`). A token that is not known there is looked up in Postgres before it is refused, since a screen may
 * connect before the news of its pairing has arrived; it waits in no queue and takes no place until it is found, so whoever
 * makes tokens up keeps nobody out.
 */
import { createHash } from 'node:crypto';
import { isDeviceToken } from '#domain/access/key.ts';
import { decodePlayId, type SigningKeys } from '#domain/plays/play.ts';
import { profileNumber } from '#domain/campaigns/rendition.ts';
import type { Log } from '#runtime/log.ts';
import type { Admission } from './admission.ts';
import type { Engine } from '../decision/engine.ts';
import type { Asset } from '../decision/facts.ts';
import type { Door } from './door.ts';
import type { HelloRate } from './hello-rate.ts';
import { countRefusedSocket } from '../instruments.ts';
import type { Presence } from '../screens/presence.ts';
import { CLOSE } from '../protocol/bounds.ts';
import type { Codec, Frame } from '../protocol/codec.ts';
import type { Hello } from '../protocol/inbound.ts';
import * as outbound from '../protocol/outbound.ts';
import type { Session } from '../screens/session.ts';
import { encodeOnce, type SessionRegistry } from '../screens/session-registry.ts';
import type { Loader } from '../snapshot/loader.ts';
import type { Store } from '../snapshot/store.ts';
import { createTokenLookup } from './token-lookup.ts';

const MS_PER_SECOND = 1_000;
/** Lists of files whose frames are kept, of up to 20 KB each. */
const PREFETCH_LISTS_MAX = 200;

export type Handshake = {
  /** Answers `hello`: in the end the session is open, or closed with the code that says why not. */
  greet(session: Session, hello: Hello): void;
};

export function createHandshake({
  store,
  engine,
  loader,
  registry,
  presence,
  door,
  helloRate,
  admission,
  keys,
  log,
  now,
}: {
  store: Store;
  engine: Engine;
  loader: Loader;
  registry: SessionRegistry;
  presence: Presence;
  door: Door;
  helloRate: HelloRate;
  admission: Admission;
  keys: SigningKeys;
  log: Log;
  now: () => number;
}): Handshake {
  const lookup = createTokenLookup({ store, loader, now });
  const framesOf = createPrefetchFrames();

  const welcome = (session: Session, nowMs: number): void => {
    session.send(outbound.welcome(session.settings!, nowMs));
    const assets = store.assetsFor(session.screen, session.profile);
    if (assets.length > 0) session.sendFrame(encodeOnce(framesOf(assets), session.codec, outbound.prefetch(assets)));
  };
  const open = (session: Session, screen: number, { hello, nowMs }: { hello: Hello; nowMs: number }): void => {
    session.screen = screen;
    session.screenHandle = store.screens.handles[screen]!;
    session.state = 'open';
    session.profile = profileNumber(hello.platform);
    session.settings = store.settingsOf(screen, session.profile);
    session.notedAtMs = nowMs;
    registry.take(session);
    presence.note(session.screenHandle, true, nowMs);
    restoreRecent(store, keys, { screen, handle: session.screenHandle, recent: hello.recent });
    session.cork(() => welcome(session, nowMs));
    engine.prepare(screen, nowMs);
  };
  /** Gives the screen of a session a place, if there is one and it did not come too often. */
  const admit = (session: Session, screen: number): boolean => {
    const waitMs = helloRate.take(screen, now());
    if (waitMs > 0) {
      countRefusedSocket('often');
      session.end(CLOSE.tooMany, `this screen connects too often: wait ${Math.ceil(waitMs / MS_PER_SECOND)} s`);
      return false;
    }
    if (door.enter(session, registry.of(store.screens.handles[screen]!) !== undefined)) return true;
    countRefusedSocket('full');
    session.end(
      CLOSE.draining,
      'as many screens as this process takes are connected: reconnect elsewhere, after a random wait',
    );
    return false;
  };
  const ask = async (session: Session, hash: Buffer, hello: Hello): Promise<void> => {
    const found = await lookup.find(hash);
    if (session.state !== 'greeting') return;
    if (found === undefined) return notReady(session, 'too many unknown tokens at once');
    if (found === 'unknown') return session.end(CLOSE.badToken, 'unknown token');
    if (found !== 'unpaired') return admit(session, found) ? open(session, found, { hello, nowMs: now() }) : undefined;
    session.send(outbound.unpaired());
    session.end(CLOSE.unpaired, 'unpaired');
  };
  const askOrGiveUp = (session: Session, hash: Buffer, hello: Hello): void => {
    ask(session, hash, hello).catch((error: unknown) => {
      log.warn({ err: error }, 'a token cannot be looked up');
      if (session.state === 'greeting') notReady(session, 'the token cannot be looked up now');
    });
  };
  const enter = (session: Session, hash: Buffer, hello: Hello): void => {
    if (session.state !== 'greeting') return; // it left while it waited
    const screen = store.screenWithToken(hash.toString('base64'));
    if (screen === undefined) return askOrGiveUp(session, hash, hello); // unpaired while it waited
    open(session, screen, { hello, nowMs: now() });
  };
  return {
    greet(session, hello) {
      if (!isDeviceToken(hello.token)) return session.end(CLOSE.badToken, 'not a device token');
      session.state = 'greeting';
      const hash = createHash('sha256').update(hello.token).digest();
      const screen = store.screenWithToken(hash.toString('base64'));
      if (screen === undefined) return askOrGiveUp(session, hash, hello);
      if (!admit(session, screen) || admission.admit(() => enter(session, hash, hello))) return;
      countRefusedSocket('busy');
      session.end(CLOSE.draining, 'too many screens connect at once: reconnect after a random wait');
    },
  };
}

function notReady(session: Session, why: string): void {
  session.state = 'new';
  session.sendError('not_ready', `${why}; say hello again`);
}

/** Frames of `prefetch` by its list, which like screens share: a storm is of many screens that are alike. */
function createPrefetchFrames(): (assets: readonly Asset[]) => Map<Codec, Frame> {
  const known = new Map<readonly Asset[], Map<Codec, Frame>>();
  return assets => {
    let frames = known.get(assets);
    if (frames === undefined) {
      if (known.size >= PREFETCH_LISTS_MAX) known.clear(); // most are of before an edit
      known.set(assets, (frames = new Map()));
    }
    return frames;
  };
}

/** Brings separation and frequency up to what the screen says it has shown, also under another process. */
function restoreRecent(
  store: Store,
  keys: SigningKeys,
  { screen, handle, recent }: { screen: number; handle: number; recent: readonly string[] },
): void {
  let lastAt = -1;
  for (const playId of recent) {
    const facts = decodePlayId(playId, keys);
    if (facts?.screen !== handle) continue;
    const campaign = store.index.campaignIndex(facts.campaign);
    if (campaign === undefined) continue;
    if (facts.startsAt > lastAt) {
      lastAt = facts.startsAt;
      store.screens.lastCampaign[screen] = campaign;
    }
    if (store.index.frequencyPerHourMax[campaign] !== 0 && !store.screens.hasFill(screen, campaign, facts.startsAt)) {
      store.screens.recordFill(screen, campaign, facts.startsAt);
    }
  }
}
