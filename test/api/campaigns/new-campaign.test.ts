/** A new campaign relies on its creatives as they were read: one that changes in the meantime is looked at again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseId } from '../../../domain/id.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  type TestApi,
} from '../support/app-under-test.ts';

let api: TestApi;
let key: string;

beforeAll(async () => {
  api = await startApi();
  key = await createKey(api, await createWorkspace(api, { funds: 1_000 }));
});
afterAll(() => api.close());

const create = (creatives: readonly string[]) =>
  api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [...creatives]) });
const rowsOf = async () =>
  (
    await api.sql<
      { campaigns: number; replies: number; entries: number }[]
    >`select (select count(*) from campaigns) as campaigns, (select count(*) from idempotent_replies) as replies, (select count(*) from ledger_transactions) as entries`
  )[0];
const isWaiting = () =>
  expect
    .poll(
      async () =>
        (await api.sql`select 1 from pg_locks where not granted and locktype in ('transactionid', 'tuple')`).length,
    )
    .toBe(1);

test('a creative that is detached while its campaign is written is refused, and nothing is written', async () => {
  const creative = await createReadyCreative(api, key);
  const before = await rowsOf();
  const answer = await api.sql.begin(async tx => {
    await tx`update creatives set status = 'detached', detached_at = now() where handle = ${parseId('creative', creative)!}`;
    const created = create([creative]); // has read the creative as it was, and waits for its lock
    await isWaiting();
    return { created };
  });
  expect(await answer.created).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/creatives/0', code: 'unknown_creative' }] },
  });
  expect(await rowsOf()).toEqual(before);
});

test('a creative whose check ends while its campaign is written is shown with its new state', async () => {
  const [creative, other] = [await createReadyCreative(api, key), await createReadyCreative(api, key)];
  await api.sql`update creatives set status = 'awaiting_upload' where handle = ${parseId('creative', other)!}`;
  const answer = await api.sql.begin(async tx => {
    await tx`update creatives set status = 'ready' where handle = ${parseId('creative', other)!}`;
    const created = create([creative, other]);
    await isWaiting();
    return { created };
  });
  expect(await answer.created).toMatchObject({
    status: 201,
    body: { creatives: [{ status: 'ready' }, { status: 'ready' }] },
  });
});
