/**
 * Each step of ingest by itself: decode, count, screen time, and the row of a play. Pure functions, by examples and
 * random plays; answers of the authority are given by the test.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeAndVerify } from '../../ingest/pipeline.ts';
import { applyAnswers, groupByCampaign } from '../../ingest/steps/count.ts';
import { decodePayload } from '../../ingest/queue/batch.ts';
import { applyTimes, timedPlays } from '../../ingest/steps/screen-time.ts';
import { playTag } from '../../domain/plays/screen-time.ts';
import { playBlock } from '../../ingest/steps/play-block.ts';
import { decimalSeconds, writeRows } from '../../ingest/steps/to-row.ts';
import { handles } from '../support/handle.ts';
import { readNativeRows } from './native-rows.ts';
import { packPayload } from './payload.ts';
import { factsOf, KEYS, reportOf, SLOT_AT } from './reports.ts';
import { pack } from 'msgpackr';

const group = { name: 'g1', jobs: ['a', 'b'], done: false, generation: 1 };

describe('the steps of ingest', () => {
  test.each([
    ['', 'the payload cannot be unpacked'],
    ['!!!', 'the payload cannot be unpacked'],
    [Buffer.from([0x93, 1, 2]).toString('base64'), 'the payload cannot be unpacked'],
    [Buffer.from([0xc0]).toString('base64'), 'the payload is no batch'],
    [pack({ plays: [], scans: [] }).toString('base64'), 'the payload is no batch'],
  ])('the payload %j is distinguished from a batch', (payload, fault) => {
    expect(decodePayload(payload)).toContain(fault);
  });

  test('an unreadable batch becomes one dead letter, and the other batch of its group continues', () => {
    const sorted = decodeAndVerify(
      group,
      ['', packPayload({ plays: [reportOf(factsOf())], scans: [], releases: [] })],
      { keys: KEYS, lateBefore: 0 },
    );
    expect(sorted.letters).toEqual([
      {
        job: 'a',
        kind: 'batch',
        position: -1,
        step: 'decode',
        reason: expect.stringContaining('cannot be unpacked'),
        payload: '',
      },
    ]);
    expect(sorted.plays.map(play => play.job)).toEqual([1]);
  });

  test('a sensor that claims ten thousand people is charged at most the reservation', () => {
    const facts = factsOf({ sensor: true, impressionsMax: 10_000 });
    const sorted = decodeAndVerify(
      group,
      [packPayload({ plays: [reportOf(facts, { audience: 10_000 })], scans: [], releases: [] })],
      { keys: KEYS, lateBefore: 0 },
    );
    expect(sorted.plays[0]).toMatchObject({
      impressionsThousandths: 10_000,
      costMicros: 10_000,
      reservationMicros: 10_000,
    });
  });

  test('a play before its time is a dead letter, even if delivery accepted it', () => {
    const facts = factsOf();
    const early = [
      reportOf(facts, { receivedAt: facts.startsAt - 3 * 3_600_000 }),
      reportOf(facts, { receivedAt: facts.startsAt + 9_999 }),
      reportOf(facts, { startedAt: facts.startsAt + 60_000 }),
    ];
    const sorted = decodeAndVerify(
      group,
      [
        packPayload({
          plays: [...early, reportOf(facts, { receivedAt: facts.startsAt + 10_000 })],
          scans: [],
          releases: [],
        }),
      ],
      { keys: KEYS, lateBefore: 0 },
    );
    expect(sorted.letters.map(({ step, position, reason }) => [step, position, reason])).toEqual(
      [0, 1, 2].map(position => ['verify', position, 'before_end']),
    );
    expect(sorted.plays).toHaveLength(1);
  });

  test('answers belong to their plays, and jobs with duplicates are named', () => {
    const plays = [handles('campaign', 1, 0), handles('campaign', 2, 0), handles('campaign', 1, 1)].map(
      ([campaign, job], issueNumber) => {
        const facts = factsOf({ campaign: campaign!, issueNumber });
        return {
          facts,
          report: reportOf(facts),
          job: job!,
          epoch: 1,
          issueNumber,
          reservationMicros: 5,
          costMicros: 5,
          impressionsThousandths: 1,
          lapsed: false,
          overlaps: false,
          changedBy: undefined,
        };
      },
    );
    const calls = groupByCampaign(plays);
    expect(calls.map(call => call.plays.map(play => play.issueNumber))).toEqual([[0, 2], [1]]);
    const counted = applyAnswers(calls, [['counted', 'duplicate'], ['late']]);
    expect(counted.answered.map(({ play, uncharged }) => [play.issueNumber, uncharged])).toEqual([
      [0, ''],
      [1, 'late'],
    ]);
    expect(counted).toMatchObject({
      counted: 1,
      late: 1,
      overlaps: 0,
      duplicates: 1,
      jobsWithDuplicates: new Set([1]),
    });
    const overlapping = groupByCampaign(plays.map(play => ({ ...play, overlaps: play.job === 0 })));
    expect(
      applyAnswers(overlapping, [['late', 'late'], ['counted']]).answered.map(({ uncharged }) => uncharged),
    ).toEqual(['overlap', 'late', '']); // counted before it was asked for its time
  });

  test('times are written as decimal seconds that read back to the millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), ms => {
        const text = decimalSeconds(ms);
        expect(text).toMatch(/^\d+\.\d{3}$/);
        expect(Math.round(Number(text) * 1000)).toBe(ms);
      }),
    );
  });

  test('rows longer than expected still fit, and all except the first begin without a deadline', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 900 }), { minLength: 1, maxLength: 6 }), texts => {
        expect(writeRows(texts, text => `\t${text}`).toString()).toBe(
          texts.map(text => `\t${text}`).join('\\N\t\\N\t\\N'),
        );
      }),
    );
  });

  test('a row that is far longer than all others together still fits', () => {
    const texts = ['a', 'é'.repeat(100_000), 'b'];
    expect(writeRows(texts, text => text).toString()).toBe(texts.join('\\N\t\\N\t\\N'));
  });

  test('the time of each play is requested once unless it has lapsed, and plays without a time are marked', () => {
    const facts = [1, 2, 3].map(issueNumber => factsOf({ issueNumber, startsAt: SLOT_AT - issueNumber * 60_000 }));
    const { plays } = decodeAndVerify(
      group,
      [packPayload({ plays: facts.map(each => reportOf(each)), scans: [], releases: [] })],
      { keys: KEYS, lateBefore: SLOT_AT + 48 * 3_600_000 - 90_000 },
    );
    expect(plays.map(({ lapsed }) => lapsed)).toEqual([false, true, true]);
    const [play] = plays;
    const later = { ...play!, report: { ...play!.report, startedAt: play!.report.startedAt + 60_000 } };
    const timed = timedPlays([...plays, later]);
    expect([...timed]).toEqual([
      [
        play!.report.playId,
        {
          screen: facts[0]!.screen,
          start: facts[0]!.startsAt / 250,
          ticks: 58,
          tag: playTag(facts[0]!),
          firstHour: Math.floor((facts[0]!.startsAt - 10_000) / 3_600_000),
          lastHour: Math.floor((facts[0]!.startsAt + 15 * 60_000 + 15_000) / 3_600_000),
        },
      ],
    ]);
    const overlapsOf = (answer: boolean) =>
      applyTimes([...plays, later], timed, [answer]).map(({ overlaps }) => overlaps);
    expect(overlapsOf(true)).toEqual([false, false, false, false]);
    expect(overlapsOf(false)).toEqual([true, false, false, true]);
  });

  test('an uncharged play costs nothing in its row, which has the reason', () => {
    const [play] = decodeAndVerify(
      group,
      [
        packPayload({ plays: [reportOf(factsOf())], scans: [], releases: [] }),
        packPayload({ plays: [], scans: [], releases: [] }),
      ],
      { keys: KEYS, lateBefore: 0 },
    ).plays;
    for (const uncharged of ['late', 'overlap'] as const) {
      const block = playBlock([{ play: play!, uncharged }], { group: 'g1', jobs: ['a'] });
      const parts = block.parts({ insertBy: 5, uptimeMin: 6, attempt: 7 });
      expect(readNativeRows(Buffer.concat(parts))).toEqual([
        expect.objectContaining({
          insert_by: 5,
          uptime_min: 6,
          attempt: 7,
          late: true,
          played_ms: 15_000,
          audience: null,
        }),
      ]);
      expect(readNativeRows(Buffer.concat(parts))).toEqual([
        expect.objectContaining({
          rate_micros: 1_000,
          cost_micros: 0,
          group_id: 'g1',
          job_id: 'a',
          decided_by: `${uncharged}@1`,
        }),
      ]);
    }
  });
});
