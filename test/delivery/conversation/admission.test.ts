/**
 * What meets a storm of screens: who waits, who is sent away, and what it costs Postgres. Without sockets and in
 * virtual time, with the handshake, the registry and the limits that delivery uses.
 */
import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatDeviceToken } from '#domain/access/key.ts';
import { parseSigningKeys } from '#domain/plays/play.ts';
import { createLog } from '#runtime/log.ts';
import type { Redis } from '#sql/redis.ts';
import { Admission } from '../../../delivery/conversation/admission.ts';
import { Conversation } from '../../../delivery/conversation/conversation.ts';
import type { Engine } from '../../../delivery/decision/engine.ts';
import { ConnectionLimits } from '../../../delivery/conversation/connection-limits.ts';
import { Handshake } from '../../../delivery/conversation/handshake.ts';
import { HelloRate } from '../../../delivery/conversation/hello-rate.ts';
import type { Presence } from '../../../delivery/screens/presence.ts';
import { chooseCodec } from '../../../delivery/protocol/codec.ts';
import type { Hello } from '../../../delivery/protocol/inbound.ts';
import { Session } from '../../../delivery/screens/session.ts';
import { SessionRegistry } from '../../../delivery/screens/session-registry.ts';
import type { Loader } from '../../../delivery/snapshot/loader.ts';
import { Store } from '../../../delivery/snapshot/store.ts';
import { handle } from '../../support/handle.ts';
import { SIGNING_KEYS } from '../delivery-under-test.ts';
import { screenRecord, venueRecord } from '../records.ts';
import { standIn } from '../../support/stand-in.ts';

const log = createLog('test', 'fatal');
const codec = chooseCodec('marquee.v1.json')!;
const keys = parseSigningKeys(SIGNING_KEYS);
/** Every connection is the first of its screen. */
const redis = standIn<Redis>({ eval: async (...[, , , screens]: unknown[]) => String(screens).replace(/\d+/g, '1') });
const registryOf = () => new SessionRegistry({ commands: redis, subscriber: redis, log });
const limitsOf = () =>
  new ConnectionLimits({ screensMax: 10_000, pendingMax: 10_000, pendingPerAddressMax: 10_000 }, Date.now);
const presence: Presence = { note: () => undefined, waiting: () => 0, close: async () => undefined };
const hello = (): Hello => ({
  t: 'hello',
  token: formatDeviceToken(randomBytes(32)),
  platform: 'linux',
  player: 'test/1',
  recent: [],
  list: undefined,
  commands: [],
});

function sessionOf(heard: string[] = []): Session {
  const session = new Session({ codec, address: '127.0.0.1', nowMs: Date.now(), messagesPerSecondMax: 10 });
  session.attach({
    send: frame => {
      heard.push(String(frame));
      return 1;
    },
    cork: write => write(),
    ping: () => void heard.push('ping'),
    end: code => void heard.push(String(code)),
  });
  return session;
}

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] }),
);
afterEach(() => void vi.useRealTimers());

describe('admission', () => {
  const admissionOf = (perSecond: number) => new Admission({ perSecond, monotonicMs: () => performance.now() });

  test('admits a single screen at once, and a storm in order of arrival at the rate', async () => {
    const admission = admissionOf(100);
    const entered: number[] = [];
    for (let screen = 0; screen < 300; screen++) admission.admit(() => entered.push(screen));
    expect(entered).toEqual([0, 1, 2, 3, 4]); // a twentieth of a second's worth
    await vi.advanceTimersByTimeAsync(1_000);
    expect(entered.length).toBeGreaterThanOrEqual(103);
    expect(entered.length).toBeLessThanOrEqual(106);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(entered).toEqual(Array.from({ length: 300 }, (_, screen) => screen));
    expect(admission.waiting).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('makes up for a delayed event loop, with a burst in each turn', async () => {
    let nowMs = 0;
    const admission = new Admission({ perSecond: 100, monotonicMs: () => nowMs });
    let entered = 0;
    for (let screen = 0; screen < 300; screen++) admission.admit(() => entered++);
    nowMs = 400;
    vi.advanceTimersByTime(10);
    const afterTurns: number[] = [];
    for (let turns = 0; turns < 10; turns++) {
      afterTurns.push(entered);
      await turn();
    }
    expect(afterTurns).toEqual([10, 15, 20, 25, 30, 35, 40, 45, 45, 45]);
    nowMs = 60_000; // for no more than a second
    vi.advanceTimersByTime(10);
    for (let turns = 0; turns < 30; turns++) await turn();
    expect(entered).toBe(5 + 40 + 100);
    admission.close();
  });

  test('refuses screens that would wait for more than ten seconds, and continues through an endless storm', async () => {
    const admission = admissionOf(100);
    const answers = Array.from({ length: 1_500 }, () => admission.admit(() => undefined));
    expect(answers.filter(Boolean)).toHaveLength(1_005);
    for (let second = 0; second < 30; second++) {
      await vi.advanceTimersByTimeAsync(1_000);
      for (let screen = 0; screen < 500; screen++) admission.admit(() => undefined);
      expect(admission.waiting).toBe(1_000);
    }
    admission.close();
  });
});

describe('a hello', () => {
  /** A handshake that knows these tokens, and a Postgres that answers on command. */
  function handshakeOf(admission: Admission, tokens: readonly string[] = []) {
    const store = new Store(Date.now());
    const screens = tokens.map((token, at) =>
      screenRecord({
        handle: handle('screen', at + 1),
        tokenHash: createHash('sha256').update(token).digest('base64'),
      }),
    );
    store.apply({
      campaigns: new Map(),
      venues: [venueRecord()],
      screens: new Map(screens.map(screen => [screen.handle, screen])),
      playlists: new Map(),
    });
    let asked = 0;
    const answers: (() => void)[] = [];
    const loader = standIn<Loader>({
      findToken: () =>
        new Promise<undefined>(resolve => {
          asked++;
          answers.push(() => resolve(undefined));
        }),
    });
    const engine = standIn<Engine>({ prepare: () => undefined });
    const handshake = new Handshake({
      store,
      engine,
      loader,
      registry: registryOf(),
      presence,
      entry: { limits: limitsOf(), helloRate: new HelloRate(30), admission },
      keys,
      log,
      now: Date.now,
    });
    return {
      handshake,
      asked: () => asked,
      answer: async () => {
        for (const answer of answers.splice(0)) answer();
        await turn();
      },
    };
  }

  test('with an unknown token causes at most 32 Postgres look-ups at once and 200 a second, however many arrive', async () => {
    const { handshake, asked, answer } = handshakeOf(
      new Admission({ perSecond: 1_000_000, monotonicMs: () => performance.now() }),
    );
    const heard: string[] = [];
    for (let round = 0; round < 20; round++) {
      const before = asked();
      for (let screen = 0; screen < 100; screen++) handshake.greet(sessionOf(heard), hello());
      expect(asked() - before).toBeLessThanOrEqual(32);
      await answer();
    }
    expect(asked()).toBe(200);
    expect(heard.filter(text => text === '4002')).toHaveLength(200);
    expect(heard.filter(text => text.includes('not_ready'))).toHaveLength(1_800);
    await vi.advanceTimersByTimeAsync(1_000);
    handshake.greet(sessionOf(heard), hello());
    expect(asked()).toBe(201);
  });

  test('in the queue is dropped when its screen disconnects, and ends with 4008 if too many wait; one with a made-up token is not queued', async () => {
    const hellos = Array.from({ length: 12 }, () => hello());
    const { handshake, asked } = handshakeOf(
      new Admission({ perSecond: 1, monotonicMs: () => performance.now() }),
      hellos.map(({ token }) => token),
    );
    const [first, left, ...others] = hellos.map(each => {
      const heard: string[] = [];
      const session = sessionOf(heard);
      handshake.greet(session, each);
      if (each === hellos[1]) session.detach();
      return { session, heard };
    });
    expect(first!.heard.map(text => (JSON.parse(text) as { t: string }).t)).toEqual(['welcome']);
    expect(others.map(({ heard }) => heard)).toEqual([...Array.from({ length: 9 }, () => []), ['4008']]);
    handshake.greet(sessionOf(), hello());
    expect(asked()).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([left!.session.state, others[0]!.session.state]).toEqual(['closed', 'open']);
  });
});

/** A conversation with so many screens that came in this instant; it calls `ping` with the screen that it pings. */
function crowdOf(screens: number, ping: (screen: number) => void) {
  const registry = registryOf();
  const noted: number[] = [];
  const conversation = new Conversation({
    limits: limitsOf(),
    handshake: { greet: () => undefined },
    slots: { answer: () => undefined },
    reports: { takePlays: () => undefined, takeCannotPlay: () => undefined },
    registry,
    presence: { ...presence, note: screen => void noted.push(screen) },
    messagesPerSecondMax: 10,
    now: Date.now,
  });
  for (let screen = 0; screen < screens; screen++) {
    const session = conversation.opened(
      codec,
      { send: () => 1, cork: write => write(), ping: () => ping(screen), end: () => undefined },
      '127.0.0.1',
    );
    session.open(screen, handle('screen', screen + 1));
    session.noted(Date.now());
    registry.take(session);
  }
  return { conversation, noted };
}

test('screens that connected in one instant and fell silent are pinged in different seconds, each before the library would ping all', async () => {
  const SCREENS = 3_000;
  const pinged = new Map<number, number>();
  const perSecond: number[] = [];
  let second = 0;
  const { conversation, noted } = crowdOf(SCREENS, screen => {
    pinged.set(screen, pinged.get(screen) ?? second);
    perSecond[second] = (perSecond[second] ?? 0) + 1;
  });
  for (second = 1; second <= 44; second++) await vi.advanceTimersByTimeAsync(1_000);
  conversation.close();
  expect(pinged.size).toBe(SCREENS);
  expect(Math.max(...perSecond.filter(count => count > 0))).toBeLessThanOrEqual(SCREENS / 30);
  expect(new Set(noted).size).toBe(SCREENS);
});

test('each screen is noted within 45 s even by a process that gets a core once in five seconds', async () => {
  const SCREENS = 3_000;
  const { conversation, noted } = crowdOf(SCREENS, () => undefined);
  for (let turns = 1; turns <= 9; turns++) {
    vi.setSystemTime(Date.now() + 4_000); // in line for a core
    await vi.advanceTimersByTimeAsync(1_000);
  }
  conversation.close();
  expect(new Set(noted).size).toBe(SCREENS);
});

describe('connections that did not say hello', () => {
  const BOUNDS = { screensMax: 20_000, pendingMax: 10, pendingPerAddressMax: 6 };
  const limitsWith = (screensMax = BOUNDS.screensMax) => new ConnectionLimits({ ...BOUNDS, screensMax }, Date.now);
  const sessionFrom = (address: string) => new Session({ codec, address, nowMs: Date.now(), messagesPerSecondMax: 10 });
  /** Those that were taken. */
  const open = (limits: ConnectionLimits, count: number, addressOf: (at: number) => string) => {
    const sessions = Array.from({ length: count }, (_, at) => sessionFrom(addressOf(at)));
    return sessions.filter(session => limits.opened(session) !== session);
  };
  const other = (at: number) => `other ${at}`;

  test.each([0, 99])('are bounded in all and per address while few screens come in (%i)', count => {
    const limits = limitsWith();
    for (let screen = 0; screen < count; screen++) limits.identified(sessionFrom('a'), false);
    expect(open(limits, 20, () => 'one')).toHaveLength(6);
    expect(open(limits, 20, other)).toHaveLength(4);
  });

  test('may be more by the number of recent screens, per address as well', () => {
    const limits = limitsWith();
    open(limits, 1, () => 'crowd');
    for (let came = 0; came < 200; came++) limits.identified(sessionFrom('crowd'), false);
    expect(open(limits, 300, () => 'strangers')).toHaveLength(6);
    expect(open(limits, 300, () => 'crowd')).toHaveLength(203);
    expect(limits.pendingCount).toBe(210);
  });

  test.each([
    ['than there are places', 205, 15],
    ['than half of the screens of a process', 30_000, 8_010],
  ])('are no more %s', (_, screensMax, most) => {
    const limits = limitsWith(screensMax);
    for (let screen = 0; screen < Math.min(10_000, screensMax - 5); screen++)
      limits.identified(sessionFrom(`screen ${screen}`), false);
    expect(open(limits, most + 100, other)).toHaveLength(most);
  });

  test('are closed when the crowd is over, the longest silent first, and no new one', () => {
    const limits = limitsWith();
    for (let screen = 0; screen < 200; screen++) limits.identified(sessionFrom(`screen ${screen}`), false);
    const opened = open(limits, 210, other);
    expect(limits.left().size).toBe(0);
    vi.advanceTimersByTime(2_000);
    const left = [...limits.left()];
    expect(left).toEqual(opened.slice(0, 100));
    for (const session of left) limits.closed(session);
    vi.advanceTimersByTime(10_000);
    for (const session of limits.left()) limits.closed(session);
    expect(limits.pendingCount).toBe(10);
  });

  test('get no more room after a clock was set back', () => {
    const limits = limitsWith();
    for (let screen = 0; screen < 200; screen++) limits.identified(sessionFrom(`screen ${screen}`), false);
    vi.setSystemTime(Date.now() - 600_000);
    expect(open(limits, 100, other)).toHaveLength(10);
  });
});
