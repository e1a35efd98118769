/**
 * A change to the sandbox is audited in the sandbox and goes to its webhooks, and a change to the live book to those of
 * the live book. Its actor makes no difference: a key, a device, an upload, a worker or the operator. One function
 * makes every such change, through the API and the jobs in this process on real engines, once with live keys and once
 * with test keys.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approveReview, rejectReview } from '../../../cli/admin/supply/reviews.ts';
import { fundWallet } from '../../../cli/operator.ts';
import { parseId } from '../../../domain/id.ts';
import { finishCampaigns } from '../../../workers/campaigns/finish-campaigns.ts';
import { disableWebhook } from '#sql/webhooks/subscriptions.ts';
import { sweepPresence } from '#sql/screens/presence.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** Everything that happens to records without a key, in the book of these keys. */
async function runEverything(
  home: TestWorkspace,
  { mode, book }: { mode: 'live' | 'test'; book: 'live' | 'sandbox' },
): Promise<{ ads: string }> {
  const [ads, venues] = [
    await createKey(api, home, { mode, expiresAt: new Date(api.clock.now() + 90 * 86_400_000) }),
    await createKey(api, home, { mode, surface: 'screen_manager' }),
  ];
  const now = () => new Date(api.clock.now());
  await fundWallet(api.sql, now(), { workspace: home.handle, amountMicros: 1_000_000_000, book });
  const creative = await createReadyCreative(api, ads); // uploaded by an address, made ready by the workers
  const create = async (changes: object = {}) =>
    parseId(
      'campaign',
      (await api.call('POST', '/v1/campaigns', { key: ads, body: campaignBody(api, [creative], { ...changes }) })).body[
        'id'
      ]!,
    )!;
  await create();
  const [rejected, restricted] = [await create(), await create({ category: 'alcohol' })];
  await api.review();
  await rejectReview(api.sql, now(), { campaign: rejected });
  await approveReview(api.sql, now(), restricted);
  await api.sql`update campaigns set ends_on = starts_on, starts_on = starts_on - 30, created_at = created_at - interval '30 days' where workspace_handle = ${home.handle}`;
  await finishCampaigns({ ...api.workers, now: () => new Date(api.clock.now() + 3 * 86_400_000) });
  const venue = (await api.call('POST', '/v1/venues', { key: venues, body: VENUE })).body['id'];
  const { code } = (await api.call('POST', '/v1/pairing', { key: venues, body: { venue_id: venue } })).body;
  const screen = parseId(
    'screen',
    (await api.call('POST', `/v1/pairing/${code}/confirm`, { body: { platform: 'linux', player: '1' } })).body[
      'screen_id'
    ]!,
  )!;
  const hook = (
    await api.call('POST', '/v1/webhooks', {
      key: venues,
      body: { url: 'https://hooks.example.com/', events: ['screen.online', 'screen.offline', 'audit.entry.created'] },
    })
  ).body['id']!;
  await api.sql`insert into screen_presence (screen_handle, online, last_seen_at) values (${screen}, true, ${new Date(api.clock.now() - 120_000)})`;
  await sweepPresence(api.workers);
  await disableWebhook(api.sql, parseId('webhook', hook)!, { now: now(), clientErrors: 24 });
  return { ads };
}

const ACTIONS = [
  'wallet.funded',
  'creative.uploaded',
  'creative.ready',
  'campaign.approved',
  'campaign.rejected',
  'campaign.finished',
  'screen.paired',
  'screen.confirmed',
  'webhook.disabled',
];
const EVENTS = [
  'audit.entry.created',
  'campaign.approved',
  'campaign.finished',
  'campaign.rejected',
  'creative.ready',
  'creative.uploaded',
  'screen.offline',
  'screen.online',
  'screen.paired',
];

test.each([
  ['test', 'sandbox'],
  ['live', 'live'],
] as const)('with %s keys every entry and every event is of the book %s, whoever made it', async (mode, book) => {
  const home = await createWorkspace(api);
  const { ads } = await runEverything(home, { mode, book });
  const entries = await api.sql<
    { action: string; actor_type: string; sandbox: boolean }[]
  >`select action, actor_type, sandbox from audit_entries where workspace_handle = ${home.handle}`;
  expect(entries.filter(({ sandbox }) => sandbox !== (book === 'sandbox'))).toEqual([]);
  expect(new Set(entries.filter(entry => entry.actor_type !== 'user').map(entry => entry.action))).toEqual(
    new Set(ACTIONS),
  );
  expect(new Set(entries.map(entry => entry.actor_type))).toEqual(new Set(['user', 'system', 'operator', 'device']));
  const events = await api.sql<
    { type: string; sandbox: boolean }[]
  >`select type, sandbox from outbox where workspace_handle = ${home.handle}`;
  expect(events.filter(({ sandbox }) => sandbox !== (book === 'sandbox'))).toEqual([]);
  expect([...new Set(events.map(event => event.type))]).toEqual(expect.arrayContaining(EVENTS));
  // And so the API shows them: to keys of this book, not to those of the other one.
  const seenBy = async (key: string) =>
    new Set(
      dataOf(await api.call('GET', '/v1/audit?limit=100&actor=system', { key })).map(entry => String(entry['action'])),
    );
  expect((await seenBy(ads)).has('campaign.finished')).toBe(true);
  expect((await seenBy(await createKey(api, home, { mode: mode === 'test' ? 'live' : 'test' }))).size).toBe(0);
});
