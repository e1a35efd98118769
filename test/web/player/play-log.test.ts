/**
 * The player's log of plays: each play is kept until the server has acknowledged it, and what is called settled is
 * never taken back. Pure functions of the player with times given by the test; neither a browser nor an engine is
 * needed.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Plan } from '../../../web/player/plays/plan.ts';
import { type ShownPlay, PlayLog, type Report } from '../../../web/player/plays/play-log.ts';
import { isComplete, playedMs, VisibleTime } from '../../../web/player/plays/played-time.ts';
import type { Fill } from '../../../web/player/connection/protocol.ts';

const NOW = 1_700_000_000_000;
const MINUTE_MS = 60_000;
const play = (play_id: string, starts_at: number): ShownPlay => ({
  play_id,
  starts_at,
  started_at: starts_at,
  played_ms: 6_000,
});

function openLog(parts: { plays?: ShownPlay[]; settledTo?: number } = {}) {
  const log = new PlayLog({ plays: parts.plays ?? [], handBacks: [], settledTo: parts.settledTo ?? 0 });
  let id = 0;
  const send = ({ now = NOW, openStarts = [] as number[], always = false } = {}): Report[] =>
    log.reports({ now, openStarts, always, nextId: () => ++id });
  const acknowledge = (
    reportId: number,
    fields: { refused?: { play_id: string; reason: string }[]; holdMs?: number; now?: number } = {},
  ) => log.acknowledged(reportId, { refused: [], holdMs: 0, now: NOW, ...fields });
  return { log, send, acknowledge };
}
const idsOf = (reports: Report[]) =>
  reports.flatMap(report => (report.t === 'plays' ? report.plays.map(one => one.play_id) : [report.play_id]));

describe('a play', () => {
  test('is kept until a message that carried it is acknowledged, and sent once per connection', () => {
    const { log, send, acknowledge } = openLog();
    log.add(play('a', NOW - 9_000));
    const [report] = send();
    expect(idsOf([report!])).toEqual(['a']);
    expect(send()).toEqual([]);
    expect(log.plays.size).toBe(1);
    expect(acknowledge(99).plays).toEqual([]);
    expect(acknowledge(report!.id).plays).toEqual(['a']);
    expect([log.plays.size, log.acked]).toEqual([0, 1]);
  });

  test('is sent again after the connection was lost, and after a restart', () => {
    const { log, send } = openLog({ plays: [play('a', NOW - 9_000)] });
    expect(idsOf(send())).toEqual(['a']);
    log.disconnected();
    expect(idsOf(send())).toEqual(['a']);
  });

  test('that is refused is forgotten and told apart', () => {
    const { log, send, acknowledge } = openLog({ plays: [play('a', NOW), play('b', NOW)] });
    const settled = acknowledge(send()[0]!.id, { refused: [{ play_id: 'b', reason: 'too_late' }] });
    expect(settled.plays).toEqual(['a', 'b']);
    expect([log.acked, log.refused, log.plays.size]).toEqual([1, 1, 0]);
  });

  test('that came before its time is kept, sent again ten seconds later, and nothing is called settled meanwhile', () => {
    const early = NOW - 2 * MINUTE_MS;
    const { log, send, acknowledge } = openLog({ plays: [play('a', NOW), play('b', early)] });
    const settled = acknowledge(send()[0]!.id, { refused: [{ play_id: 'b', reason: 'before_end' }] });
    expect([settled.plays, settled.refused]).toEqual([['a'], []]);
    expect([log.acked, log.refused, log.plays.size]).toEqual([1, 0, 1]);
    expect(send({ now: NOW + 9_999 })).toEqual([]);
    expect(send({ now: NOW + 9_999, always: true })).toEqual([{ t: 'plays', id: 2, plays: [] }]);
    const [again] = send({ now: NOW + 10_000 });
    expect(idsOf([again!])).toEqual(['b']);
    expect(acknowledge(again!.id).plays).toEqual(['b']);
    expect([log.acked, log.plays.size]).toEqual([2, 0]);
  });

  test('waits while the server asks to hold, and when it could not take the message', () => {
    const { log, send, acknowledge } = openLog({ plays: [play('a', NOW)] });
    acknowledge(send()[0]!.id, { holdMs: 5_000 });
    log.add(play('b', NOW));
    expect(send({ now: NOW + 4_999, always: true })).toEqual([]);
    const [report] = send({ now: NOW + 5_000 });
    expect(idsOf([report!])).toEqual(['b']);
    log.failed(report!.id, { code: 'not_ready', now: NOW + 6_000 });
    expect(send({ now: NOW + 10_999 })).toEqual([]);
    expect(idsOf(send({ now: NOW + 11_000 }))).toEqual(['b']);
  });

  test('that the server can never take is dropped alone and told; the others of its message are taken', () => {
    const { log, send, acknowledge } = openLog({ plays: [play('a', NOW), play('bad', NOW), play('c', NOW)] });
    const refuse = (report: Report) => log.failed(report.id, { code: 'bad_field', now: NOW });
    const [all] = send();
    expect([idsOf([all!]), refuse(all!).plays]).toEqual([['a', 'bad', 'c'], []]);
    const [first] = send({ always: true });
    expect(first).toEqual({ t: 'plays', id: 2, plays: [expect.objectContaining({ play_id: 'a' })] });
    acknowledge(first!.id);
    const [second] = send();
    expect([idsOf([second!]), refuse(second!).plays]).toEqual([['bad'], ['bad']]);
    const [third] = send();
    expect([idsOf([third!]), acknowledge(third!.id).plays]).toEqual([['c'], ['c']]);
    expect([log.plays.size, log.acked, log.refused]).toEqual([0, 2, 1]);
  });

  test('goes on beside what is handed back, and what the server can never take back is dropped', () => {
    const { log, send } = openLog();
    log.handBack({ play_id: 'bad', starts_at: NOW, reason: 'other' });
    const [report] = send();
    expect(log.failed(report!.id, { code: 'bad_field', now: NOW }).handBacks).toEqual(['bad']);
    expect(send()).toEqual([]);
  });

  test('is one of at most 50,000: the oldest goes, and that is counted', () => {
    const { log } = openLog({ plays: Array.from({ length: 50_000 }, (_, index) => play(`p${index}`, NOW)) });
    expect([log.add(play('new', NOW)), log.plays.size, log.dropped]).toEqual(['p0', 50_000, 1]);
  });

  test('is one of at most 200 in a message and four messages under way', () => {
    const { send } = openLog({ plays: Array.from({ length: 900 }, (_, index) => play(`p${index}`, NOW)) });
    const sizes = Array.from({ length: 6 }, () => idsOf(send()).length);
    expect(sizes).toEqual([200, 200, 200, 200, 0, 0]);
  });

  test('goes before a whole plan that is handed back, and no more than five messages a second are sent', () => {
    const { log, send, acknowledge } = openLog();
    for (let index = 0; index < 240; index++)
      log.handBack({ play_id: `h${index}`, starts_at: NOW, reason: 'withdrawn' });
    const reports = send();
    reports.forEach(report => acknowledge(report.id));
    log.add(play('a', NOW));
    expect([reports.length, send().map(report => report.t), send()]).toEqual([4, ['plays'], []]);
    let sent = 5;
    for (let second = 1; log.handBacks.size > 0; second++) {
      for (let round = 0; round < 9; round++) {
        const more = send({ now: NOW + second * 1_000 + round * 100 });
        more.forEach(report => acknowledge(report.id));
        sent += more.length;
      }
      expect(sent).toBeLessThanOrEqual(5 + 5 * second);
    }
    expect(sent).toBe(241);
  });
});

describe('what is settled', () => {
  test('ends a minute ago, before the oldest open fill and before the oldest play that is kept but not in the message', () => {
    const settledTo = (parts: Parameters<typeof openLog>[0], openStarts: number[] = []) =>
      (openLog(parts).send({ openStarts, always: true })[0] as { settled_to: number }).settled_to;
    expect(settledTo({})).toBe(NOW - MINUTE_MS);
    expect(settledTo({}, [NOW - 5 * MINUTE_MS, NOW])).toBe(NOW - 5 * MINUTE_MS);
    expect(settledTo({ plays: [play('a', NOW - 9 * MINUTE_MS)] })).toBe(NOW - MINUTE_MS);
    const many = Array.from({ length: 201 }, (_, index) => play(`p${index}`, NOW - (201 - index) * MINUTE_MS));
    expect(settledTo({ plays: [...many.slice(1), many[0]!] })).toBe(NOW - 201 * MINUTE_MS);
  });

  test('never falls, over a restart neither, and no older fill may start', () => {
    const { log, send } = openLog({ settledTo: NOW - 1_000 });
    expect(send({ always: true })[0]).toMatchObject({ settled_to: NOW - 1_000 });
    expect([log.mayStart(NOW - 1_001), log.mayStart(NOW - 1_000)]).toEqual([false, true]);
  });

  test('is not said while a message that was settled with its plays waits to be sent again', () => {
    const { log, send } = openLog({ plays: [play('a', NOW - 5 * MINUTE_MS)] });
    const [report] = send();
    log.failed(report!.id, { code: 'not_ready', now: NOW });
    expect(send({ now: NOW + 1_000, always: true })).toEqual([{ t: 'plays', id: 2, plays: [] }]);
    expect(send({ now: NOW + 6_000 })[0]).toMatchObject({
      plays: [{ play_id: 'a' }],
      settled_to: NOW + 6_000 - MINUTE_MS,
    });
  });

  test('is never past a play that is neither acknowledged nor in the message, whatever happens', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('play' as const), ageMs: fc.integer({ min: 0, max: 600_000 }) }),
      fc.record({
        kind: fc.constantFrom('send' as const, 'ack' as const, 'fail' as const, 'lose' as const),
        ageMs: fc.constant(0),
      }),
    );
    const isKept = fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const { log, send, acknowledge } = openLog();
      let underWay: Report[] = [];
      return steps.every(({ kind, ageMs }, index) => {
        const now = NOW + index * 1_000;
        if (kind === 'play' && log.mayStart(now - ageMs)) log.add(play(`p${index}`, now - ageMs));
        if (kind === 'ack') underWay.splice(0, 1).forEach(report => acknowledge(report.id));
        if (kind === 'fail')
          underWay
            .splice(0, 1)
            .forEach(report => log.failed(report.id, { code: index % 2 ? 'not_ready' : 'bad_field', now }));
        if (kind === 'lose') {
          log.disconnected();
          underWay = [];
        }
        const reports = kind === 'send' ? send({ now, always: true }) : [];
        underWay = underWay.concat(reports);
        return reports.every(
          report =>
            report.t !== 'plays' ||
            Array.from(log.plays.values()).every(
              kept => idsOf([report]).includes(kept.play_id) || kept.starts_at >= (report.settled_to ?? 0),
            ),
        );
      });
    });
    expect(() => fc.assert(isKept)).not.toThrow();
  });
});

const fill = (play_id: string, starts_at: number, fields: Partial<Fill> = {}): Fill => ({
  play_id,
  campaign_id: 'cmp_1',
  creative_id: 'cre_1',
  kind: 'video',
  url: '/v.mp4',
  duration_ms: 6_000,
  scan_url: '',
  starts_at,
  expires_at: starts_at + 48 * 60 * MINUTE_MS,
  ...fields,
});

describe('the offline plan', () => {
  test('is asked for from where the last answer ended, for an hour or 240 fills', () => {
    const plan = new Plan();
    let asked = 0;
    for (let request = plan.request(NOW); request; request = plan.request(NOW)) {
      asked += 1;
      const at = request.at;
      expect(
        plan.add(
          request,
          Array.from({ length: request.count }, (_, index) => fill(`${asked}-${index}`, at + index * 6_000)),
        ),
      ).toBe(request.count);
    }
    expect([asked, plan.fills.length]).toEqual([12, 240]);
    expect(plan.fills[20]!.starts_at).toBe(NOW + 20 * 6_000);
  });

  test('counts a slot that was not filled with its whole length, and an answer without any fill not at all', () => {
    const plan = new Plan();
    plan.add(plan.request(NOW)!, [{ no_fill: 'ad_ratio' }, fill('a', NOW + 15_000), { no_fill: 'ad_ratio' }]);
    expect(plan.request(NOW)!.at).toBe(NOW + 15_000 + 6_000 + 15_000);
    plan.add(plan.request(NOW)!, [{ no_fill: 'no_lease' }]);
    expect(plan.request(NOW)!.at).toBe(NOW + 15_000 + 6_000 + 15_000);
  });

  test('gives each fill once, not before its slot and not after its end', () => {
    const plan = new Plan([
      fill('gone', NOW - MINUTE_MS, { expires_at: NOW }),
      fill('a', NOW + 4_000),
      fill('b', NOW + 4_001),
    ]);
    expect(plan.take(NOW)?.play_id).toBe('a');
    expect(plan.take(NOW)).toBeUndefined();
    expect(plan.take(NOW + 1)?.play_id).toBe('b');
    expect(plan.fills).toEqual([]);
  });

  test('lets go of what the server has replaced, and of what was withdrawn', () => {
    const plan = new Plan([
      fill('a', NOW - MINUTE_MS - 1),
      fill('b', NOW - MINUTE_MS),
      fill('c', NOW, { creative_id: 'cre_2' }),
      fill('d', NOW),
    ]);
    expect([plan.dropPassed(NOW), plan.dropPassed(NOW)]).toEqual([true, false]);
    expect(plan.withdraw({ creative_id: 'cre_2' }).map(one => one.play_id)).toEqual(['c']);
    expect(plan.withdraw({ play_ids: ['d', 'x'] }).map(one => one.play_id)).toEqual(['d']);
    expect(plan.fills.map(one => one.play_id)).toEqual(['b']);
  });
});

describe('the time played', () => {
  test('of a film is the length of what its element has played', () => {
    const ranges = [
      [0, 2.5],
      [3, 6.04],
    ] as const;
    expect(playedMs({ length: 2, start: index => ranges[index]![0], end: index => ranges[index]![1] })).toBe(5_540);
    expect([isComplete(5_500, 6_000), isComplete(5_499, 6_000)]).toEqual([true, false]);
  });

  test('of a still is the time in which it was in sight', () => {
    const time = new VisibleTime();
    time.note(1_000, true);
    time.note(3_000, false);
    time.note(9_000, true);
    expect(time.at(10_000)).toBe(3_000);
  });
});
