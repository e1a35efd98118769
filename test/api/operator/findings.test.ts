/** What the operator reads of suspicious traffic and decides about it. Driven by calls to the API on real engines. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId, type Handle } from '../../../domain/id.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { addEarnings, raiseFindingAbout } from '../support/earnings.ts';

const NOTE = 'A football final';
let api: TestApi;
let own: TestWorkspace;
let operator: string;
let bar: { workspace: Handle<'workspace'>; venue: Handle<'venue'>; key: string };

beforeAll(async () => {
  api = await startApi();
  own = await createWorkspace(api, { kind: 'operator' });
  operator = await createKey(api, own, { surface: 'operator' });
  const owner = await createWorkspace(api, { kind: 'venue' });
  const key = await createKey(api, owner, { surface: 'screen_manager' });
  const venue = parseId('venue', (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id']!)!;
  bar = { workspace: owner.handle, venue, key };
  await addEarnings(api, { ...bar, amount: 300 });
});
afterAll(() => api.close());

const list = async (query = '') => dataOf(await api.call('GET', `/v1/operator/findings?${query}`, { key: operator }));
const idsOf = async (query: string): Promise<(string | undefined)[]> => (await list(query)).map(({ id }) => id);
const read = (id: string) => api.call('GET', `/v1/operator/findings/${id}`, { key: operator });
const decide = (id: string, move: 'clear' | 'uphold', body: object = {}, key = operator) =>
  api.call('POST', `/v1/operator/findings/${id}/${move}`, { key, body });
const entriesOf = async (key: string, id: string) =>
  dataOf(await api.call('GET', '/v1/audit', { key })).filter(({ entity }) => entity?.['id'] === id);
const held = async () =>
  (await api.call('GET', '/v1/payouts/balance', { key: bar.key })).body as Record<string, unknown>;

describe('a finding', () => {
  test('is listed with its owner and its held amount, and its page shows rule and evidence', async () => {
    const id = await raiseFindingAbout(api, bar);
    const shown = {
      id,
      status: 'open',
      rule: 'pace@1',
      concerns: 'plays',
      workspace: { id: formatId('workspace', bar.workspace), name: 'Test' },
      venue: { id: formatId('venue', bar.venue), name: VENUE.name },
      screen: null,
      holds: [{ amount: 300, currency: 'EUR' }],
      decided_at: null,
    };
    expect(await list('status=open&count=true')).toMatchObject([shown]);
    expect((await read(id)).body).toMatchObject({
      ...shown,
      looks_at: expect.stringContaining('Plays per hour'),
      thresholds: { score_min: 6 },
      evidence: { times_peers: 9.1, score: 7.42 },
      note: null,
      taken_out: [],
    });
    await decide(id, 'clear');
  });

  test('releases the earnings when cleared, with an entry in both audit logs and a note for the operator only', async () => {
    const id = await raiseFindingAbout(api, bar, 'audience');
    expect(await held()).toMatchObject({ balances: [{ under_review: { value: 300 } }] });
    expect(await decide(id, 'clear', { note: NOTE })).toMatchObject({ status: 200, body: { id, status: 'cleared' } });
    expect(await held()).toMatchObject({ balances: [{ under_review: { value: 0 } }] });
    expect((await read(id)).body).toMatchObject({ status: 'cleared', note: NOTE, holds: [] });
    const [theirs, ours] = [await entriesOf(bar.key, id), await entriesOf(operator, id)];
    expect(theirs).toMatchObject([{ action: 'finding.cleared', actor: { type: 'operator' } }]);
    expect(JSON.stringify(theirs)).not.toContain(NOTE);
    expect(ours).toMatchObject([
      { action: 'finding.cleared', actor: { type: 'user' }, diff: { note: { from: null, to: NOTE } } },
    ]);
  });

  test('keeps the earnings held when upheld, and is not decided again', async () => {
    const id = await raiseFindingAbout(api, bar, 'venue_volume');
    expect(await decide(id, 'uphold')).toMatchObject({ status: 200, body: { id, status: 'upheld' } });
    expect(await held()).toMatchObject({ balances: [{ under_review: { value: 300 } }] });
    expect(await decide(id, 'clear')).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    expect([await idsOf('status=open'), (await idsOf('status=upheld,cleared')).includes(id)]).toEqual([[], true]);
  });

  test.each([
    ['blank', '  '],
    ['of more than 2,000 characters', 'x'.repeat(2_001)],
    ['of two lines', 'one\ntwo'],
    ['that is a number', 7],
  ])('is not decided with a note %s, and the refusal names the field', async (_, note) => {
    const id = await openOne();
    expect(await decide(id, 'clear', { note })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/note' }] },
    });
    expect((await read(id)).body['status']).toBe('open');
  });

  test('is visible to every role of the operator, decided by few, and hidden from others', async () => {
    const id = await openOne();
    await api.sql`update users set role = 'finance' where handle = ${own.user}`;
    const finance = await createKey(api, own, { surface: 'operator' });
    const test = await createKey(api, own, { surface: 'operator', mode: 'test' });
    const get = (key: string) => api.call('GET', `/v1/operator/findings/${id}`, { key });
    expect([
      (await get(finance)).status,
      (await decide(id, 'clear', {}, finance)).body['code'],
      (await get(bar.key)).body['code'],
      (await get(test)).body['code'],
      (await get(operator.replace(/.$/, 'x'))).status,
    ]).toEqual([200, 'role_forbidden', 'wrong_surface', 'wrong_mode', 401]);
  });
});

/** Open or raised: the same finding is raised once. */
const openOne = () => raiseFindingAbout(api, bar, 'steady_audience');
