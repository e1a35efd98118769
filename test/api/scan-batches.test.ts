import { describe, expect, test } from 'vitest';
import { createScanBatches } from '../../api/devices/scan-batches.ts';
import type { Batch, Intake, ScanEvent } from '../../ingest/intake.ts';
import { createLog } from '../../runtime/log.ts';

/** A queue that refuses its first calls, as Redis does while it is away. */
function refusingIntake(refusals: number): { intake: Intake; calls: Batch[] } {
  const calls: Batch[] = [];
  const add = async (batch: Batch) => {
    calls.push({ ...batch, scans: [...batch.scans] });
    if (calls.length <= refusals) throw new Error('Redis is away');
    return { addedAt: 0 };
  };
  return { calls, intake: { add } as unknown as Intake };
}

const scan = (number: number): ScanEvent => ({ scanId: `scan_${number}`, campaign: 1, creative: 2, screen: 3, venue: 4, slotAt: 0, scannedAt: 0, daypart: 'night', sandbox: false });
const log = createLog('api', 'silent');

describe('scans on their way', () => {
  test('scans that come together are one batch', async () => {
    const { intake, calls } = refusingIntake(0);
    const batches = createScanBatches({ intake, log });
    for (let number = 0; number < 30; number += 1) batches.add(scan(number));
    await expect.poll(() => calls.length, { interval: 10 }).toBe(1);
    expect(calls[0]!.scans.map(({ scanId }) => scanId)).toEqual(Array.from({ length: 30 }, (_, number) => `scan_${number}`));
    await batches.close();
  });

  test('a batch that was refused is added again unchanged under its id, and those behind it follow', async () => {
    const { intake, calls } = refusingIntake(2);
    const batches = createScanBatches({ intake, log });
    batches.add(scan(1));
    await expect.poll(() => calls.length, { interval: 10 }).toBe(1);
    batches.add(scan(2));
    await expect.poll(() => calls.length, { timeout: 5_000, interval: 10 }).toBe(4);
    const [first, second, third, fourth] = calls;
    expect([second, third]).toEqual([first, first]);
    expect(fourth!.scans).toEqual([scan(2)]);
    expect(fourth!.id).not.toBe(first!.id);
    await batches.close();
  });

  test('closing adds what waits', async () => {
    const { intake, calls } = refusingIntake(1);
    const batches = createScanBatches({ intake, log });
    for (let number = 0; number < 700; number += 1) batches.add(scan(number));
    await batches.close();
    expect(calls.slice(1).map(batch => batch.scans.length)).toEqual([500, 200]);
  });

  test('no more than 20,000 wait', async () => {
    const { intake } = refusingIntake(0);
    const batches = createScanBatches({ intake, log });
    const taken = Array.from({ length: 20_010 }, (_, number) => batches.add(scan(number)));
    expect(taken.filter(Boolean).length).toBe(20_000);
    await batches.close();
  });
});
