/**
 * A call that is repeated with its Idempotency-Key has its effect once and is answered as before. Driven by calls to
 * the API in this process on real engines; two processes compete for one key, and one process is killed between its
 * commit and its answer.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetReplies } from '#books/once.ts';
import { enrolSensor } from '../../../cli/admin/supply/sensors.ts';
import { SensingModule } from '../../../cli/sensing-module.ts';
import { formatId, parseId, type Handle } from '../../../domain/id.ts';
import { createJobRounds } from '../../../workers/rounds/job-rounds.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type Answer,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { expectWithin } from '../../support/latency.ts';
import { addDispute, addEarnings, addInvoice, giveAccount, IBAN, raiseFindingAbout } from '../support/earnings.ts';
import { startSecondApi, type SecondApi } from '../support/second-app.ts';
import { startStandIn, type StandIn } from '../support/stripe-stand-in.ts';
import { programOf } from '../../../runtime/programs/program.ts';

let api: TestApi;
let other: SecondApi;
let stripe: StandIn;
let brand: TestWorkspace;
let key: string;
let venueKey: string;
let creative: string;

beforeAll(async () => {
  stripe = await startStandIn();
  api = await startApi({ payments: stripe.provider });
  other = await startSecondApi(api);
  brand = await createWorkspace(api, { funds: 1_000_000 });
  key = await createKey(api, brand);
  venueKey = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
  creative = await createReadyCreative(api, key);
});
afterAll(async () => {
  await other.close();
  await api.close();
  await stripe.close();
});

const under = (name: string) => ({ 'idempotency-key': name });
const body = (changes: object = {}) => ({ ...campaignBody(api, [creative]), ...changes });
const post = (name: string, changes: object = {}, as = key): Promise<Answer> =>
  api.call('POST', '/v1/campaigns', { key: as, body: body(changes), headers: under(name) });
const countNamed = async (name: string) =>
  (await api.sql<{ n: number }[]>`select count(*) as n from campaigns where name = ${name}`)[0]!.n;

describe('a repeat with the same Idempotency-Key', () => {
  test('and the same body gets the first answer byte for byte, and changes nothing', async () => {
    const first = await post('repeat-1', { name: 'Once' });
    expect(first.status).toBe(201);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    const again = await post('repeat-1', { name: 'Once' });
    expect(again).toMatchObject({
      status: 201,
      headers: { 'idempotent-replayed': 'true', 'content-type': first.headers['content-type'] },
    });
    expect(again.raw.equals(first.raw)).toBe(true);
    expect(await countNamed('Once')).toBe(1);
  });

  test('and the same content in another order of fields is the same body', async () => {
    await post('order-1', { name: 'Order' });
    const reversed = Object.fromEntries(Object.entries(body({ name: 'Order' })).reverse());
    const again = await api.call('POST', '/v1/campaigns', { key, body: reversed, headers: under('order-1') });
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  test('and another body is 422 idempotency_key_reused', async () => {
    await post('reused-1', { name: 'First' });
    expect(await post('reused-1', { name: 'Second' })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    expect(await countNamed('Second')).toBe(0);
  });

  test('counts as a first call after 24 hours, and not a second earlier', async () => {
    const first = await post('day-1', { name: 'Day' });
    const offsetMs = api.clock.offsetMs;
    await api.sql`update keys set expires_at = expires_at + interval '3 days'`;
    api.clock.offsetMs = offsetMs + 86_400_000 - 1_000;
    expect((await post('day-1', { name: 'Day', schedule: campaignBody(api, [creative])['schedule'] })).status).toBe(
      422,
    ); // another schedule by then: another body
    api.clock.offsetMs = offsetMs;
    expect((await post('day-1', { name: 'Day' })).raw.equals(first.raw)).toBe(true);
    api.clock.offsetMs = offsetMs + 86_400_000 + 1_000;
    expect((await post('day-1', { name: 'Day' })).headers['idempotent-replayed']).toBeUndefined();
    api.clock.offsetMs = offsetMs;
    expect(await countNamed('Day')).toBe(2);
  });

  test('counts as a repeat only within its workspace, book, method and path', async () => {
    const sandbox = await createKey(api, brand, { mode: 'test' });
    await post('scope-1', { name: 'Scope' });
    const others = [
      await api.call('POST', '/v1/creatives', {
        key,
        body: { name: 'C', orientation: 'landscape', duration_ms: 10_000, filename: 'a.mp4' },
        headers: under('scope-1'),
      }),
      await api.call('POST', '/v1/wallet/top-ups', {
        key: sandbox,
        body: { amount: { amount: 5, currency: 'EUR' } },
        headers: under('scope-1'),
      }),
      await api.call('POST', '/v1/wallet/top-ups', {
        key,
        body: { amount: { amount: 5, currency: 'EUR' } },
        headers: under('scope-1'),
      }),
      await api.call('POST', '/v1/venues', { key: venueKey, body: VENUE, headers: under('scope-1') }),
    ];
    expect(others.map(answer => [answer.status, answer.headers['idempotent-replayed']])).toEqual(
      others.map(() => [201, undefined]),
    );
  });

  test('of a refused request is executed, because a refusal changed nothing and is not stored', async () => {
    const poor = await createWorkspace(api, { funds: 0 });
    const poorKey = await createKey(api, poor);
    const own = await createReadyCreative(api, poorKey);
    const send = () =>
      api.call('POST', '/v1/campaigns', { key: poorKey, body: campaignBody(api, [own]), headers: under('refused-1') });
    expect(await send()).toMatchObject({ status: 409, body: { code: 'insufficient_funds' } });
    await api.sql`insert into ledger_accounts (kind, book, currency, workspace_handle, balance_micros) values ('wallet', 'live', 'EUR', ${poor.handle}, 1000000000) on conflict do nothing`;
    await api.sql`update ledger_accounts set balance_micros = 1000000000 where workspace_handle = ${poor.handle} and kind = 'wallet'`;
    expect((await send()).status).toBe(201);
    expect((await send()).headers['idempotent-replayed']).toBe('true');
  });

  test.each(['', 'x'.repeat(256), 'caf\u00e9'])('whose key is %j is refused with 400', async name => {
    expect(await post(name)).toMatchObject({ status: 400, body: { code: 'bad_idempotency_key' } });
  });

  test('may have a key of 255 printable characters', async () => {
    expect((await post('x'.repeat(255), { name: 'Long' })).status).toBe(201);
  });
});

describe('a reply', () => {
  test('is written in the transaction of its effect, on every POST and PATCH with an effect', async () => {
    const seen: string[] = [];
    const check = async (
      method: string,
      url: string,
      {
        as = key,
        body: sent,
        effect,
        status = method === 'POST' ? 201 : 200,
      }: { as?: string; body: unknown; effect: string; status?: number },
    ): Promise<Answer> => {
      const [before] = await api.sql<{ n: number }[]>`select count(*) as n from idempotent_replies`;
      const answer = await api.call(method, url, {
        key: as,
        ...(sent !== undefined && { body: sent }),
        headers: under(`tx ${method} ${url}`),
      });
      expect([method, url, answer.status]).toEqual([method, url, status]);
      const [row] = await api.sql<{ n: number; same: boolean }[]>`
        select (select count(*) from idempotent_replies) as n,
          (select xmin::text from idempotent_replies order by xmin::text::bigint desc limit 1) = (select xmin::text from audit_entries order by handle desc limit 1) as same`;
      expect([method, url, row]).toEqual([method, url, { n: before!.n + 1, same: true }]);
      const again = await api.call(method, url, {
        key: as,
        ...(sent !== undefined && { body: sent }),
        headers: under(`tx ${method} ${url}`),
      });
      expect([again.status, again.headers['idempotent-replayed'], again.raw.toString()]).toEqual([
        answer.status,
        'true',
        answer.raw.toString(),
      ]);
      expect(dataOf(await api.call('GET', `/v1/audit?action=${effect}&limit=1`, { key: as }))).toHaveLength(1);
      const path = url.replace(/[a-z]+_[0-9a-z]{13}/, ':id').replace(/whd_[0-9a-z]{13}/, ':delivery_id');
      const named = path.replace(/jobs\/[a-z-]+/, 'jobs/:name').replace('bank-files/MQ1', 'bank-files/:id');
      seen.push(`${method} ${named}`);
      return answer;
    };
    const campaign = await check('POST', '/v1/campaigns', { body: body({ name: 'Tx' }), effect: 'campaign.created' });
    await check('PATCH', `/v1/campaigns/${campaign.body['id']}`, {
      body: { name: 'Tx 2' },
      effect: 'campaign.updated',
    });
    await check('POST', `/v1/campaigns/${campaign.body['id']}/shared-reports`, {
      body: {},
      effect: 'shared_report.created',
    });
    await api.sql`update campaigns set brand_lift = true where name = 'Tx 2'`;
    await check('POST', '/v1/reporting/brand-lift/responses', {
      body: {
        responses: [
          { campaign_id: campaign.body['id'], group: 'exposed', question: 'recall', positive: true, respondent: 'r-1' },
        ],
      },
      effect: 'brand_lift.recorded',
    });
    const draft = await check('POST', '/v1/creatives', {
      body: { name: 'C', orientation: 'landscape', duration_ms: 10_000 },
      effect: 'creative.created',
    });
    await check('PATCH', `/v1/creatives/${draft.body['id']}`, {
      body: { filename: 'a.mp4' },
      effect: 'creative.updated',
    });
    const asset = await check('POST', '/v1/assets', {
      body: { name: 'Menu', filename: 'a.png' },
      effect: 'asset.created',
    });
    await api.call('DELETE', `/v1/assets/${asset.body['id']}`, { key });
    await check('POST', `/v1/assets/${asset.body['id']}/restore`, {
      body: undefined,
      effect: 'asset.restored',
      status: 200,
    });
    const topUp = await check('POST', '/v1/wallet/top-ups', {
      body: { amount: { amount: 5, currency: 'EUR' } },
      effect: 'wallet.top_up_requested',
    });
    await check('POST', `/v1/wallet/top-ups/${topUp.body['top_up']!['id']}/checkout`, {
      body: { success_url: 'https://brand.example.com/' },
      effect: 'wallet.checkout_opened',
    });
    const made = await check('POST', '/v1/keys', { body: { name: 'CI' }, effect: 'key.created' });
    await check('POST', `/v1/keys/${made.body['id']}/rotate`, { body: undefined, effect: 'key.rotated' });
    const invited = await check('POST', '/v1/invitations', {
      body: { email: 'new@example.com', role: 'viewer' },
      effect: 'invitation.created',
    });
    const { body: joined } = await api.call('POST', '/v1/invitations/accept', {
      body: { token: invited.body['token'] },
    });
    await check('PATCH', `/v1/members/${joined['member']!['id']}`, {
      body: { role: 'manager' },
      effect: 'user.updated',
    });
    const play = await createKey(api, brand, { mode: 'test' });
    await check('POST', '/v1/sandbox/screens', {
      as: play,
      body: { count: 1, venue: (({ name: _name, ...place }) => place)(VENUE) },
      effect: 'screen.simulated',
    });
    await check('POST', '/v1/sandbox/clock/advance', {
      as: play,
      body: { to: new Date(api.clock.now() + 3_600_000).toISOString() },
      effect: 'sandbox.advanced',
      status: 202,
    });
    const venue = await check('POST', '/v1/venues', { as: venueKey, body: VENUE, effect: 'venue.created' });
    await check('PATCH', `/v1/venues/${venue.body['id']}`, {
      as: venueKey,
      body: { daily_visitors: 7 },
      effect: 'venue.updated',
    });
    const code = await check('POST', '/v1/pairing', {
      as: venueKey,
      body: { venue_id: venue.body['id'] },
      effect: 'pairing.minted',
    });
    const screen = await check('POST', '/v1/screens', {
      as: venueKey,
      body: { venue_id: venue.body['id'], label: 'Bar', code: code.body['code'] },
      effect: 'screen.paired',
    });
    await check('PATCH', `/v1/screens/${screen.body['id']}`, {
      as: venueKey,
      body: { label: 'Bar 2' },
      effect: 'screen.updated',
    });
    const playlist = await check('POST', '/v1/playlists', {
      as: venueKey,
      body: { name: 'Day', items: [{ type: 'ad_slot' }] },
      effect: 'playlist.created',
    });
    await check('PATCH', `/v1/playlists/${playlist.body['id']}`, {
      as: venueKey,
      body: { name: 'Night' },
      effect: 'playlist.updated',
    });
    const webhook = await check('POST', '/v1/webhooks', {
      body: { url: 'https://hooks.example.com/', events: ['campaign.created'] },
      effect: 'webhook.created',
    });
    await check('PATCH', `/v1/webhooks/${webhook.body['id']}`, {
      body: { url: 'https://hooks.example.com/2' },
      effect: 'webhook.updated',
    });
    await check('POST', `/v1/webhooks/${webhook.body['id']}/rotate`, { body: undefined, effect: 'webhook.rotated' });
    const delivery = await check('POST', `/v1/webhooks/${webhook.body['id']}/test`, {
      body: undefined,
      effect: 'webhook.tested',
    });
    await check('POST', `/v1/webhooks/${webhook.body['id']}/simulate`, {
      body: { type: 'campaign.paused' },
      effect: 'webhook.simulated',
    });
    await check('POST', `/v1/webhooks/${webhook.body['id']}/deliveries/${delivery.body['id']}/redeliver`, {
      body: undefined,
      effect: 'webhook.redelivered',
    });
    await check('POST', '/v1/audit/export', {
      body: { destination: { type: 'signed_url' } },
      effect: 'audit_export.created',
      status: 202,
    });
    const agency = await createWorkspace(api, { kind: 'agency', funds: 100 });
    const agencyKey = await createKey(api, agency, { surface: 'agency' });
    const client = await check('POST', '/v1/agency/clients', {
      as: agencyKey,
      body: { name: 'Client', billing_model: 'pass-through', currency: 'EUR' },
      effect: 'client.created',
    });
    await check('PATCH', `/v1/agency/clients/${client.body['id']}`, {
      as: agencyKey,
      body: { name: 'Client 2' },
      effect: 'client.updated',
    });
    await api.call('DELETE', `/v1/agency/clients/${client.body['id']}`, { key: agencyKey });
    await check('POST', `/v1/agency/clients/${client.body['id']}/restore`, {
      as: agencyKey,
      body: undefined,
      effect: 'client.restored',
      status: 200,
    });
    await check('POST', `/v1/agency/clients/${client.body['id']}/transfers`, {
      as: agencyKey,
      body: { amount: { amount: 5, currency: 'EUR' }, direction: 'to_client' },
      effect: 'wallet.transferred',
    });
    const [place] = await api.sql<
      { venue: Handle<'venue'>; workspace: Handle<'workspace'> }[]
    >`select handle as venue, workspace_handle as workspace from venues order by handle desc limit 1`;
    await addEarnings(api, { ...place!, amount: 300 });
    await giveAccount(api, place!.workspace);
    const module = new SensingModule('MQ-TX01');
    await enrolSensor(api.sql, new Date(), { workspace: place!.workspace, ...module });
    const sensor = `/v1/screens/${screen.body['id']}/sensor`;
    const { challenge } = (
      await api.call('POST', `${sensor}/challenge`, { key: venueKey, body: { serial: module.serial } })
    ).body;
    await check('POST', sensor, {
      as: venueKey,
      body: { serial: module.serial, challenge, signature: module.signPairing(screen.body['id']!, challenge!) },
      effect: 'screen.updated',
      status: 200,
    });
    await api.sql`
      insert into screen_presence (screen_handle, online, last_seen_at, commands)
      values (${parseId('screen', screen.body['id']!)!}, true, ${new Date()}, '{identify,reload,screenshot}')`;
    await api.sql`
      update screens set token_hash = ${randomBytes(32)} where handle = ${parseId('screen', screen.body['id']!)!}`;
    for (const [command, status] of [
      ['identify', 204],
      ['reload', 204],
      ['screenshot', 202],
    ] as const)
      await check('POST', `/v1/screens/${screen.body['id']}/${command}`, {
        as: venueKey,
        body: undefined,
        effect: 'screen.command_sent',
        status,
      });
    const payout = await check('POST', '/v1/payouts', { as: venueKey, body: {}, effect: 'payout.issued' });
    const operatorKey = await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' });
    const waiting = await Promise.all(
      ['Wine', 'Beer'].map(async name => (await post(`review ${name}`, { name })).body['id']!),
    );
    await check('POST', `/v1/operator/reviews/${waiting[0]}/approve`, {
      as: operatorKey,
      body: undefined,
      effect: 'review.approved',
      status: 200,
    });
    await check('POST', `/v1/operator/reviews/${waiting[1]}/reject`, {
      as: operatorKey,
      body: { reason: 'policy' },
      effect: 'review.rejected',
      status: 200,
    });
    for (const [move, body] of [
      ['approve', { audience_max: 40 }],
      ['reject', { reason: 'unproven' }],
    ] as const) {
      const claim = { ...VENUE, daily_visitors: 100_000 };
      const { body: claimed } = await api.call('POST', '/v1/venues', { key: venueKey, body: claim });
      await check('POST', `/v1/operator/venue-reviews/${claimed['id']}/${move}`, {
        as: operatorKey,
        body,
        effect: move === 'approve' ? 'venue.approved' : 'venue.rejected',
        status: 200,
      });
    }
    await check('POST', '/v1/operator/workspaces', {
      as: operatorKey,
      body: { kind: 'brand', name: 'Harbour', currency: 'EUR', owner_email: 'ida@harbour.example' },
      effect: 'workspace.created',
    });
    const { handle: idle } = await createWorkspace(api);
    for (const [move, effect] of [
      ['close', 'workspace.closed'],
      ['approve', 'workspace.approved'],
    ] as const)
      await check('POST', `/v1/operator/workspaces/${formatId('workspace', idle)}/${move}`, {
        as: operatorKey,
        body: undefined,
        effect,
        status: 200,
      });
    await api.sql`update operator_settings set name = 'Network operations', iban = ${IBAN}`;
    await check('POST', '/v1/operator/bank-files', {
      as: operatorKey,
      body: undefined,
      effect: 'bank_file.written',
      status: 200,
    });
    await check('POST', `/v1/operator/payouts/${payout.body['id']}/settle`, {
      as: operatorKey,
      body: { outcome: 'paid', reference: 'NTRF-0012' },
      effect: 'payout.paid',
      status: 200,
    });
    await addEarnings(api, { ...place!, amount: 200, day: '2026-03-02' });
    await api.call('POST', '/v1/payouts', { key: venueKey, body: {} });
    await api.sql`update payouts set bank_file = 'MQ1' where status = 'issued'`;
    await check('POST', '/v1/operator/bank-files/MQ1/settle', {
      as: operatorKey,
      body: { reference: 'NTRF-0015' },
      effect: 'bank_file.paid',
      status: 200,
    });
    await check('PATCH', '/v1/operator/details', {
      as: operatorKey,
      body: { city: 'Berlin' },
      effect: 'operator.updated',
    });
    const billed = await createWorkspace(api);
    const invoice = await addInvoice(api, { workspace: billed.handle, sequence: 1 });
    await check('POST', `/v1/operator/invoices/${invoice}/settle`, {
      as: operatorKey,
      body: { reference: 'NTRF-0013' },
      effect: 'invoice.paid',
      status: 200,
    });
    await check('POST', `/v1/operator/workspaces/${formatId('workspace', billed.handle)}/fund`, {
      as: operatorKey,
      body: { amount: { amount: 5, currency: 'EUR' }, reference: 'NTRF-0014' },
      effect: 'wallet.funded',
      status: 200,
    });
    for (const [move, effect, body] of [
      ['book', 'payment_case.booked', undefined],
      ['close', 'payment_case.closed', { note: 'Paid back by hand' }],
    ] as const)
      await check(
        'POST',
        `/v1/operator/payment-cases/${await addDispute(api, { workspace: billed.handle, user: billed.user, amount: 5 })}/${move}`,
        { as: operatorKey, body, effect, status: 200 },
      );
    const lost = { email: 'lost@example.com', role: 'viewer' };
    const { token } = (await api.call('POST', '/v1/invitations', { key: venueKey, body: lost })).body;
    await api.call('POST', '/v1/invitations/accept', { body: { token, password: 'correct horse battery' } });
    const [person] = await api.sql<{ handle: Handle<'person'> }[]>`
      insert into second_factors (person_handle, secret_sealed, created_at, confirmed_at)
      select person_handle, '\\x00', now(), now() from sign_ins where email = ${lost.email}
      returning person_handle as handle`;
    await check('POST', `/v1/operator/people/${formatId('person', person!.handle)}/reset-link`, {
      as: operatorKey,
      body: undefined,
      effect: 'sign_in.reset_link_created',
    });
    for (const [what, effect] of [
      ['second-factor', 'second_factor.removed'],
      ['sign-in', 'sign_in.removed'],
    ] as const)
      await check('POST', `/v1/operator/people/${formatId('person', person!.handle)}/remove-${what}`, {
        as: operatorKey,
        body: undefined,
        effect,
        status: 204,
      });
    const barred = { workspace: place!.workspace, venue: place!.venue };
    for (const [move, effect, rule] of [
      ['clear', 'finding.cleared', 'pace'],
      ['uphold', 'finding.upheld', 'audience'],
    ] as const)
      await check('POST', `/v1/operator/findings/${await raiseFindingAbout(api, barred, rule)}/${move}`, {
        as: operatorKey,
        body: { note: 'Seen on site' },
        effect,
        status: 200,
      });
    await check('POST', '/v1/operator/dead-letters/retry', {
      as: operatorKey,
      body: {},
      effect: 'dead_letters.retried',
      status: 200,
    });
    await createJobRounds(api.redis).tell([{ name: 'issue-invoices', everyMs: 60_000, canRun: true }], []);
    await check('POST', '/v1/operator/jobs/issue-invoices/run', {
      as: operatorKey,
      body: undefined,
      effect: 'job.asked',
      status: 202,
    });
    // A new route that is missing here is either to be added above, or has no effect and is named here.
    const withoutEffect = ['POST /v1/forecasts', 'POST /v1/screens/:id/sensor/challenge'];
    const routes = api.routes
      .filter(route => route.access !== 'public' && ['POST', 'PATCH'].includes(route.method))
      .map(route => `${route.method} ${route.url}`);
    // A key has no account: test/api/account/own-account.test.ts makes these calls with a session.
    const ofSessions = [
      'PATCH /v1/account',
      'POST /v1/account/identity',
      'POST /v1/account/second-factor',
      'POST /v1/account/second-factor/confirm',
      'POST /v1/account/second-factor/remove',
    ];
    expect([...seen, ...withoutEffect, ...ofSessions].sort()).toEqual(routes.sort());
  });

  test('with a secret is encrypted in the database and repeated only to the same API key', async () => {
    const first = await api.call('POST', '/v1/keys', { key, body: { name: 'Secret' }, headers: under('secret-1') });
    const secret = first.body['key']!;
    const rows = await api.sql<{ body: Buffer }[]>`select body from idempotent_replies`;
    expect(rows.some(row => row.body.includes(secret))).toBe(false);
    expect(
      (await api.call('POST', '/v1/keys', { key, body: { name: 'Secret' }, headers: under('secret-1') })).body['key'],
    ).toBe(secret);
    const colleague = await createKey(api, brand);
    expect(
      await api.call('POST', '/v1/keys', { key: colleague, body: { name: 'Secret' }, headers: under('secret-1') }),
    ).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  test('is deleted after a day, in batches', async () => {
    const [before] = await api.sql<{ n: number }[]>`select count(*) as n from idempotent_replies`;
    expect(await forgetReplies(api.sql, { now: new Date(), count: 100 })).toBe(0);
    const later = new Date(Date.now() + 3 * 86_400_000);
    expect(await forgetReplies(api.sql, { now: later, count: 2 })).toBe(2);
    expect(await forgetReplies(api.sql, { now: later, count: 1_000 })).toBe(before!.n - 2);
  });
});

describe('at the same moment', () => {
  test('a repeat of a request in flight gets 409 at once and does not wait', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    // A transaction that holds the key's lock, as a request in another process does: told by trying all of them.
    const first = post('flight-1', { name: 'Flight' });
    await first;
    const [row] = await api.sql<
      { scope: Buffer }[]
    >`select scope from idempotent_replies order by created_at desc limit 1`;
    await api.sql`delete from idempotent_replies where scope = ${row!.scope}`;
    let holder: Promise<void> | undefined;
    await new Promise<void>(locked => {
      holder = api.sql.begin(async tx => {
        await tx`select pg_advisory_xact_lock(${row!.scope.readBigInt64BE(0).toString()}::bigint)`;
        locked();
        await held;
      });
    });
    await expectWithin(1_000, async () => {
      const startedAt = performance.now();
      expect(await post('flight-1', { name: 'Flight' })).toMatchObject({
        status: 409,
        body: { code: 'idempotency_in_flight' },
      });
      return performance.now() - startedAt;
    });
    release();
    await holder;
  });

  test('forecasts of two bodies under one key get the answer to one of them', async () => {
    const forecast = (budget: number) =>
      api.call('POST', '/v1/forecasts', {
        key,
        body: {
          budget: { amount: budget, currency: 'EUR' },
          venue_types: [],
          cities: [],
          schedule: body()['schedule'],
        },
        headers: under('forecast-1'),
      });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => forecast(index < 5 ? 10 : 20)));
    const good = answers.filter(({ status }) => status === 200).map(({ raw }) => raw.toString());
    expect(new Set(good).size).toBe(1);
    const statusesOf = (part: readonly Answer[]) => new Set(part.map(({ status }) => status));
    const refused = [answers.slice(0, 5), answers.slice(5)].map(part => !statusesOf(part).has(200));
    expect(refused.sort()).toEqual([false, true]);
    const again = await Promise.all([forecast(10), forecast(20)]);
    expect(again.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test('1,000 POSTs with one key, over two processes, create exactly one campaign', async () => {
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        (index % 2 === 0 ? api : other).call('POST', '/v1/campaigns', {
          key,
          body: body({ name: 'Thousand' }),
          headers: under('thousand'),
        }),
      ),
    );
    const created = answers.filter(answer => answer.status === 201);
    expect(answers.filter(answer => answer.status !== 201 && answer.body['code'] !== 'idempotency_in_flight')).toEqual(
      [],
    );
    expect(created.filter(answer => answer.headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(new Set(created.map(answer => answer.raw.toString())).size).toBe(1);
    expect(await countNamed('Thousand')).toBe(1);
    const entries = dataOf(
      await api.call('GET', `/v1/audit?entity_id=${created[0]!.body['id']}&action=campaign.created`, { key }),
    );
    expect(entries).toHaveLength(1);
  }, 60_000);
});

describe('a process that is killed after the commit and before the answer', () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  async function startProcess(storage: string, fault: string): Promise<{ url: string; exited: Promise<unknown> }> {
    const { file, execArgv } = programOf('api/main.ts');
    const child = fork(file, {
      execArgv,
      env: {
        ...process.env,
        PORT: '0',
        DATABASE_URL: api.engines.databaseUrl,
        REDIS_URL: api.engines.redisUrl,
        CLICKHOUSE_URL: api.engines.clickhouseUrl,
        PUBLIC_URL: 'http://127.0.0.1:1',
        DELIVERY_URL: 'ws://127.0.0.1:1',
        SIGNING_KEYS: `1:${Buffer.alloc(16, 7).toString('base64')}`,
        STORAGE_URL: pathToFileURL(storage).href,
        ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
        LOG_LEVEL: 'fatal',
        FAULT: fault,
      },
    });
    children.push(child);
    const exited = new Promise(resolve => {
      child.once('exit', (_code, signal) => resolve(signal));
    });
    const ready = await new Promise<{ port: number }>((resolve, reject) => {
      child.once('message', message => resolve((message as { ready: { port: number } }).ready));
      child.once('exit', code => reject(new Error(`the API ended with ${code}`)));
    });
    return { url: `http://127.0.0.1:${ready.port}`, exited };
  }

  test('created the campaign once: the retry gets the stored reply', async () => {
    const storage = await mkdtemp(join(tmpdir(), 'marquee-once-'));
    const doomed = await startProcess(storage, 'once.committed');
    const sent = request(`${doomed.url}/v1/campaigns`, {
      method: 'POST',
      body: JSON.stringify(body({ name: 'Killed' })),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...under('killed') },
    });
    await expect(sent).rejects.toMatchObject({ code: expect.stringMatching(/UND_ERR_SOCKET|ECONNRESET/) as unknown });
    expect(await doomed.exited).toBe('SIGKILL');
    expect(await countNamed('Killed')).toBe(1);
    const retry = await post('killed', { name: 'Killed' }); // of a process that has not seen the first
    expect(retry).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'true' }, body: { name: 'Killed' } });
    expect(await countNamed('Killed')).toBe(1);
    const [row] = await api.sql<
      { n: number }[]
    >`select count(*) as n from audit_entries where action = 'campaign.created' and diff->'name'->>'to' = 'Killed'`;
    expect(row!.n).toBe(1);
    await rm(storage, { recursive: true });
  }, 60_000);
});
