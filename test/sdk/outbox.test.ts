/**
 * What the SDK keeps until the server has acknowledged it: nothing that was shown is lost to a refusal, a full disk or
 * an absence, and `settled_to` never covers a play that the server does not have. A server under the test's hand hears
 * the messages, on a clock that the test moves.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  memoryStorage,
  Outbox,
  type OutboxEvents,
  type OutboxOptions,
} from '../../sdk/typescript/src/screen/outbox.ts';

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

test('a play that the server can never take is dropped alone and told; the others of its message are taken', async () => {
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
  expect([outbox.size, acknowledged.mock.calls]).toEqual([0, [[['a']], [['c']]]]);
});

test('a hand-back that the server can never take is dropped, and plays go on', async () => {
  const { outbox, sent, answer } = await openOutbox();
  await outbox.addHandBack({ play_id: 'bad', reason: 'other' });
  await outbox.addPlay(play('a'), NOW);
  expect(sent.at(-1)).toMatchObject({ t: 'cannot_play', play_id: 'bad' });
  await answer(BAD_FIELD);
  expect(idsOf(sent.at(-1))).toEqual(['a']);
});

test('hold_ms holds plays back, and not what is handed back', async () => {
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

test('a play that waits to be sent again is not called settled by the plays that go meanwhile', async () => {
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

test('with a full disk plays are reported all the same, and nothing is called settled that a restart would not know', async () => {
  const full = new Error('ENOSPC');
  const storage = { read: () => Promise.resolve(undefined), write: () => Promise.reject(full) };
  const { outbox, sent, acknowledged, answer } = await openOutbox({ storage });
  await expect(outbox.addPlay(play('a'), NOW)).rejects.toBe(full);
  await settle();
  expect(sent).toEqual([{ t: 'plays', id: 1, plays: [play('a')] }]);
  await answer();
  expect([outbox.size, acknowledged.mock.calls]).toEqual([0, [[['a']]]]);
});

test('every 25 seconds without a play it says what is settled, which is a sign of life, too', async () => {
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

test('says nothing without a play where nothing more is settled', async () => {
  const { sent } = await openOutbox({ openFrom: () => 0 });
  await settle(5 * MINUTE_MS);
  expect(sent).toEqual([]);
});

test('what does not fit any more is told: first what would be handed back, then the oldest play that is not on its way', async () => {
  const kept = { plays: Array.from({ length: 9_999 }, (_, index) => ({ play: play(`p${index}`), starts_at: NOW })) };
  const storage = memoryStorage();
  await storage.write({ ...kept, handBacks: [{ play_id: 'back', reason: 'other' }], settledTo: NOW });
  const { outbox, sent, refused, answer } = await openOutbox({ storage });
  await answer();
  await settle(200);
  expect(idsOf(sent.at(-1))?.[0]).toBe('p0');
  await outbox.addHandBack({ play_id: 'more', reason: 'other' });
  await outbox.addPlay(play('new'), NOW);
  await outbox.addPlay(play('newer'), NOW);
  expect(refused.mock.calls).toEqual([
    [[{ play_id: 'more', reason: 'outbox_full' }]],
    [[{ play_id: 'p200', reason: 'outbox_full' }]],
  ]);
  expect(outbox.size).toBe(10_000);
});

test('an ad that was shown after all is not handed back', async () => {
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

test('of a pairing that has ended nothing is kept', async () => {
  const storage = memoryStorage();
  const { outbox } = await openOutbox({ storage });
  await outbox.addPlay(play('a'), NOW);
  await outbox.clear();
  expect(await storage.read()).toEqual({ plays: [], handBacks: [], planned: [], settledTo: 0 });
  expect(outbox.size).toBe(0);
});
