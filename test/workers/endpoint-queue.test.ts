/**
 * What is in memory of an endpoint of webhooks: which events wait, how many attempts are pending, and how answers of
 * 4xx are counted. Plain memory without engines.
 */
import { describe, expect, test } from 'vitest';
import { EndpointQueue } from '../../workers/webhooks/endpoint-queue.ts';
import type { Delivery } from '#sql/webhooks/sending.ts';
import { handle } from '../support/handle.ts';

const webhook = handle('webhook', 1);
const openQueue = (clientErrors = 0) =>
  new EndpointQueue({ webhook, url: 'https://example.com/', isActive: true, clientErrors, secrets: [] });

function delivery(n: number, chain = `campaign ${n}`): Delivery {
  const event = { handle: handle('event', n), id: `evt_${n}`, entity: chain, body: '{}' };
  return {
    webhook,
    event,
    handle: handle('webhook_delivery', n),
    attempts: 0,
    firstAt: undefined,
    chain,
    made: undefined,
  };
}

function takeAll(queue: EndpointQueue): Delivery[] {
  const taken: Delivery[] = [];
  for (let next = queue.takeNext(); next; next = queue.takeNext()) taken.push(next);
  return taken;
}

describe('the queue of an endpoint', () => {
  test('holds 1,000 events and leaves the others in their rows', () => {
    const queue = openQueue();
    let count = 0;
    for (; queue.takesEvents(); count += 1) queue.add(delivery(count + 1));
    expect(count).toBe(1_000);
  });

  test('takes no event while earlier rows are due', () => {
    const queue = openQueue();
    queue.hasRowsDue = true;
    expect(queue.takesEvents()).toBe(false);
  });

  test('has at most eight pending attempts, and one per record', () => {
    const queue = openQueue();
    for (let n = 1; n <= 30; n += 1) queue.add(delivery(n, `campaign ${n % 10}`));
    const taken = takeAll(queue);
    expect(taken.map(one => one.event.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map(n => `evt_${n}`));
    queue.endAttempt(taken[0]!, { status: 204 });
    expect(takeAll(queue).map(one => one.event.id)).toEqual(['evt_9']);
  });

  test('never has more pending attempts than remain to the 24th 4xx', () => {
    const queue = openQueue(21);
    for (let n = 1; n <= 10; n += 1) queue.add(delivery(n));
    const taken = takeAll(queue);
    expect(taken).toHaveLength(3);
    for (const one of taken) queue.endAttempt(one, { status: 404 });
    expect([takeAll(queue).length, queue.clientErrors, queue.isUsedUp()]).toEqual([0, 24, true]);
    // Enabled again before its last attempts are recorded, it leaves events to their rows until then.
    expect(queue.takesEvents()).toBe(false);
    queue.clear();
    for (const one of taken) queue.forget(one);
    queue.update({ webhook, url: 'https://example.com/', isActive: true, clientErrors: 0, secrets: [] });
    expect(queue.takesEvents()).toBe(true);
  });

  test('keeps its 4xx count while attempts are unrecorded, and then uses the count from the database', () => {
    const queue = openQueue();
    const one = delivery(1);
    queue.add(one);
    queue.takeNext();
    queue.endAttempt(one, { status: 404 });
    const read = { webhook, url: 'https://example.com/', isActive: true, clientErrors: 0, secrets: [] };
    queue.update(read);
    expect(queue.clientErrors).toBe(1);
    queue.forget(one);
    queue.update(read);
    expect(queue.clientErrors).toBe(0);
  });
});
