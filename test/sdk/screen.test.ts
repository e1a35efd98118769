/**
 * The SDK's screen over a socket that says what a test says, on a clock that the test moves: what it sends, keeps,
 * sends again, and how long it waits.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  isFill,
  memoryStorage,
  openScreen,
  pairScreen,
  type Fill,
  type OutboxStorage,
  type ScreenEvents,
  type ScreenOptions,
  type Slot,
} from '../../sdk/typescript/src/screen/index.ts';

type Sent = { t: string; id: number } & Record<string, unknown>;

class FakeSocket {
  static readonly all: FakeSocket[] = [];
  binaryType = '';
  readonly sent: Sent[] = [];
  isClosed = false;
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  onerror: ((event: never) => void) | null = null;

  constructor() {
    FakeSocket.all.push(this);
  }
  send(frame: string | Uint8Array): void {
    this.sent.push(JSON.parse(String(frame)) as Sent);
  }
  close(): void {
    this.isClosed = true;
  }
  last(t: string): Sent {
    return this.sent.findLast(message => message.t === t)!;
  }
  opens(): void {
    (this.onopen as (() => void) | null)?.();
  }
  says(message: object | number | null): void {
    (this.onmessage as ((event: { data: string }) => void) | null)?.({ data: JSON.stringify(message) });
  }
  closes(code: number): void {
    (this.onclose as ((event: { code: number }) => void) | null)?.({ code });
  }
}

const SERVER_TIME = 1_900_000_000_000;
const WELCOME = {
  t: 'welcome',
  screen_id: 'scr_1',
  venue_id: 'ven_1',
  timezone: 'UTC',
  ad_ratio: 1,
  time: SERVER_TIME,
};
const socket = (): FakeSocket => FakeSocket.all.at(-1)!;
const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all.length = 0;
});
afterEach(() => vi.useRealTimers());

async function open(options: Partial<ScreenOptions> = {}) {
  const screen = await openScreen({
    socketUrl: 'ws://screens.test',
    token: 'dt_1',
    platform: 'linux',
    player: '1',
    WebSocket: FakeSocket,
    random: () => 0.5,
    ...options,
  });
  welcome();
  return screen;
}
function welcome(): void {
  socket().opens();
  socket().says(WELCOME);
}
const fillOf = (id: string, startsAt = SERVER_TIME): Fill => ({
  play_id: id,
  campaign_id: `cmp_${id}`,
  creative_id: 'cre_1',
  kind: 'still',
  url: '',
  scan_url: '',
  duration_ms: 6_000,
  starts_at: startsAt,
  expires_at: startsAt + 900_000,
});
async function take(screen: Awaited<ReturnType<typeof open>>, ...fills: Slot[]): Promise<Fill[]> {
  const asked = screen.slots({ count: fills.length });
  socket().says({ t: 'fill', id: socket().last('slot').id, slots: fills });
  return (await asked)!.filter(isFill);
}
const SHOWN = { startedAt: SERVER_TIME, playedMs: 6_000 };
/** Time passes, with a server that acknowledges what it hears. */
async function passes(ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 5_000) {
    await settle(5_000);
    for (const { id, t } of socket().sent) if (t === 'plays') socket().says({ t: 'ack', id });
  }
}

test('it sends hello with its token, and measures with the time of the welcome', async () => {
  const screen = await open();
  expect(socket().sent[0]).toMatchObject({ t: 'hello', token: 'dt_1', platform: 'linux', player: '1', recent: [] });
  expect(screen.now()).toBeCloseTo(SERVER_TIME, 0);
  await settle(2_500);
  expect(screen.now()).toBeCloseTo(SERVER_TIME + 2_500, 0);
  screen.close();
});

test('after a sleep of the device it keeps measuring, and gets the time with a new connection', async () => {
  const screen = await open();
  await settle(1_000);
  vi.setSystemTime(Date.now() + 3_600_000); // the steady clock and all timers stood
  expect(screen.now()).toBeCloseTo(SERVER_TIME + 3_601_000, 0);
  await settle(500);
  expect(FakeSocket.all).toHaveLength(2);
  socket().opens();
  socket().says({ ...WELCOME, time: SERVER_TIME + 3_605_000 });
  await settle(1_000);
  expect(screen.now()).toBeCloseTo(SERVER_TIME + 3_606_000, 0);
  await settle(5_000);
  expect(FakeSocket.all).toHaveLength(2);
  screen.close();
});

test('a device whose clock is set from 1970 keeps the time of the welcome', async () => {
  vi.setSystemTime(0);
  const screen = await open();
  vi.setSystemTime(SERVER_TIME);
  expect(screen.now()).toBeCloseTo(SERVER_TIME, 0);
  await settle(500);
  expect(FakeSocket.all).toHaveLength(2);
  screen.close();
});

test('a play is kept until it is acknowledged, and sent again over the next connection', async () => {
  const acknowledged = vi.fn<ScreenEvents['acknowledged']>();
  const screen = await open({ events: { acknowledged } });
  const [fill] = await take(screen, fillOf('a'));
  await screen.played(fill!, SHOWN);
  await settle();
  expect(socket().last('plays')['plays']).toEqual([{ play_id: 'a', started_at: SERVER_TIME, played_ms: 6_000 }]);
  socket().closes(1006);
  await settle(500);
  expect(FakeSocket.all).toHaveLength(2);
  welcome();
  await settle(200);
  expect(socket().sent[0]!['recent']).toEqual(['a']);
  expect(socket().last('plays')['plays']).toMatchObject([{ play_id: 'a' }]);
  expect(acknowledged).not.toHaveBeenCalled();
  socket().says({ t: 'ack', id: socket().last('plays').id, refused: [] });
  await screen.acknowledged();
  expect(acknowledged.mock.calls).toEqual([[['a'], 'plays']]);
  screen.close();
});

test('the next hello names a list of files once the player has all of it, until it loses a file', async () => {
  let isHeld = false;
  const prefetch = vi.fn<ScreenEvents['prefetch']>(() => () => isHeld);
  const screen = await open({ events: { prefetch } });
  const assets = [{ url: 'a.mp4', sha256: 'a', bytes: 1 }];
  const helloAgain = async () => {
    socket().closes(1006);
    await settle(500);
    welcome();
    return socket().sent[0]!['list'];
  };
  socket().says({ t: 'prefetch', list: 'first', assets });
  expect(await helloAgain()).toBeUndefined();
  isHeld = true;
  expect(await helloAgain()).toBe('first');
  socket().says({ t: 'prefetch', assets }); // in addition
  expect(await helloAgain()).toBe('first');
  socket().says({ t: 'prefetch', list: 'second', assets });
  expect(await helloAgain()).toBe('second');
  isHeld = false;
  expect(await helloAgain()).toBeUndefined();
  expect(prefetch).toHaveBeenCalledTimes(3);
  screen.close();
});

test('a play survives the process if the storage does', async () => {
  const storage: OutboxStorage = memoryStorage();
  const before = await open({ storage });
  const [fill] = await take(before, fillOf('a'));
  await before.played(fill!, SHOWN);
  before.close();
  const after = await open({ storage });
  await settle(200);
  expect(after.unacknowledged).toBe(1);
  expect(socket().last('plays')['plays']).toMatchObject([{ play_id: 'a' }]);
  after.close();
});

test('open planned fills survive the process: they can be shown or withdrawn, and are not settled meanwhile', async () => {
  const storage: OutboxStorage = memoryStorage();
  const before = await open({ storage });
  await take(before, fillOf('live', SERVER_TIME + 60_000));
  const asked = before.slots({ count: 3, plan: true });
  const fills = ['a', 'b', 'c'].map((id, at) => fillOf(id, SERVER_TIME + 10_000 + at * 6_000));
  socket().says({ t: 'fill', id: socket().last('slot').id, slots: fills });
  expect(await asked).toEqual(fills);
  await before.played(fills[0]!, SHOWN);
  before.close();

  const withdrawn = vi.fn<ScreenEvents['withdrawn']>();
  const after = await open({ storage, events: { withdrawn } });
  expect(after.planned).toEqual(fills.slice(1));
  await passes(120_000);
  expect(socket().last('plays')['settled_to']).toBe(fills[1]!.starts_at);
  socket().says({ t: 'withdraw', campaign_id: 'cmp_c' });
  expect(withdrawn.mock.calls).toEqual([[[fills[2]]]]);
  await after.played(fills[1]!, SHOWN);
  await after.cannotPlay(fills[2]!, 'withdrawn');
  expect([after.planned, (await storage.read())!.planned]).toEqual([[], []]);
  after.close();
});

test("after a restart without a network it keeps the server's time with the clock of the device", async () => {
  const storage: OutboxStorage = memoryStorage();
  const before = await open({ storage });
  const [fill] = await take(before, fillOf('a'));
  await before.played(fill!, SHOWN);
  before.close();
  await settle(600_000);
  const after = await openScreen({
    socketUrl: 'ws://screens.test',
    token: 'dt_1',
    platform: 'linux',
    player: '1',
    WebSocket: FakeSocket,
    storage,
  });
  expect(after.now()).toBeCloseTo(SERVER_TIME + 600_000, -1);
  after.close();
});

test('an open planned fill is forgotten when its time is over', async () => {
  const screen = await open();
  const asked = screen.slots({ plan: true });
  socket().says({ t: 'fill', id: socket().last('slot').id, slots: [fillOf('a', SERVER_TIME + 10_000)] });
  await asked;
  expect(screen.planned).toHaveLength(1);
  await passes(950_000);
  expect(screen.planned).toEqual([]);
  screen.close();
});

test('one message is in flight at a time, and later plays go into the next', async () => {
  const screen = await open();
  const fills = await take(screen, fillOf('a'), fillOf('b'), fillOf('c'));
  for (const fill of fills) await screen.played(fill, SHOWN);
  await settle(1_000);
  expect(socket().sent.filter(({ t }) => t === 'plays')).toHaveLength(1);
  socket().says({ t: 'ack', id: socket().last('plays').id });
  await settle(200);
  expect(socket().last('plays')['plays']).toMatchObject([{ play_id: 'b' }, { play_id: 'c' }]);
  screen.close();
});

test('a play that was reported before its end is sent again ten seconds later; other refusals are final', async () => {
  const refused = vi.fn<ScreenEvents['refused']>();
  const screen = await open({ events: { refused } });
  const [fill] = await take(screen, fillOf('a'));
  await screen.played(fill!, SHOWN);
  await settle();
  const plays = () => socket().sent.filter(({ t }) => t === 'plays');
  socket().says({ t: 'ack', id: plays()[0]!.id, refused: [{ play_id: 'a', reason: 'before_end' }] });
  await settle(9_900);
  expect(plays()).toHaveLength(1);
  await settle(200);
  expect(plays()).toHaveLength(2);
  socket().says({ t: 'ack', id: plays()[1]!.id, refused: [{ play_id: 'a', reason: 'overlap' }] });
  await screen.acknowledged();
  expect(refused.mock.calls).toEqual([[[{ play_id: 'a', reason: 'overlap' }]]]);
  screen.close();
});

test.each([
  ['hold_ms', (id: number) => ({ t: 'ack', id, hold_ms: 30_000 }), 30_000],
  ['an error', (id: number) => ({ t: 'error', id, code: 'not_ready', message: '' }), 5_000],
])('after %s it delays plays for the given time', async (_, answer, waitMs) => {
  const screen = await open();
  const fills = await take(screen, fillOf('a'), fillOf('b'));
  for (const fill of fills) await screen.played(fill, SHOWN);
  await settle();
  socket().says(answer(socket().last('plays').id));
  await settle(waitMs - 100);
  expect(socket().sent.filter(({ t }) => t === 'plays')).toHaveLength(1);
  await settle(200);
  expect(socket().sent.filter(({ t }) => t === 'plays')).toHaveLength(2);
  screen.close();
});

test('settled_to stays before every fill that may still be shown and every play outside the message', async () => {
  const screen = await open();
  const fills = await take(screen, fillOf('a', SERVER_TIME), fillOf('b', SERVER_TIME + 6_000));
  await passes(120_000);
  await screen.played(fills[0]!, SHOWN);
  await settle();
  expect(socket().last('plays')['settled_to']).toBe(SERVER_TIME + 6_000);
  socket().says({ t: 'ack', id: socket().last('plays').id });
  await screen.played(fills[1]!, SHOWN);
  await settle(200);
  expect(Number(socket().last('plays')['settled_to']) - (SERVER_TIME + 60_000)).toBeLessThan(1_000);
  expect(await take(screen, fillOf('c', SERVER_TIME))).toEqual([]); // called settled already: it is handed back
  socket().says({ t: 'ack', id: socket().last('plays').id });
  await settle(200);
  expect(socket().last('cannot_play')).toMatchObject({ play_id: 'c', reason: 'expired' });
  screen.close();
});

test('a fill that is withdrawn before its time is handed back', async () => {
  const withdrawn = vi.fn<ScreenEvents['withdrawn']>();
  const screen = await open({ events: { withdrawn } });
  await take(screen, fillOf('a', SERVER_TIME + 60_000), fillOf('b', SERVER_TIME + 66_000));
  socket().says({ t: 'withdraw', campaign_id: 'cmp_b' });
  await settle();
  expect(withdrawn.mock.calls[0]![0]).toMatchObject([{ play_id: 'b' }]);
  expect(socket().last('cannot_play')).toMatchObject({ play_id: 'b', reason: 'withdrawn' });
  screen.close();
});

test.each([
  [1006, [500, 1_000, 2_000, ...Array<number>(13).fill(2_500), 30_000]],
  [4002, [5_000, 10_000, 20_000]],
  [4004, [60_000, 120_000, 240_000]],
  [4005, [15_000, 30_000, 60_000]],
  [4008, [200, 400, 800]],
])('after close code %i it waits as the protocol requires', async (code, waits) => {
  const disconnected = vi.fn<ScreenEvents['disconnected']>();
  const screen = await open({ events: { disconnected } });
  for (const waitMs of waits) {
    socket().closes(code);
    await settle(waitMs);
  }
  expect(disconnected.mock.calls).toEqual(waits.map(waitMs => [code, waitMs]));
  screen.close();
});

test.each([
  [0, 250],
  [1, 750],
])('waits are spread: at %d of the spread the first is %i ms', async (random, waitMs) => {
  const disconnected = vi.fn<ScreenEvents['disconnected']>();
  const screen = await open({ events: { disconnected }, random: () => random });
  socket().closes(1006);
  expect(disconnected.mock.calls).toEqual([[1006, waitMs]]);
  screen.close();
});

test('a connection without an answer for ten seconds is lost with its requests', async () => {
  const screen = await open();
  const asked = screen.slots();
  await settle(10_000);
  expect(await asked).toBeUndefined();
  expect(FakeSocket.all[0]!.isClosed).toBe(true);
  await settle(500);
  expect(FakeSocket.all).toHaveLength(2);
  screen.close();
});

test('an unpaired screen does not reconnect, and keeps no data', async () => {
  const storage: OutboxStorage = memoryStorage();
  const unpaired = vi.fn<ScreenEvents['unpaired']>();
  const screen = await open({ events: { unpaired }, storage });
  const fills = await take(screen, fillOf('a'), fillOf('b'));
  await screen.played(fills[0]!, SHOWN);
  socket().says({ t: 'unpaired' });
  await screen.played(fills[1]!, SHOWN);
  await settle(600_000);
  expect(unpaired).toHaveBeenCalledOnce();
  expect(FakeSocket.all).toHaveLength(1);
  expect(await storage.read()).toEqual({ plays: [], handBacks: [], planned: [], recent: [], settledTo: 0 });
});

test.each([
  ['is lost', 1006],
  ['has to go elsewhere', 4008],
])('a screen that %s right after each welcome opens no more than 30 connections a minute', async (_, code) => {
  const screen = await open({ random: () => 0 });
  for (let ms = 0; ms < 59_500; ms += 50) {
    await settle(50);
    if (!socket().isClosed) {
      welcome();
      socket().closes(code);
    }
  }
  expect(FakeSocket.all.length).toBeGreaterThan(20);
  expect(FakeSocket.all.length).toBeLessThanOrEqual(30);
  await settle(5_000);
  expect(FakeSocket.all.length).toBeGreaterThan(30);
  screen.close();
});

test('a screen that others replace waits longer each time, even after a welcome, until a connection has lasted', async () => {
  const disconnected = vi.fn<ScreenEvents['disconnected']>();
  const screen = await open({ events: { disconnected } });
  for (const code of [4004, 4004, 4005, 4004]) {
    socket().closes(code);
    await settle(disconnected.mock.lastCall![1]);
    welcome();
  }
  await passes(600_000);
  socket().closes(4004);
  expect(disconnected.mock.calls).toEqual([
    [4004, 60_000],
    [4004, 120_000],
    [4005, 60_000],
    [4004, 480_000],
    [4004, 60_000],
  ]);
  screen.close();
});

test('a slot has a timeout; a later fill is handed back', async () => {
  const screen = await open();
  const asked = screen.slots({ withinMs: 2_000 });
  await settle(2_000);
  expect(await asked).toBeUndefined();
  socket().says({ t: 'fill', id: socket().last('slot').id, slots: [fillOf('late')] });
  await settle();
  expect(socket().last('cannot_play')).toMatchObject({ play_id: 'late', reason: 'other' });
  await settle(9_000);
  expect(FakeSocket.all).toHaveLength(1); // that answer came, if late
  screen.close();
});

test('a dropped fill is neither planned nor handed back, and everything before it is settled', async () => {
  const storage: OutboxStorage = memoryStorage();
  const screen = await open({ storage });
  const asked = screen.slots({ plan: true });
  socket().says({ t: 'fill', id: socket().last('slot').id, slots: [fillOf('a', SERVER_TIME + 1_000)] });
  const fill = (await asked)!.find(isFill);
  await passes(90_000);
  expect(socket().last('plays')['settled_to']).toBe(SERVER_TIME + 1_000);
  screen.drop(fill!);
  expect(screen.planned).toEqual([]);
  await passes(30_000);
  expect(socket().last('plays')['settled_to']).toBeGreaterThan(SERVER_TIME + 1_000);
  expect(socket().last('cannot_play')).toBeUndefined();
  expect((await storage.read())!.planned).toEqual([]);
  screen.close();
});

test('the ads shown last are named in the first hello after a restart', async () => {
  const storage: OutboxStorage = memoryStorage();
  const before = await open({ storage });
  for (const fill of await take(before, fillOf('a'), fillOf('b'))) await before.played(fill, SHOWN);
  before.close();
  const after = await open({ storage });
  expect(socket().sent[0]!['recent']).toEqual(['b', 'a']);
  after.close();
});

test('a lost network ends the connection, and a restored one is used within a second', async () => {
  const screen = await open();
  socket().closes(4004);
  expect(screen.state).toBe('waiting');
  screen.networkChanged({ isOnline: false });
  screen.networkChanged({ isOnline: true });
  await settle(500);
  expect([FakeSocket.all.length, screen.state]).toEqual([2, 'connecting']);
  welcome();
  screen.networkChanged({ isOnline: true });
  expect(screen.state).toBe('open');
  screen.networkChanged({ isOnline: false });
  expect([socket().isClosed, screen.state]).toEqual([true, 'waiting']);
  screen.close();
  expect(screen.state).toBe('closed');
});

test('a flapping network causes at most 30 connections a minute', async () => {
  const screen = await open();
  for (let ms = 0; ms < 59_000; ms += 500) {
    screen.networkChanged({ isOnline: false });
    screen.networkChanged({ isOnline: true });
    await settle(500);
  }
  expect(FakeSocket.all).toHaveLength(30);
  screen.close();
});

test('an unknown message of the server is ignored', async () => {
  const screen = await open();
  for (const message of [[], 17, null, { t: 'news' }, {}]) socket().says(message);
  expect(screen.state).toBe('open');
  screen.close();
});

test('an invalid address is refused, and one that a page may not open is retried', async () => {
  await expect(open({ socketUrl: 'screens.test' })).rejects.toThrow('socketUrl must be the address of a WebSocket');
  let isForbidden = true;
  class Guarded extends FakeSocket {
    constructor() {
      if (isForbidden) throw new Error('SecurityError');
      super();
    }
  }
  const options = { socketUrl: 'ws://screens.test', token: 'dt_1', platform: 'linux', player: '1' };
  const disconnected = vi.fn<ScreenEvents['disconnected']>();
  const screen = await openScreen({ ...options, WebSocket: Guarded, events: { disconnected }, random: () => 0.5 });
  expect(disconnected.mock.calls).toEqual([[1006, 500]]);
  isForbidden = false;
  await settle(500);
  expect([FakeSocket.all.length, screen.state]).toEqual([1, 'connecting']);
  screen.close();
});

test('a fill shown before its time is not handed back when it is withdrawn', async () => {
  const withdrawn = vi.fn<ScreenEvents['withdrawn']>();
  const screen = await open({ events: { withdrawn } });
  const [fill] = await take(screen, fillOf('a', SERVER_TIME + 4_000));
  screen.start(fill!);
  socket().says({ t: 'withdraw', campaign_id: 'cmp_a' });
  await settle(1_000);
  expect(withdrawn.mock.calls).toEqual([[[fill]]]);
  expect(socket().last('cannot_play')).toBeUndefined();
  screen.close();
});

test('a taken planned fill is open and no longer planned, even after a restart', async () => {
  const storage: OutboxStorage = memoryStorage();
  const screen = await open({ storage });
  const asked = screen.slots({ plan: true });
  socket().says({ t: 'fill', id: socket().last('slot').id, slots: [fillOf('a', SERVER_TIME + 1_000)] });
  await screen.take((await asked)!.find(isFill)!);
  expect([screen.planned, (await storage.read())!.planned]).toEqual([[], []]);
  await passes(120_000);
  expect(socket().last('plays')['settled_to']).toBe(SERVER_TIME + 1_000);
  screen.close();
});

test('a refused code has the seconds to wait, and a signal ends the wait for an answer', async () => {
  const device = { baseUrl: '', code: '482913', platform: 'linux', player: '1' } as const;
  const body = JSON.stringify({ code: 'rate_limited', detail: 'Too many wrong codes' });
  const refusing = () => Promise.resolve(new Response(body, { status: 429, headers: { 'retry-after': '12' } }));
  const refused = pairScreen({ ...device, fetch: refusing });
  await expect(refused).rejects.toMatchObject({ code: 'rate_limited', status: 429, retryAfterSeconds: 12 });
  const silent: typeof fetch = (_url, init) =>
    new Promise((_, reject) => {
      init!.signal!.addEventListener('abort', () => reject(new Error('aborted')));
    });
  const abort = new AbortController();
  const waiting = pairScreen({ ...device, fetch: silent, signal: abort.signal });
  abort.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'no_answer', status: 0 });
});
