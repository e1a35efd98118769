/**
 * Alerts by mail, from their cause to a mail server that runs here: each kind comes once, at its time, and no more
 * after its link was followed. Causes are those of the product where a test can bring them about.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetFacts } from '#sql/alerts/facts.ts';
import { forgetMails } from '#sql/alerts/mails.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { parseId, type Handle } from '../../../domain/id.ts';
import { topUp } from '../../../domain/money/ledger.ts';
import { createLog } from '../../../runtime/log.ts';
import { parseMailAddress } from '../../../runtime/mail/mail-from.ts';
import { createMailer, type Mailer } from '../../../runtime/mail/mailer.ts';
import { findAlerts } from '../../../workers/alerts/find-alerts.ts';
import { sendMails } from '../../../workers/alerts/send-mails.ts';
import { finishCampaigns } from '../../../workers/campaigns/finish-campaigns.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  MP4,
  startApi,
  upload,
  VENUE,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { openMailServer, readMail } from './mail-server.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const SETTINGS = {
  language: 'en',
  timezone: 'UTC',
  quiet_hours: null,
  digest_at: '08:00',
  offline_minutes: 30,
  behind_percent: 20,
  wallet_below: 100,
  key_days: 14,
};

let api: TestApi;
let server: Awaited<ReturnType<typeof openMailServer>>;
let mailer: Mailer;
let count = 0;

type Reader = TestWorkspace & { email: string; key: string };

const mailerTo = (url: string) =>
  createMailer({ url, from: parseMailAddress('Marquee <ads@example.com>'), log: createLog('workers', 'fatal') });

beforeAll(async () => {
  server = await openMailServer();
  mailer = mailerTo(server.url);
  api = await startApi({ mailer });
});
afterAll(async () => {
  await api.close();
  await server.close();
});

async function createReader(options: { kind?: string; funds?: number; surface?: string } = {}): Promise<Reader> {
  const { surface = 'ads_manager', ...given } = options;
  const workspace = await createWorkspace(api, given);
  const email = `reader-${++count}@example.com`;
  await api.sql`update users set email = ${email} where handle = ${workspace.user}`;
  await api.sql`update people set email = ${email} where handle = (
    select person_handle from users where handle = ${workspace.user})`;
  const key = await createKey(api, workspace, { surface, expiresAt: new Date(api.clock.now() + 5 * DAY_MS) });
  return { ...workspace, email, key };
}

const choose = (reader: Reader, alerts: Record<string, string>, more: object = {}) =>
  api.call('PUT', '/v1/me/alerts', { key: reader.key, body: { ...SETTINGS, ...more, alerts } });
const mailsTo = (reader: Reader) => server.received.filter(({ to }) => to.includes(reader.email));
const parts = () => ({ mailer, sealer: api.sealer, publicUrl: 'https://ads.example.com' });
/** What the jobs do within some minutes. */
async function runJobs(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await findAlerts(api.workers);
    while ((await sendMails(api.workers, parts())) > 0);
    api.clock.offsetMs += MINUTE_MS;
  }
}
/** The clock of the test is at this time of the next day, UTC. */
function moveTo(time: string): void {
  const day = new Date(api.clock.now() + DAY_MS).toISOString().slice(0, 10);
  api.clock.offsetMs += Date.parse(`${day}T${time}:00Z`) - api.clock.now();
}

async function liveCampaign(reader: Reader, name: string): Promise<Handle<'campaign'>> {
  const creative = await createReadyCreative(api, reader.key);
  const { status, body } = await api.call('POST', '/v1/campaigns', {
    key: reader.key,
    body: campaignBody(api, [creative], { name }),
  });
  expect(status).toBe(201);
  await api.review();
  return parseId('campaign', body['id']!)!;
}

async function offlineScreens(reader: Reader, labels: readonly string[], sinceMs: number): Promise<void> {
  const { body } = await api.call('POST', '/v1/venues', { key: reader.key, body: VENUE });
  for (const label of labels)
    await api.sql`
      with screen as (
        insert into screens (workspace_handle, venue_handle, label, sandbox, created_at)
        values (${reader.handle}, ${parseId('venue', body['id']!)!}, ${label}, false, now()) returning handle)
      insert into screen_presence (screen_handle, online, last_seen_at)
      select handle, false, ${new Date(sinceMs)} from screen`;
}

const BRAND = { funds: 1_000 };
const VENUES = { kind: 'venue', surface: 'screen_manager' };

type Cause = [kind: string, of: object, cause: (reader: Reader) => Promise<unknown>, subject: RegExp];
const CAUSES: Cause[] = [
  [
    'screen_offline',
    VENUES,
    reader => offlineScreens(reader, ['Door'], api.clock.now() - 40 * MINUTE_MS),
    /^Test: Screen "Door" at "Corner bar" has been offline since /,
  ],
  [
    'campaign_behind',
    BRAND,
    async reader => {
      const campaign = await liveCampaign(reader, 'Slow');
      await api.sql`update campaigns set starts_on = starts_on - 3, paced_from = paced_from - interval '3 days'
        where handle = ${campaign}`;
    },
    /^Test: Campaign "Slow" is 100% behind pace$/,
  ],
  [
    'campaign_finished',
    BRAND,
    async reader => {
      const campaign = await liveCampaign(reader, 'Over');
      await api.sql`update campaigns set starts_on = '2020-01-01', ends_on = '2020-01-02' where handle = ${campaign}`;
      await finishCampaigns(api.workers, async () => []);
    },
    /^Test: Campaign "Over" is finished$/,
  ],
  [
    'creative_rejected',
    BRAND,
    async reader => {
      const { body } = await api.call('POST', '/v1/creatives', {
        key: reader.key,
        body: { name: 'Broken', orientation: 'landscape', duration_ms: 10_000, filename: 'spot.mp4' },
      });
      await upload(api, body['upload_url']!, MP4, 'video/mp4');
      await api.render();
    },
    /^Test: Creative "Broken" was rejected: ./,
  ],
  ['wallet_low', { funds: 50 }, async () => undefined, /^Test: The wallet is down to €50\.00$/],
  [
    'payout_failed',
    VENUES,
    reader =>
      inUnitOfWork(api.sql, { actor: SYSTEM_ACTOR, now: new Date(api.clock.now()) }, async unit =>
        unit.emit({
          workspace: reader.handle,
          entityType: 'payout',
          entityHandle: 1 as Handle<'payout'>,
          type: 'payout.failed',
          payload: { object: { id: 'pay_1', status: 'failed', amount: { value: 12.5, currency: 'EUR' } } },
        }),
      ),
    /^Test: The payout of €12\.50 failed$/,
  ],
  ['key_expiring', {}, async () => undefined, /^Test: API key "sk_live_.*" expires on /],
];

describe('an alert', () => {
  test.each(CAUSES)('%s is mailed once', async (kind, of, cause, subject) => {
    const reader = await createReader(of);
    expect((await choose(reader, { [kind]: 'at_once' })).status).toBe(200);
    await cause(reader);
    await runJobs();
    await runJobs();
    const mails = mailsTo(reader);
    expect(mails.map(({ text }) => readMail(text).subject)).toEqual([expect.stringMatching(subject)]);
    expect(mails[0]).toMatchObject({ from: 'ads@example.com', to: [reader.email] });
  });

  test.each(CAUSES)('%s is not mailed to people who chose other alerts', async (kind, of, cause) => {
    const reader = await createReader(of);
    await choose(reader, { [kind]: 'off' });
    await cause(reader);
    await runJobs();
    expect(mailsTo(reader)).toEqual([]);
  });

  test('is in German for people who chose German', async () => {
    const reader = await createReader({ funds: 50 });
    await choose(reader, { wallet_low: 'at_once' }, { language: 'de' });
    await runJobs();
    const { subject } = readMail(mailsTo(reader)[0]!.text);
    expect(subject).toMatch(/^Test: Im Guthaben sind nur noch 50,00\s€$/);
  });

  test('of a whole venue is one line in one mail', async () => {
    const reader = await createReader(VENUES);
    await choose(reader, { screen_offline: 'at_once' });
    await offlineScreens(reader, ['Door', 'Bar', 'Hall'], api.clock.now() - 40 * MINUTE_MS);
    await runJobs();
    expect(mailsTo(reader).map(({ text }) => readMail(text).subject)).toEqual([
      expect.stringMatching(/^Test: All 3 screens at "Corner bar" have been offline since /),
    ]);
  });

  test('of an offline screen waits for the chosen time', async () => {
    const reader = await createReader(VENUES);
    await choose(reader, { screen_offline: 'at_once' }, { offline_minutes: 60 });
    await offlineScreens(reader, ['Door'], api.clock.now() - 40 * MINUTE_MS);
    await runJobs();
    expect(mailsTo(reader)).toEqual([]);
    api.clock.offsetMs += 20 * MINUTE_MS;
    await runJobs();
    expect(mailsTo(reader)).toHaveLength(1);
  });

  test('is repeated only after the next top-up', async () => {
    const reader = await createReader({ funds: 10 });
    await choose(reader, { wallet_low: 'at_once' });
    await runJobs();
    await runJobs();
    expect(mailsTo(reader)).toHaveLength(1);
    await inUnitOfWork(api.sql, { actor: SYSTEM_ACTOR, now: new Date(api.clock.now()) }, async unit => {
      const entry = { book: 'live', currency: 'EUR', workspace: reader.handle, amountMicros: 1_000_000 } as const;
      await unit.post(topUp({ ...entry, reference: `again ${reader.handle}` }));
    });
    await runJobs();
    expect(mailsTo(reader)).toHaveLength(2);
  });

  test('of a low wallet comes below the chosen amount, and not at it', async () => {
    const reader = await createReader({ funds: 100 });
    await choose(reader, { wallet_low: 'at_once' });
    await runJobs();
    expect(mailsTo(reader)).toEqual([]);
  });

  test('is mailed at the moment at which it is due', async () => {
    const reader = await createReader({ funds: 50 });
    await choose(reader, { wallet_low: 'at_once' });
    await findAlerts(api.workers);
    const now = new Date(api.clock.now());
    await api.sql`
      update alert_facts set due_at = ${now} where choice_handle = (
        select choice from alert_readers where workspace_handle = ${reader.handle})`;
    await sendMails({ ...api.workers, now: () => now }, parts());
    expect(mailsTo(reader)).toHaveLength(1);
  });

  test('is not mailed to people who have left the workspace', async () => {
    const reader = await createReader({ funds: 50 });
    await choose(reader, { wallet_low: 'at_once' });
    await api.sql`update users set removed_at = now() where handle = ${reader.user}`;
    await runJobs();
    expect(mailsTo(reader)).toEqual([]);
  });
});

describe('the time of a mail', () => {
  test('is the digest time, with one mail for all alerts', async () => {
    moveTo('09:00');
    const reader = await createReader({ funds: 50 });
    await choose(reader, { wallet_low: 'daily', key_expiring: 'daily' });
    await runJobs();
    expect(mailsTo(reader)).toEqual([]);
    moveTo('08:00');
    await runJobs();
    expect(mailsTo(reader).map(({ text }) => readMail(text).subject)).toEqual(['Test: 2 alerts']);
  });

  test('is the end of quiet hours', async () => {
    moveTo('23:00');
    const reader = await createReader({ funds: 50 });
    await choose(reader, { wallet_low: 'at_once' }, { quiet_hours: { start: '22:00', end: '06:30' } });
    await runJobs();
    expect(mailsTo(reader)).toEqual([]);
    moveTo('06:30');
    await runJobs();
    expect(mailsTo(reader)).toHaveLength(1);
  });
});

describe('a mail', () => {
  const linkIn = (text: string) =>
    /^List-Unsubscribe: <https:\/\/ads\.example\.com(.*)>$/m.exec(readMail(text).header)![1]!;
  const ONE_CLICK = {
    payload: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  };

  test('has a link that ends all alerts with one click, and changes nothing when it is only opened', async () => {
    const reader = await createReader({ funds: 50 });
    await choose(reader, { wallet_low: 'at_once', key_expiring: 'daily' });
    await runJobs();
    const { header } = readMail(mailsTo(reader)[0]!.text);
    expect(header).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const link = linkIn(mailsTo(reader)[0]!.text);
    const modes = async () => (await api.call('GET', '/v1/me/alerts', { key: reader.key })).body['alerts'];
    expect((await api.call('GET', link)).status).toBe(200);
    expect(await modes()).toMatchObject({ wallet_low: 'at_once', key_expiring: 'daily' });
    expect((await api.call('POST', link, ONE_CLICK)).status).toBe(200);
    expect(await modes()).toMatchObject({ wallet_low: 'off', key_expiring: 'off' });
    moveTo('08:00');
    await runJobs();
    expect(mailsTo(reader)).toHaveLength(1);
    expect((await api.call('POST', link, ONE_CLICK)).status).toBe(200);
  });

  test('has a link of which no letter can be changed', async () => {
    const reader = await createReader({ funds: 50 });
    await choose(reader, { wallet_low: 'at_once' });
    await runJobs();
    const link = linkIn(mailsTo(reader)[0]!.text);
    const start = link.lastIndexOf('/') + 1;
    // The last letter has bits that the token does not use.
    for (let at = start; at < link.length - 1; at++) {
      const changed = link.slice(0, at) + (link[at] === 'A' ? 'B' : 'A') + link.slice(at + 1);
      expect((await api.call('POST', changed, ONE_CLICK)).status).toBe(404);
    }
    for (const other of [link.slice(0, -4), `${link}AAAA`, `${link}/x`])
      expect((await api.call('POST', other, ONE_CLICK)).status).toBe(404);
    const { body } = await api.call('GET', '/v1/me/alerts', { key: reader.key });
    expect(body['alerts']).toMatchObject({ wallet_low: 'at_once' });
  });

  test.each(['x', 'AAAA', 'a'.repeat(90)])('has a link that cannot be forged: %s', async token => {
    expect((await api.call('POST', `/unsubscribe/${token}`, ONE_CLICK)).status).toBe(404);
    expect((await api.call('GET', `/unsubscribe/${token}`)).status).toBe(404);
  });

  test('is retried with the same Message-ID if the server was down, and arrives once', async () => {
    const reader = await createReader({ funds: 50 });
    await choose(reader, { wallet_low: 'at_once' });
    const ids: (string | undefined)[] = [];
    const working = mailer;
    mailer = mailerTo('smtp://127.0.0.1:1');
    const failing = mailer;
    mailer = { send: (mail, now) => (ids.push(mail.id), failing.send(mail, now)) };
    await runJobs();
    expect(mailsTo(reader)).toEqual([]);
    mailer = working;
    await runJobs();
    const mails = mailsTo(reader);
    expect(mails).toHaveLength(1);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(1);
    expect(readMail(mails[0]!.text).header).toContain(`Message-ID: <${ids[0]}@example.com>`);
  });
});

test('mails are kept for 30 days, and their facts for 400', async () => {
  const reader = await createReader({ funds: 50 });
  await choose(reader, { wallet_low: 'at_once' });
  await runJobs();
  expect(mailsTo(reader)).toHaveLength(1);
  // The newest of each: other tests move the clock.
  const newest = async () =>
    (
      await api.sql<{ mail: Date | null; fact: Date | null }[]>`
        select (select max(created_at) from mails) as mail,
          (select max(found_at) from alert_facts where state <> 'waiting') as fact`
    )[0]!;
  const before = await newest();
  const inDays = (from: Date | null, days: number) => new Date(from!.getTime() + days * DAY_MS);
  await forgetMails(api.sql, inDays(before.mail, 29.9));
  await forgetFacts(api.sql, inDays(before.fact, 399.9));
  expect(await newest()).toEqual(before);
  await forgetMails(api.sql, inDays(before.mail, 30.1));
  await forgetFacts(api.sql, inDays(before.fact, 400.1));
  expect(await newest()).toEqual({ mail: null, fact: null });
});

describe('a choice', () => {
  test('reads as it was saved, with the kinds that the role may read', async () => {
    const reader = await createReader(VENUES);
    const none = await api.call('GET', '/v1/me/alerts', { key: reader.key });
    expect(none.body).toMatchObject({ email: reader.email, sends_mail: true });
    expect(Object.keys(none.body['alerts'] as object).sort()).toEqual(
      ['creative_rejected', 'key_expiring', 'payout_failed', 'screen_offline'].sort(),
    );
    const quiet_hours = { start: '22:00', end: '07:00' };
    const made = await choose(reader, { screen_offline: 'daily' }, { quiet_hours, wallet_below: 12.5 });
    expect(made.body).toMatchObject({ quiet_hours, wallet_below: 12.5, alerts: { screen_offline: 'daily' } });
    expect((await api.call('GET', '/v1/me/alerts', { key: reader.key })).body).toEqual(made.body);
  });

  test.each([
    ['/timezone', { timezone: 'Nowhere' }, {}],
    ['/offline_minutes', { offline_minutes: 4 }, {}],
    ['/behind_percent', { behind_percent: 4 }, {}],
    ['/key_days', { key_days: 0 }, {}],
    ['/quiet_hours/start', { quiet_hours: { start: '25:00', end: '07:00' } }, {}],
    ['/wallet_below', { wallet_below: 1.234_567_8 }, {}],
    ['/alerts/screen_offline', {}, { screen_offline: 'daily' }],
    ['/alerts/wallet_low', {}, { wallet_low: 'weekly' }],
  ])('is refused at %s if it is invalid, and changes nothing', async (pointer, more, alerts) => {
    const reader = await createReader();
    await choose(reader, { wallet_low: 'daily' });
    const refused = await choose(reader, alerts, more);
    expect(refused.status).toBe(422);
    expect(refused.body['errors']).toContainEqual(expect.objectContaining({ pointer }));
    const { body } = await api.call('GET', '/v1/me/alerts', { key: reader.key });
    expect(body).toMatchObject({ ...SETTINGS, alerts: { wallet_low: 'daily' } });
  });

  test('cannot be saved with a test key', async () => {
    const reader = await createReader();
    const key = await createKey(api, reader, { mode: 'test' });
    expect((await api.call('GET', '/v1/me/alerts', { key })).status).toBe(403);
  });
});
