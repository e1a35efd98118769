/** The operator reads a campaign under another audience: real engines, and plays as ingest writes them. */
import type { QueryParams } from '@clickhouse/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_COLUMNS } from '#domain/audience/audience-file.ts';
import { formatId, parseId, type Handle } from '#domain/id.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { reportUnder } from '../../../cli/admin/supply/audience-report.ts';
import { importAudiences } from '../../../cli/admin/supply/audiences.ts';
import { handle } from '../../support/handle.ts';
import { createKey, createWorkspace, startApi, VENUE, type TestApi } from '../support/app-under-test.ts';

const SOURCE = { vendor: 'Example Metrics', method: 'panel', version: '2' };
const CAMPAIGN = handle('campaign', 9);
/** A Wednesday; 22:30 UTC is half past midnight on Thursday in Berlin. */
const NIGHT = '2026-06-10 22:30:00.000';
const NOON = '2026-06-10 10:10:00.000';

let api: TestApi;
let screens: Handle<'screen'>[];

beforeAll(async () => {
  api = await startApi();
  const workspace = await createWorkspace(api, { kind: 'venue' });
  const key = await createKey(api, workspace, { surface: 'screen_manager' });
  const venue = parseId('venue', (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id']!)!;
  const rows = await api.sql<{ handle: Handle<'screen'> }[]>`
    insert into screens (workspace_handle, venue_handle, sandbox, created_at)
    select ${workspace.handle}, ${venue}, false, now() from generate_series(1, 2) returning handle`;
  screens = rows.map(row => row.handle);
});
afterAll(() => api.close());

test('a report can use another audience, and counted impressions stay', async () => {
  const [measured, other] = screens.map(screen => formatId('screen', screen));
  const play = (screen: string, slotAt: string, more: object = {}) => ({
    campaign_handle: CAMPAIGN,
    campaign_id: formatId('campaign', CAMPAIGN),
    screen_id: screen,
    slot_at: slotAt,
    played_at: slotAt,
    played_ms: 15_000,
    duration_ms: 15_000,
    impressions_thousandths: 2_000,
    ...more,
  });
  await api.clickhouse.insert({
    table: 'plays_raw',
    format: 'JSONEachRow',
    values: [
      play(measured!, NOON, { issue_number: 1 }),
      // A third of a slot counts a third of the people.
      play(measured!, NIGHT, { issue_number: 2, duration_ms: 5_000 }),
      // A sensing module counted, the play was late, or the screen is not in the source: as they were.
      play(measured!, NOON, { issue_number: 3, audience: 2 }),
      play(measured!, NOON, { issue_number: 4, late: true, impressions_thousandths: 0 }),
      play(other!, NOON, { issue_number: 5 }),
    ],
  });
  const people = HOUR_COLUMNS.map(name => ({ wed_12: 50, thu_00: 9 })[name] ?? 0);
  const header = ['screen', 'vendor', 'method', 'version', 'valid_from', ...HOUR_COLUMNS].join(',');
  const line = [measured, SOURCE.vendor, SOURCE.method, SOURCE.version, '2030-01-01', ...people].join(',');
  await importAudiences(api.sql, new Date(), `${header}\n${line}`);
  const before = await countedRows();
  expect(await reportUnder(api, { campaign: CAMPAIGN, ...SOURCE })).toEqual({
    campaign_id: formatId('campaign', CAMPAIGN),
    ...SOURCE,
    plays: 4,
    plays_under_version: 2,
    impressions_counted: 8,
    impressions_under_version: 50 + 3 + 2 + 2,
  });
  expect(await countedRows()).toEqual(before);
});

test('the screens of a large network are asked for in pages, because parameters are part of a URL', async () => {
  const method = 'census';
  await api.sql`
    with more as (insert into screens (workspace_handle, venue_handle, sandbox, created_at)
      select workspace_handle, venue_handle, false, now() from screens, generate_series(1, 2100)
      where handle = ${screens[0]!} returning handle)
    insert into screen_audiences (screen_handle, number, vendor, method, version, valid_from, thousandths, imported_at)
    select handle, 1, ${SOURCE.vendor}, ${method}, ${SOURCE.version}, now(), array_fill(1000, array[168]), now()
    from more`;
  const asked: number[] = [];
  // Only its query is called, whose type is generic.
  const noting = {
    query: async (params: QueryParams) => {
      const page = params.query_params?.['screens'] as string[] | undefined;
      if (page !== undefined) asked.push(page.length);
      return api.clickhouse.query(params);
    },
  } as unknown as Clickhouse;
  await reportUnder({ sql: api.sql, clickhouse: noting }, { campaign: CAMPAIGN, ...SOURCE, method });
  expect(asked).toEqual([1_000, 1_000, 100]);
});

test('an unknown audience is refused', async () => {
  await expect(reportUnder(api, { campaign: CAMPAIGN, ...SOURCE, version: '3' })).rejects.toThrow(
    'No screen has an audience of this vendor, method and version',
  );
});

async function countedRows(): Promise<unknown[]> {
  const result = await api.clickhouse.query({
    query: 'select issue_number, impressions_thousandths from plays_raw order by issue_number',
    format: 'JSONEachRow',
  });
  return result.json();
}
