/**
 * A slot leaves nothing behind and makes next to nothing: a hundred thousand messages go through the slot handler, with
 * everything that it writes down, and the heap is as it was. Plain memory and a real issue log, without engines.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { median } from '#domain/median.ts';
import { openSlotMessages, SCREENS } from './slot-messages.ts';

const WARM_UP_ROUNDS = 100;
const ROUNDS = 500;
const KIB = 1024;
/** What code that is compiled late may leave. */
const LEFT_BYTES_MAX = 512 * KIB;
/**
 * The view of a frame that is read, and turns of the loop. A play, a slot and a record as objects would be a kilobyte.
 */
const MADE_BYTES_MAX = 300;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heapBytes = (): number => process.memoryUsage().heapUsed;

test('a hundred thousand slots do not grow the heap', { timeout: 60_000 }, async () => {
  const messages = openSlotMessages(300);
  try {
    for (let round = 0; round < WARM_UP_ROUNDS; round++) await messages.round(4);
    collectGarbage();
    const before = heapBytes();
    const made: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const from = heapBytes();
      await messages.round(1);
      made.push((heapBytes() - from) / SCREENS);
    }
    expect(ROUNDS * SCREENS).toBe(100_000);
    expect(messages.counts()).toMatchObject({ no_fills: 0 });
    // A round in which garbage was collected is none of the middle ones.
    expect(median(made)).toBeLessThan(MADE_BYTES_MAX);
    collectGarbage();
    expect(heapBytes() - before).toBeLessThan(LEFT_BYTES_MAX);
  } finally {
    messages.close();
  }
});
