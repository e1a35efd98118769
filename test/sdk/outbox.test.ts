/**
 * What the SDK keeps until the server has acknowledged it: nothing that was shown is lost to a refusal, a full disk or
 * an absence, and `settled_to` never covers a play that the server does not have. A server under the test's hand hears
 * the messages, on a clock that the test moves.
 */
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Outbox, type OutboxEvents, type OutboxOptions } from '../../sdk/typescript/src/screen/outbox.ts';
import { memoryStorage } from '../../sdk/typescript/src/screen/storage.ts';

const NOW = 1_900_000_000_000;
const MINUTE_MS = 60_000;
type Sent = { id: number; t: string; plays?: { play_id: string }[]; play_id?: string; settled_to?: number };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());
const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

async function openOutbox(options: Partial<Omit<OutboxOptions, 'events'>> = {}) {
  const startedAt = performance.now();
  const sent: Sent[] = [];
  const acknowledged = vi.fn<OutboxEvents['acknowledged']>();
  const refused = vi.fn<OutboxEvents['refused']>();
  let isConnected = true;
  const outbox = await Outbox.open({
    storage: memoryStorage(),
    events: { acknowledged, refused },
    send(message) {
      if (isConnected) sent.push({ ...(message as Sent), id: sent.length + 1 });
      return isConnected ? sent.length : undefined;
    },
    openFrom: () => NOW + performance.now() - startedAt - MINUTE_MS,
    ...options,
  });
  outbox.connected();
  return {
    outbox,
    sent,
    acknowledged,
    refused,
    connect(): void {
      isConnected = true;
      outbox.connected();
    },
    disconnect(): void {
      isConnected = false;
      outbox.lost();
    },
    /** Answers the last message. */
    async answer(fields: object = { t: 'ack' }): Promise<void> {
      await outbox.answered({ t: 'ack', ...fields, id: sent.length } as Parameters<typeof outbox.answered>[0]);
      await settle(200);
    },
  };
}
const play = (play_id: string) => ({ play_id, started_at: NOW, played_ms: 6_000 });
const idsOf = (message: Sent | undefined) => message?.plays?.map(({ play_id }) => play_id);
const BAD_FIELD = { t: 'error', code: 'bad_field', message: 'played_ms must be a number' };

test('a play that the server can never accept is dropped alone and reported; the others in its message are accepted', async () => {
  const { outbox, sent, acknowledged, refused, answer } = await openOutbox();
  outbox.lost();
  for (const id of ['a', 'bad', 'c']) await outbox.addPlay(play(id), NOW);
  outbox.connected();
  await settle();
  expect(idsOf(sent.at(-1))).toEqual(['a', 'bad', 'c']);
  expect(sent.at(-1)!.settled_to).toBeGreaterThan(0);
  await answer(BAD_FIELD);
  expect(sent.at(-1)).toEqual({ t: 'plays', id: 2, plays: [play('a')] });
  await answer();
  expect(sent.at(-1)).toEqual({ t: 'plays', id: 3, plays: [play('bad')] });
  await answer(BAD_FIELD);
  expect(refused.mock.calls).toEqual([[[{ play_id: 'bad', reason: 'bad_field' }]]]);
  expect(idsOf(sent.at(-1))).toEqual(['c']);
  await answer();
  expect([outbox.size, acknowledged.mock.calls]).toEqual([
    0,
    [
      [['a'], 'plays'],
      [['c'], 'plays'],
    ],
  ]);
});

test('a hand-back that the server can never accept is dropped, and plays continue', async () => {
  const { outbox, sent, answer } = await openOutbox();
  await outbox.addHandBack({ play_id: 'bad', reason: 'other' });
  await outbox.addPlay(play('a'), NOW);
  expect(sent.at(-1)).toMatchObject({ t: 'cannot_play', play_id: 'bad' });
  await answer(BAD_FIELD);
  expect(idsOf(sent.at(-1))).toEqual(['a']);
});

test('hold_ms delays plays, and not hand-backs', async () => {
  const { outbox, sent, answer } = await openOutbox();
  await outbox.addPlay(play('a'), NOW);
  await settle();
  await answer({ hold_ms: 30_000 });
  await outbox.addPlay(play('b'), NOW);
  await outbox.addHandBack({ play_id: 'c', reason: 'withdrawn' });
  await settle(1_000);
  expect(sent.map(({ t }) => t)).toEqual(['plays', 'cannot_play']);
  await answer();
  expect(sent).toHaveLength(2);
  await settle(30_000);
  expect(idsOf(sent.at(-1))).toEqual(['b']);
});

test('plays sent meanwhile do not settle a play that waits for its retry', async () => {
  const { outbox, sent, answer } = await openOutbox();
  await outbox.addPlay(play('early'), NOW - 5 * MINUTE_MS);
  await settle();
  expect(sent.at(-1)!.settled_to).toBeGreaterThan(NOW - 5 * MINUTE_MS);
  await answer({ refused: [{ play_id: 'early', reason: 'before_end' }] });
  await outbox.addPlay(play('b'), NOW);
  await settle();
  expect(idsOf(sent.at(-1))).toEqual(['b']);
  expect(sent.at(-1)).not.toHaveProperty('settled_to');
});

test('with a full disk plays are still reported, and only what a restart would know is settled', async () => {
  const full = new Error('ENOSPC');
  const storage = { read: () => Promise.resolve(undefined), write: () => Promise.reject(full) };
  const { outbox, sent, acknowledged, answer } = await openOutbox({ storage });
  await expect(outbox.addPlay(play('a'), NOW)).rejects.toBe(full);
  await settle();
  expect(sent).toEqual([{ t: 'plays', id: 1, plays: [play('a')] }]);
  await answer();
  expect([outbox.size, acknowledged.mock.calls]).toEqual([0, [[['a'], 'plays']]]);
});

test('it reports settled plays every 25 seconds without a play, which is also a sign of life', async () => {
  const { outbox, sent, answer, disconnect } = await openOutbox();
  await settle(24_900);
  expect(sent).toEqual([]);
  await settle(200);
  expect(sent).toEqual([{ t: 'plays', id: 1, plays: [], settled_to: NOW + 25_000 - MINUTE_MS }]);
  await answer();
  await outbox.addPlay(play('a'), NOW);
  await settle();
  await answer();
  await settle(24_000);
  expect(sent).toHaveLength(2);
  await settle(1_000);
  expect(sent).toHaveLength(3);
  disconnect();
  await settle(MINUTE_MS);
  expect(sent).toHaveLength(3);
});

test('it sends nothing without a play or a newly settled one', async () => {
  const { sent } = await openOutbox({ openFrom: () => 0 });
  await settle(5 * MINUTE_MS);
  expect(sent).toEqual([]);
});

test('entries that no longer fit are reported: first hand-backs, then the oldest play that is not in flight', async () => {
  const kept = { plays: Array.from({ length: 9_999 }, (_, index) => ({ play: play(`p${index}`), starts_at: NOW })) };
  const storage = memoryStorage();
  await storage.write({ ...kept, handBacks: [{ play_id: 'back', reason: 'other' }], settledTo: NOW });
  const { outbox, sent, refused } = await openOutbox({ storage });
  await settle();
  expect(idsOf(sent.at(-1))?.[0]).toBe('p0');
  await outbox.addHandBack({ play_id: 'more', reason: 'other' });
  await outbox.addPlay(play('new'), NOW);
  await outbox.addPlay(play('newer'), NOW);
  expect(refused.mock.calls).toEqual([
    [[{ play_id: 'back', reason: 'outbox_full' }]],
    [[{ play_id: 'more', reason: 'outbox_full' }]],
    [[{ play_id: 'p200', reason: 'outbox_full' }]],
  ]);
  expect(outbox.size).toBe(10_000);
});

test('an ad that was shown in the end is not handed back', async () => {
  const { outbox, sent, connect, disconnect, answer } = await openOutbox();
  disconnect();
  await outbox.addHandBack({ play_id: 'a', reason: 'withdrawn' });
  await outbox.addPlay(play('a'), NOW);
  connect();
  await settle();
  expect(sent.map(({ t }) => t)).toEqual(['plays']);
  await answer();
  expect(outbox.size).toBe(0);
});

test('nothing is kept of an ended pairing', async () => {
  const storage = memoryStorage();
  const { outbox } = await openOutbox({ storage });
  await outbox.addPlay(play('a'), NOW);
  await outbox.clear();
  expect(await storage.read()).toEqual({ plays: [], handBacks: [], planned: [], recent: [], settledTo: 0 });
  expect(outbox.size).toBe(0);
});

test('with a heartbeat a report is sent at each welcome and every 25 seconds, even if nothing new is settled', async () => {
  const { sent, connect, disconnect, answer } = await openOutbox({ openFrom: () => 0, heartbeat: true });
  await settle();
  expect(sent).toEqual([{ t: 'plays', id: 1, plays: [] }]);
  await answer({ t: 'ack', hold_ms: 30_000 });
  await settle(29_000);
  expect(sent).toHaveLength(1);
  await settle(1_000);
  expect(sent).toHaveLength(2);
  disconnect();
  connect();
  await settle(200);
  expect(sent).toHaveLength(3);
});

test('stored plays are limited to the given number: the oldest is dropped', async () => {
  const { outbox, refused } = await openOutbox({ entriesMax: 2 });
  outbox.lost();
  for (const id of ['a', 'b', 'c']) await outbox.addPlay(play(id), NOW);
  expect([outbox.plays, refused.mock.calls]).toEqual([2, [[[{ play_id: 'a', reason: 'outbox_full' }]]]]);
});

test('a play is sent before the hand-back of a whole plan, with at most ten messages a second', async () => {
  const { outbox, sent, answer } = await openOutbox();
  for (let index = 0; index < 240; index++) await outbox.addHandBack({ play_id: `h${index}`, reason: 'withdrawn' });
  await outbox.addPlay(play('a'), NOW);
  const startedAt = performance.now();
  await answer();
  expect(sent.map(({ t }) => t)).toEqual(['cannot_play', 'plays']);
  while (outbox.size > 0) {
    await answer();
    expect(sent.length).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 100);
  }
});

test('a message has at most 200 plays, and one message is in flight', async () => {
  const { outbox, sent, answer } = await openOutbox();
  outbox.lost();
  for (let index = 0; index < 450; index++) await outbox.addPlay(play(`p${index}`), NOW);
  outbox.connected();
  await settle(1_000);
  expect(sent.map(message => message.plays!.length)).toEqual([200]);
  await outbox.answered({ t: 'ack', id: 99 });
  expect(outbox.size).toBe(450);
  for (let times = 0; times < 3; times++) await answer();
  expect([sent.map(message => message.plays!.length), outbox.size]).toEqual([[200, 200, 50], 0]);
});

test('settled_to never decreases, even over a restart', async () => {
  const storage = memoryStorage();
  await storage.write({ plays: [], handBacks: [], settledTo: NOW });
  const { outbox, sent } = await openOutbox({ storage, heartbeat: true });
  await settle();
  expect([sent, outbox.settledTo]).toEqual([[{ t: 'plays', id: 1, plays: [] }], NOW]);
});

test('settled_to never passes a play that is neither acknowledged nor in the message, for any events', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('play' as const), ms: fc.integer({ min: 0, max: 600_000 }) }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 30_000 }) }),
    fc.record({ kind: fc.constantFrom('ack' as const, 'fail' as const, 'lose' as const), ms: fc.constant(0) }),
  );
  let said = 0;
  const isKept = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async steps => {
    const unacknowledged = new Map<string, number>();
    const { outbox, sent, acknowledged, refused, answer, connect, disconnect } = await openOutbox({ heartbeat: true });
    const startedAt = performance.now();
    acknowledged.mockImplementation(ids => ids.forEach(id => unacknowledged.delete(id)));
    refused.mockImplementation(all => all.forEach(({ play_id }) => unacknowledged.delete(play_id)));
    let checked = 0;
    for (const [index, { kind, ms }] of steps.entries()) {
      const startsAt = NOW + performance.now() - startedAt - ms;
      if (kind === 'play' && startsAt >= outbox.settledTo) {
        unacknowledged.set(`p${index}`, startsAt);
        await outbox.addPlay(play(`p${index}`), startsAt);
      }
      if (kind === 'ack') await answer();
      if (kind === 'fail') await answer(index % 2 ? BAD_FIELD : { ...BAD_FIELD, code: 'not_ready' });
      if (kind === 'lose') disconnect();
      if (kind === 'lose') connect();
      await settle(ms);
      for (const message of sent.slice(checked)) {
        const others = [...unacknowledged].filter(([playId]) => !idsOf(message)!.includes(playId));
        if (others.some(([, at]) => at < (message.settled_to ?? 0))) return false;
        said += message.settled_to === undefined ? 0 : 1;
      }
      checked = sent.length;
    }
    outbox.lost();
    return true;
  });
  await fc.assert(isKept);
  expect(said).toBeGreaterThan(0);
});
