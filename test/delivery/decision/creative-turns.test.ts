/**
 * In which order the creatives of a campaign take turns by their weights: the list that is made ahead is the round
 * robin, and in each window every creative has its share. Pure rules, driven by random weights and by examples.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { turnAmong, turnsOf } from '../../../delivery/decision/creative-turns.ts';
import { CandidateIndex } from '../../../delivery/decision/candidate-index.ts';
import type { CampaignFacts, CreativeFacts } from '../../../delivery/decision/facts.ts';
import { ScreenTable } from '../../../delivery/decision/screen-table.ts';
import { VIDEO_PROFILES } from '../../../domain/campaigns/rendition.ts';

import { handle } from '../../support/handle.ts';

const FILES = VIDEO_PROFILES.map(() => ({
  parts: { json: new Uint8Array(0), msgpack: new Uint8Array(0), scanBaseBytes: 0 },
  asset: undefined,
}));
const creativesOf = (weights: readonly number[]): CreativeFacts[] =>
  weights.map((weight, at) => ({
    handle: handle('creative', at),
    orientation: 'landscape',
    durationMs: 6_000,
    weight,
    ready: true,
    files: FILES,
    credit: 0,
  }));

test('the listed turns are those of the round robin', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 5 }), weights => {
      const turns = turnsOf(creativesOf(weights));
      const creatives = creativesOf(weights);
      expect(turns.map(({ handle }) => handle)).toEqual(turns.map(() => turnAmong(creatives, () => true)!.handle));
    }),
  );
});

test('a cycle that is too long is not listed, and a single creative has every turn', () => {
  expect(turnsOf(creativesOf([handle('creative', 100), handle('creative', 99)]))).toEqual([]);
  expect(turnsOf(creativesOf([handle('creative', 100), handle('creative', 50)]))).toHaveLength(3);
  expect(turnsOf(creativesOf([handle('creative', 7)]))).toHaveLength(1);
  expect(turnAmong(creativesOf([handle('creative', 1), handle('creative', 2)]), () => false)).toBeUndefined();
});

const weightsOf = (max: number) => fc.array(fc.integer({ min: 1, max }), { minLength: 1, maxLength: 6 });
const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

test.each([
  [
    'as they are listed',
    10,
    (creatives: CreativeFacts[]) => {
      const turns = turnsOf(creatives);
      return (turn: number) => turns[turn % turns.length]!;
    },
  ],
  ['as they are chosen one by one', 1_000, (creatives: CreativeFacts[]) => () => turnAmong(creatives, () => true)!],
])('in any window of one cycle every creative has exactly its weight of turns, %s', (_how, weightMax, turnerOf) => {
  fc.assert(
    fc.property(weightsOf(weightMax), fc.nat({ max: 10_000 }), (weights, start) => {
      const divisor = weights.reduce(commonDivisor, 0);
      const cycle = weights.reduce((sum, weight) => sum + weight, 0) / divisor;
      const turnOf = turnerOf(creativesOf(weights));
      const from = start % cycle;
      const turns = Array.from({ length: from + cycle }, (_, turn) => turnOf(turn).handle).slice(from);
      expect(weights.map((_, handle) => turns.filter(turn => turn === handle).length)).toEqual(
        weights.map(weight => weight / divisor),
      );
    }),
    { numRuns: 60 },
  );
});

test('a shorter window is never further off than a turn per other creative', () => {
  fc.assert(
    fc.property(weightsOf(20), weights => {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const creatives = creativesOf(weights);
      const counts = weights.map(() => 0);
      for (let turn = 1; turn <= total; turn++) {
        counts[turnAmong(creatives, () => true)!.handle]! += 1;
        for (const [handle, weight] of weights.entries())
          expect(Math.abs(counts[handle]! - (turn * weight) / total)).toBeLessThan(Math.max(1, weights.length - 1));
      }
    }),
    { numRuns: 60 },
  );
});

test('a reloaded campaign continues its rotation', () => {
  const index = new CandidateIndex({ screens: new ScreenTable(), baseMs: 0 });
  const facts = (): CampaignFacts => ({
    handle: handle('campaign', 1),
    workspace: handle('workspace', 1),
    status: 'live',
    sandbox: false,
    category: '',
    budgetMicros: 1,
    chargedMicros: 0,
    frequencyPerHourMax: 0,
    targets: { cities: [], citiesFolded: [], venueTypes: [], areas: [], orientations: [] },
    flight: { startsOn: 0, endsOn: 1 },
    creatives: creativesOf([handle('creative', 2), handle('creative', 1), handle('creative', 1)]),
  });
  const campaign = index.put(facts());
  index.setNextTurn(campaign, 0, 2);
  index.put(facts());
  const { creativeRows } = index;
  const first = index.firstRow(campaign, 0);
  const turns = Array.from({ length: creativeRows.turns(first) }, (_, turn) => creativeRows.creative(first + turn));
  expect([index.nextTurn(campaign, 0), turns]).toEqual([2, [0, 1, 2, 0]]);
});
