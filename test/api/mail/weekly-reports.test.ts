/**
 * Weekly reports by mail: plays in the real ClickHouse become a CSV file in a mail, on Monday morning in the zone of
 * its reader, once. The mail server runs here.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '#domain/id.ts';
import { createLog } from '../../../runtime/log.ts';
import { parseMailAddress } from '../../../runtime/mail/mail-from.ts';
import { createMailer } from '../../../runtime/mail/mailer.ts';
import { sendMails } from '../../../workers/alerts/send-mails.ts';
import { writeWeeklyReports } from '../../../workers/alerts/weekly-reports.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { openMailServer, readMail } from './mail-server.ts';

const DAY_MS = 86_400_000;
const SETTINGS = {
  language: 'en',
  timezone: 'Asia/Tokyo',
  quiet_hours: null,
  digest_at: '08:00',
  offline_minutes: 30,
  behind_percent: 20,
  wallet_below: 100,
  key_days: 14,
};
const HEADER = 'campaign_id,campaign,bucket,tz,plays,impressions,scans,spend,currency';

let api: TestApi;
let server: Awaited<ReturnType<typeof openMailServer>>;
let mailer: ReturnType<typeof createMailer>;
/** A Monday, 00:00 UTC, which is 09:00 in Tokyo; each test has a week of its own. */
let monday: number;
let count = 0;

type Reader = TestWorkspace & { email: string; key: string; creative: string };

beforeAll(async () => {
  server = await openMailServer();
  mailer = createMailer({
    url: server.url,
    from: parseMailAddress('Marquee <ads@example.com>'),
    log: createLog('workers', 'fatal'),
  });
  api = await startApi({ mailer });
  const today = Math.floor(api.clock.now() / DAY_MS);
  monday = (today - ((today + 3) % 7)) * DAY_MS;
});
afterAll(async () => {
  await api.close();
  await server.close();
});

const moveTo = (atMs: number) => void (api.clock.offsetMs += atMs - api.clock.now());
const dateOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);

/** The clock is on the Monday of a new week, an hour after midnight in Tokyo. */
async function createReader(): Promise<Reader> {
  monday += 7 * DAY_MS;
  moveTo(monday - 8 * 3_600_000);
  const workspace = await createWorkspace(api, { funds: 5_000 });
  const email = `reader-${++count}@example.com`;
  await api.sql`update people set email = ${email} where handle = (
    select person_handle from users where handle = ${workspace.user})`;
  const key = await createKey(api, workspace, { expiresAt: new Date(api.clock.now() + 30 * DAY_MS) });
  return { ...workspace, email, key, creative: await createReadyCreative(api, key) };
}

/** A campaign of the last four weeks with a play at each of these moments, of 2.4 impressions for 0.012. */
async function createCampaign({ key, creative }: Reader, name: string, playedAt: readonly number[]): Promise<string> {
  const body = campaignBody(api, [creative], { name });
  const { id } = (await api.call('POST', '/v1/campaigns', { key, body })).body;
  await api.review();
  const handle = parseId('campaign', id!)!;
  await api.sql`update campaigns set starts_on = ${dateOf(monday - 28 * DAY_MS)} where handle = ${handle}`;
  const format = (atMs: number) => new Date(atMs).toISOString().replace('T', ' ').replace('Z', '');
  await api.clickhouse.insert({
    table: 'plays_raw',
    format: 'JSONEachRow',
    values: playedAt.map((atMs, number) => ({
      played_at: format(atMs),
      slot_at: format(atMs),
      received_at: format(atMs),
      campaign_id: id,
      creative_id: creative,
      screen_id: 'scr_1',
      venue_id: 'ven_1',
      campaign_handle: handle,
      epoch: 1,
      issue_number: number + 1,
      sandbox: false,
      late: false,
      played_ms: 10_000,
      audience: null,
      impressions_thousandths: 2_400,
      rate_micros: 5_000,
      cost_micros: 12_000,
      group_id: 'g1',
      job_id: 'j1',
    })),
  });
  return id!;
}

const choose = (reader: Reader, mode: string, more: object = {}) =>
  api.call('PUT', '/v1/me/alerts', {
    key: reader.key,
    body: { ...SETTINGS, ...more, alerts: { weekly_report: mode } },
  });

/** What the jobs do, twice: after the first time they were killed and started again. */
async function runJobs(): Promise<void> {
  for (let start = 0; start < 2; start++) {
    await writeWeeklyReports(api.workers);
    const parts = { mailer, sealer: api.sealer, publicUrl: 'https://ads.example.com' };
    while ((await sendMails(api.workers, parts)) > 0);
  }
}

const mailsTo = ({ email }: Reader) => server.received.filter(({ to }) => to.includes(email));

/** The lines of the file in a mail. */
function fileIn({ text }: { text: string }): { name: string; lines: string[] } {
  const part = text.split(/\r\n--/).find(one => one.includes('Content-Disposition: attachment'))!;
  const [head = '', ...rest] = part.split('\r\n\r\n');
  const content = Buffer.from(rest.join(''), 'base64').toString();
  return { name: /filename=(\S+)/.exec(head)![1]!, lines: content.replace('\ufeff', '').trim().split('\r\n') };
}

describe('a weekly report', () => {
  test("arrives once on Monday after 06:00 in its reader's zone, with the week before in that zone", async () => {
    const reader = await createReader();
    const hour = 3_600_000;
    // In Tokyo: Sunday before the week, its Monday, twice its Sunday, and the Monday after it.
    const tokyoMonday = monday - 9 * hour - 7 * DAY_MS;
    const plays = [tokyoMonday - hour, tokyoMonday, monday - 10 * hour, monday - 11 * hour, monday - 9 * hour];
    const id = await createCampaign(reader, '=Autumn', plays);
    await choose(reader, 'at_once');
    await runJobs();
    expect(mailsTo(reader)).toEqual([]);

    moveTo(monday - 3 * hour); // 06:00 in Tokyo
    await runJobs();
    moveTo(monday + DAY_MS);
    await runJobs();
    const [mail, ...others] = mailsTo(reader);
    expect(others).toEqual([]);
    const [from, to] = [dateOf(monday - 7 * DAY_MS), dateOf(monday - DAY_MS)];
    expect(readMail(mail!.text).subject).toBe(`Test: Weekly report, ${from} to ${to}, campaigns: 1`);
    const { name, lines } = fileIn(mail!);
    expect(name).toBe(`report-${from}-${to}.csv`);
    const row = (day: number, figures: string) =>
      `${id},'=Autumn,${dateOf(monday + day * DAY_MS)},Asia/Tokyo,${figures},EUR`;
    expect(lines).toEqual([
      HEADER,
      row(-7, '1,2,0,0.012'),
      ...[-6, -5, -4, -3, -2].map(day => row(day, '0,0,0,0')),
      row(-1, '2,5,0,0.024'),
    ]);

    moveTo(monday + 7 * DAY_MS);
    monday += 7 * DAY_MS;
    await runJobs();
    expect(mailsTo(reader)).toHaveLength(2);
  });

  test('has all campaigns of the workspace, or the chosen ones', async () => {
    const reader = await createReader();
    const [first, second] = [await createCampaign(reader, 'First', []), await createCampaign(reader, 'Second', [])];
    const other = await createReader();
    const foreign = await createCampaign(other, 'Foreign', []);
    expect(await choose(reader, 'at_once', { report_campaigns: [first, foreign] })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/report_campaigns/1', code: 'unknown_campaign' }] },
    });
    await choose(reader, 'at_once', { report_campaigns: [first] });
    await choose(other, 'at_once');
    await createCampaign(other, 'More', []);
    moveTo(monday);
    await runJobs();
    const namesTo = (one: Reader) => [
      ...new Set(
        fileIn(mailsTo(one)[0]!)
          .lines.slice(1)
          .map(line => line.split(',')[1]),
      ),
    ];
    expect(namesTo(reader)).toEqual(['First']);
    expect(namesTo(other)).toEqual(['More', 'Foreign']);
    expect(second).not.toBe(first);
    const { body } = await api.call('GET', '/v1/me/alerts', { key: reader.key });
    expect(body).toMatchObject({ report_campaigns: [first], alerts: { weekly_report: 'at_once' } });
  });

  test('waits for the digest if its reader chose it, and is sent until Thursday morning', async () => {
    const [early, late] = [await createReader(), await createReader()];
    monday -= 7 * DAY_MS; // both read about the same week
    for (const reader of [early, late]) await createCampaign(reader, 'One', []);
    await choose(early, 'daily', { timezone: 'UTC' });
    moveTo(monday + 6 * 3_600_000);
    await runJobs();
    expect(mailsTo(early)).toEqual([]);
    moveTo(monday + 8 * 3_600_000);
    await runJobs();
    expect(mailsTo(early)).toHaveLength(1);
    await choose(late, 'at_once', { timezone: 'UTC' });
    moveTo(monday + 3 * DAY_MS + 6 * 3_600_000);
    await runJobs();
    expect(mailsTo(late)).toEqual([]);
    moveTo(monday + 3 * DAY_MS + 6 * 3_600_000 - 1_000);
    await runJobs();
    expect(mailsTo(late)).toHaveLength(1);
  });

  test('is not sent for a week without campaigns, or to people who did not choose it', async () => {
    const [idle, off] = [await createReader(), await createReader()];
    await createCampaign(off, 'One', []);
    await choose(idle, 'at_once');
    await choose(off, 'off');
    moveTo(monday);
    await runJobs();
    expect([...mailsTo(idle), ...mailsTo(off)]).toEqual([]);
  });
});
