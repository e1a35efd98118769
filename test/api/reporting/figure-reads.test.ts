/**
 * Figures of reports that are asked for together: which questions share a statement of ClickHouse, and that each caller
 * is answered with its own campaign, in its own range and book.
 */
import type { ClickHouseSettings } from '@clickhouse/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFigureReads } from '../../../api/figures/figure-reads.ts';
import { readFigures } from '#sql/figures/read-figures.ts';
import { startOfDay, type ReportRange } from '#domain/reporting/report-range.ts';
import { formatId, parseId, type Handle } from '../../../domain/id.ts';
import type { Clickhouse } from '../../../sql/clickhouse.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  type TestApi,
} from '../support/app-under-test.ts';
import { handle } from '../../support/handle.ts';
import { standIn } from '../../support/stand-in.ts';
import { readResults } from '../../../api/reporting/results.ts';
import type { CampaignRow } from '#domain/campaigns/changes/stored-campaign.ts';

const DAY = 20_454;
const DAY_MS = 86_400_000;
let api: TestApi;
let statements: string[];
let clickhouse: Clickhouse;

beforeAll(async () => {
  api = await startApi();
  clickhouse = new Proxy(api.clickhouse, {
    get(target, name: keyof Clickhouse) {
      if (name !== 'query') return target[name];
      const counting: Clickhouse['query'] = params => {
        statements.push(params.query);
        return target.query(params);
      };
      return counting;
    },
  });
});
afterAll(() => api.close());

type Plays = {
  campaign: Handle<'campaign'>;
  count: number;
  screens: number;
  from?: number;
  sandbox?: boolean;
  everyMs?: number;
  token?: string;
};

/** Plays half an hour apart, unless told otherwise, on so many screens in turn, each tenth of them late. */
async function insertPlays(plays: Plays): Promise<void> {
  const { campaign, count, screens, from = DAY * DAY_MS, sandbox = false, everyMs = 1_800_000, token } = plays;
  const time = (index: number) => new Date(from + index * everyMs).toISOString().replace('T', ' ').replace('Z', '');
  await api.clickhouse.insert({
    table: 'plays_raw',
    format: 'JSONEachRow',
    values: Array.from({ length: count }, (_, index) => ({
      played_at: time(index),
      slot_at: time(index),
      received_at: time(index),
      campaign_id: formatId('campaign', campaign),
      creative_id: `cre_${index % 2}`,
      screen_id: `scr_${index % screens}`,
      venue_id: 'ven_1',
      campaign_handle: campaign,
      epoch: 1,
      issue_number: index,
      sandbox,
      late: index % 10 === 9,
      played_ms: 10_000,
      impressions_thousandths: 1_500,
      rate_micros: 1_000,
      cost_micros: index % 10 === 9 ? 0 : 1_500,
      group_id: 'group',
      job_id: 'job',
    })),
    ...(token !== undefined && {
      clickhouse_settings: { insert_deduplication_token: token, deduplicate_blocks_in_dependent_materialized_views: 1 },
    }),
  });
}

const rangeOf = (days: number, tz = 'UTC', group: ReportRange['group'] = 'day'): ReportRange => {
  const counted = { first: DAY, last: DAY + days - 1 };
  return { tz, group, counted, shown: counted, endsAt: (DAY + days) * DAY_MS };
};

test('reports of one range requested together share a statement, and each has its own campaign', async () => {
  const [one, two, three] = [101, 102, 103].map(number => handle('campaign', number));
  await insertPlays({ campaign: one!, count: 200, screens: 7 });
  await insertPlays({ campaign: two!, count: 60, screens: 3 });
  statements = [];
  const reads = createFigureReads({ clickhouse });
  const range = rangeOf(3);
  const all = await Promise.all(
    [one!, two!, three!, one!].map(campaign => reads.of({ campaigns: [campaign], sandbox: false, range })),
  );
  expect(statements).toHaveLength(1);
  const told = all.map(({ buckets, screens }) => ({
    plays: buckets.map(({ label, plays, late_plays: late }) => `${label} ${plays} ${late}`),
    screens,
  }));
  const ofOne = { plays: ['2026-01-01 44 4', '2026-01-02 43 5', '2026-01-03 43 5'], screens: 7 };
  expect(told).toEqual([
    ofOne,
    { plays: ['2026-01-01 44 4', '2026-01-02 10 2'], screens: 3 },
    { plays: [], screens: 0 },
    ofOne,
  ]);
});

test('other ranges, zones, groups and the other book have their own statements', async () => {
  const campaign = handle('campaign', 104);
  await insertPlays({ campaign, count: 100, screens: 5 });
  await insertPlays({ campaign, count: 10, screens: 2, sandbox: true });
  statements = [];
  const reads = createFigureReads({ clickhouse });
  const questions = [
    { sandbox: false, range: rangeOf(3) },
    { sandbox: false, range: rangeOf(1) },
    { sandbox: false, range: rangeOf(3, 'Asia/Kolkata') },
    { sandbox: false, range: rangeOf(3, 'UTC', 'hour') },
    { sandbox: true, range: rangeOf(3) },
  ];
  const together = await Promise.all(questions.map(question => reads.of({ campaigns: [campaign], ...question })));
  expect(statements).toHaveLength(5);
  for (const [index, question] of questions.entries())
    expect(together[index]).toEqual(await readFigures(api.clickhouse, { campaigns: [campaign], ...question }));
  const plays = together.map(({ buckets }) => buckets.reduce((sum, bucket) => sum + bucket.plays, 0));
  expect(plays).toEqual([90, 44, 90, 90, 9]);
  expect(together.map(({ screens }) => screens)).toEqual([5, 5, 5, 5, 2]);
});

test('a plain report has the metrics of the same report by creative', async () => {
  const campaign = handle('campaign', 105);
  await insertPlays({ campaign, count: 300, screens: 11, from: DAY * DAY_MS - 7_200_000 });
  for (const range of [rangeOf(4), rangeOf(4, 'America/St_Johns'), rangeOf(4, 'Europe/Berlin', 'hour')]) {
    const question = { campaigns: [campaign], sandbox: false, range };
    const { groups: _groups, ...grouped } = await readFigures(api.clickhouse, {
      ...question,
      dimensions: ['creative' as const],
    });
    expect(await readFigures(api.clickhouse, question)).toEqual({ ...grouped, groups: new Map() });
  }
});

/** A client all of whose queries have these settings. */
const withSettings = (settings: ClickHouseSettings): Clickhouse =>
  new Proxy(api.clickhouse, {
    get(target, name: keyof Clickhouse) {
      if (name !== 'query') return target[name];
      const query: Clickhouse['query'] = params => target.query({ ...params, clickhouse_settings: settings });
      return query;
    },
  });

test('a report by day reads daily sums and matches the rows, merged or not, however often a group is inserted', async () => {
  const campaign = handle('campaign', 106);
  const question = { campaigns: [campaign], sandbox: false, range: rangeOf(3) };
  const byRows = { optimize_use_projections: 0 } as const;
  for (const [round, screens] of [5, 9, 7].entries()) {
    for (let repeat = 0; repeat < 2; repeat += 1)
      await insertPlays({ campaign, count: 100 + round, screens, token: `round ${round}` });
    if (round === 1) await api.clickhouse.command({ query: 'optimize table plays_screen_day final' });
    const figures = await readFigures(withSettings(byRows), question);
    for (const projection of ['campaign_day', 'campaign_screens'])
      expect(await readFigures(withSettings({ force_optimize_projection_name: projection }), question)).toEqual(
        figures,
      );
    expect([figures.screens, figures.buckets.reduce((sum, bucket) => sum + bucket.plays, 0)]).toEqual(
      [
        [5, 90],
        [9, 181],
        [9, 273],
      ][round],
    );
  }
});

test('distinct screens of a range that begins and ends within months are those with a counted play in it', async () => {
  const campaign = handle('campaign', 107);
  const [from, everyMs] = [(DAY * 24 - 30) * 3_600_000, 53 * 3_600_000]; // ten weeks from the end of December on
  await insertPlays({ campaign, count: 40, screens: 29, from, everyMs });
  const counted = Array.from({ length: 40 }, (_, index) => index).filter(index => index % 10 !== 9);
  for (const tz of ['UTC', 'Asia/Kolkata', 'America/New_York'])
    for (const [first, last] of [
      [-2, 0],
      [0, 30],
      [3, 3],
      [30, 31],
      [10, 45],
      [30, 58],
      [-20, 80],
    ] as const) {
      const days = { first: DAY + first, last: DAY + last };
      const range = { ...rangeOf(1, tz), counted: days, shown: days };
      const { screens } = await readFigures(api.clickhouse, { campaigns: [campaign], sandbox: false, range });
      const [begins, ends] = [startOfDay(days.first, tz), startOfDay(days.last + 1, tz)];
      const within = counted.filter(index => from + index * everyMs >= begins && from + index * everyMs < ends);
      expect([tz, first, last, screens]).toEqual([tz, first, last, new Set(within.map(index => index % 29)).size]);
    }
});

test('two workspaces that ask at the same moment each get only their own campaign', async () => {
  const brands = [];
  for (const count of [20, 50]) {
    const key = await createKey(api, await createWorkspace(api, { funds: 1_000 }));
    const body = campaignBody(api, [await createReadyCreative(api, key)]);
    const id = (await api.call('POST', '/v1/campaigns', { key, body })).body['id']!;
    const midnight = Math.floor(api.clock.now() / DAY_MS) * DAY_MS;
    await insertPlays({ campaign: parseId('campaign', id)!, count, screens: count / 10, from: midnight });
    brands.push({ key, id, plays: (count * 9) / 10, screens: count / 10 });
  }
  const [first, second] = brands;
  const read = (key: string, id: string) => api.call('GET', `/v1/reporting/campaigns/${id}`, { key });
  const [own, others, ofFirst, ofSecond] = await Promise.all([
    read(first!.key, first!.id),
    read(second!.key, second!.id),
    read(second!.key, first!.id),
    read(first!.key, second!.id),
  ]);
  for (const [answer, brand] of [
    [own, first!],
    [others, second!],
  ] as const)
    expect(answer).toMatchObject({
      status: 200,
      body: { campaign_id: brand.id, totals: { plays: brand.plays, screens: brand.screens } },
    });
  for (const answer of [ofFirst, ofSecond]) expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('one results answer has the same plays by day, hour and screen, even if plays are counted meanwhile', async () => {
  const campaign = handle('campaign', 199);
  await insertPlays({ campaign, count: 35, screens: 5, everyMs: DAY_MS });
  const others: Promise<unknown>[] = [];
  let isFirst = true;
  // Plays are counted after the first read of days and hours, and before that of screens.
  const counting = new Proxy(api.clickhouse, {
    get(target, name: keyof Clickhouse) {
      if (name !== 'query') return target[name];
      const query: Clickhouse['query'] = async params => {
        const isOfScreens = params.query.includes('order by plays desc, scans desc');
        if (!isOfScreens) {
          const answer = target.query(params);
          others.push(answer);
          return answer;
        }
        if (isFirst) {
          isFirst = false;
          await Promise.all(others);
          await insertPlays({ campaign, count: 4, screens: 1, from: (DAY + 34) * DAY_MS, token: 'meanwhile' });
        }
        return target.query(params);
      };
      return query;
    },
  });
  const row = standIn<CampaignRow>({ handle: campaign, sandbox: false, currency: 'EUR' });
  const now = (DAY + 35) * DAY_MS - 1;
  const times = { range: rangeOf(40), asOf: now, now };
  const results = await readResults({ clickhouse: counting, sql: api.sql }, row, times);
  const playsOf = (rows: readonly { plays: number }[]) => rows.reduce((sum, { plays }) => sum + plays, 0);
  const inLast31Days = results.by_day.filter(({ day }) => day >= '2026-01-05');
  expect(isFirst).toBe(false);
  expect(results.by_day).toHaveLength(35);
  expect([playsOf(results.by_day), playsOf(results.by_screen)]).toEqual([36, 36]); // of 39, three are late
  expect(playsOf(results.by_hour)).toBe(playsOf(inLast31Days));
});
