/**
 * From `hello` to `welcome`. The token's hash is looked up in memory; one that is not known there is looked up in Postgres
 * before it is refused, since a screen may connect before the news of its pairing has arrived.
 */
import { createHash } from 'node:crypto';
import { isDeviceToken } from '#domain/key.ts';
import { decodePlayId, type SigningKeys } from '#domain/play.ts';
import { profileNumber } from '#domain/rendition.ts';
import type { Log } from '#runtime/log.ts';
import type { Engine } from './decision/engine.ts';
import type { Presence } from './presence.ts';
import { CLOSE } from './protocol/bounds.ts';
import type { Hello } from './protocol/inbound.ts';
import * as outbound from './protocol/outbound.ts';
import type { Session } from './session.ts';
import type { SessionRegistry } from './session-registry.ts';
import type { Loader } from './snapshot/loader.ts';
import type { Store } from './snapshot/store.ts';

/** Look-ups in Postgres under way: guessers of tokens must not take the pool away from the change feed. */
const LOOKUPS_MAX = 32;

export type Handshake = {
  /** Answers `hello`: in the end the session is open, or closed with the code that says why not. */
  greet(session: Session, hello: Hello, nowMs: number): void;
};

export function createHandshake({ store, engine, loader, registry, presence, keys, log }: {
  store: Store; engine: Engine; loader: Loader; registry: SessionRegistry; presence: Presence; keys: SigningKeys; log: Log;
}): Handshake {
  let lookups = 0;

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
    session.send(outbound.welcome(session.settings, nowMs));
    const assets = store.assetsFor(screen, session.profile);
    if (assets.length > 0) session.send(outbound.prefetch(assets));
    engine.prepare(screen, nowMs);
  };
  const lookUp = async (session: Session, hash: Buffer, greeting: { hello: Hello; nowMs: number }): Promise<void> => {
    const found = await loader.findToken(hash);
    if (session.state !== 'greeting') return;
    if (found === undefined) return session.end(CLOSE.badToken, 'unknown token');
    if (!found.paired) {
      session.send(outbound.unpaired());
      return session.end(CLOSE.unpaired, 'unpaired');
    }
    const screens = await loader.loadScreens([found.screen]);
    const venues = await loader.loadVenues(screens.map(screen => screen.venue));
    store.apply({ campaigns: new Map(), venues, screens: new Map(screens.map(screen => [screen.handle, screen])), playlists: new Map() });
    const screen = store.screenWithToken(hash.toString('base64'));
    if (session.state !== 'greeting') return;
    if (screen === undefined) return session.end(CLOSE.badToken, 'unknown token');
    open(session, screen, greeting);
  };
  return {
    greet(session, hello, nowMs) {
      if (!isDeviceToken(hello.token)) return session.end(CLOSE.badToken, 'not a device token');
      const hash = createHash('sha256').update(hello.token).digest();
      const screen = store.screenWithToken(hash.toString('base64'));
      if (screen !== undefined) return open(session, screen, { hello, nowMs });
      if (lookups >= LOOKUPS_MAX) return session.sendError('not_ready', 'too many unknown tokens at once; say hello again');
      session.state = 'greeting';
      lookups++;
      lookUp(session, hash, { hello, nowMs }).catch((error: unknown) => {
        log.warn({ err: error }, 'a token cannot be looked up');
        if (session.state !== 'greeting') return;
        session.state = 'new';
        session.sendError('not_ready', 'the token cannot be looked up now; say hello again');
      }).finally(() => lookups--);
    },
  };
}

/** Brings separation and frequency up to what the screen says it has shown, also under another process. */
function restoreRecent(store: Store, keys: SigningKeys, { screen, handle, recent }: { screen: number; handle: number; recent: readonly string[] }): void {
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
