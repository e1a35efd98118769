/**
 * How many sockets a process takes within its limit of file descriptors, for screens and for connections before their
 * hello. A pure rule, by examples.
 */
import { expect, test } from 'vitest';
import { createLog } from '#runtime/log.ts';
import { descriptorsMax, socketsWithin } from '../../../delivery/conversation/descriptors.ts';

test.each([
  ['the usual limit is enough for the usual numbers', 15_000, 20_000, 15_000, 2_000, 0],
  ['a number that was asked for may go up to 500 below the limit', 19_500, 20_000, 19_500, 100, 0],
  ['what screens leave is for sockets before their hello', 18_500, 20_000, 18_500, 1_000, 0],
  ['a small limit bounds the screens, and is told', 15_000, 1_024, 524, 100, 1],
  ['a tiny one leaves one', 15_000, 256, 1, 100, 1],
  ['an unknown one bounds nothing', 15_000, undefined, 15_000, 2_000, 0],
])('%s', (_sentence, wanted, descriptors, screens, pending, warnings) => {
  const lines: string[] = [];
  const log = createLog('test', 'warn', { write: line => void lines.push(line) });
  expect(socketsWithin({ screens: wanted, pending: 2_000 }, descriptors, log)).toEqual({ screens, pending });
  expect(lines).toHaveLength(warnings);
});

test.runIf(process.platform === 'linux')('the limit of this process is read', () => {
  expect(descriptorsMax()).toBeGreaterThan(0);
});
