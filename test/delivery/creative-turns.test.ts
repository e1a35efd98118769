import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { turnAmong, turnsOf } from '../../delivery/decision/creative-turns.ts';
import type { CreativeFacts } from '../../delivery/decision/facts.ts';

const PARTS = { json: new Uint8Array(0), msgpack: new Uint8Array(0), scanBaseBytes: 0 };
const creativesOf = (weights: readonly number[]): CreativeFacts[] => weights.map((weight, at) => ({
  handle: at, orientation: 'landscape', durationMs: 6_000, weight, ready: true, parts: PARTS, asset: undefined, credit: 0,
}));

test('the listed turns are those of the round robin', () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 5 }), weights => {
    const turns = turnsOf(creativesOf(weights));
    const creatives = creativesOf(weights);
    expect(turns.map(({ handle }) => handle)).toEqual(turns.map(() => turnAmong(creatives, () => true)!.handle));
  }));
});

test('a cycle that is too long is not listed, and one creative has every turn', () => {
  expect(turnsOf(creativesOf([100, 99]))).toEqual([]);
  expect(turnsOf(creativesOf([100, 50]))).toHaveLength(3);
  expect(turnsOf(creativesOf([7]))).toHaveLength(1);
  expect(turnAmong(creativesOf([1, 2]), () => false)).toBeUndefined();
});
