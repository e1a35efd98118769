/**
 * A new campaign relies on its creatives as they were read: one that changes in the meantime is looked at again.
 * Campaigns of one moment share a statement, and none pays for another one.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseId, type Handle } from '../../../domain/id.ts';
import { verifyAuditChain } from '#books/audit-chain.ts';
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

const create = (creatives: readonly string[], by = key) =>
  api.call('POST', '/v1/campaigns', { key: by, body: campaignBody(api, [...creatives]) });
/** Brands with a creative each; one of them has no money. */
const createBrands = async (count: number, { poor }: { poor?: number } = {}) => {
  const brands: { workspace: Handle<'workspace'>; key: string; creative: string }[] = [];
  for (let at = 0; at < count; at += 1) {
    const owner = await createWorkspace(api, { funds: at === poor ? 0 : 1_000 });
    const brandKey = await createKey(api, owner);
    brands.push({ workspace: owner.handle, key: brandKey, creative: await createReadyCreative(api, brandKey) });
  }
  return brands;
};
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

test('a creative detached while its campaign is written is refused, and nothing is written', async () => {
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

test('a campaign that its wallet does not cover is refused alone, even if others are created at the same moment', async () => {
  const brands = await createBrands(6, { poor: 2 });
  const answers = await Promise.all(brands.map(brand => create([brand.creative], brand.key)));
  expect(answers.map(answer => answer.status)).toEqual([201, 201, 409, 201, 201, 201]);
  expect(answers[2]!.body).toMatchObject({ code: 'insufficient_funds' });
  expect(await verifyAuditChain(api.sql)).toEqual([]);
  const [sums] = await api.sql`select sum(balance_micros)::bigint as total from ledger_accounts`;
  expect(sums).toEqual({ total: 0 });
});

test('a locked wallet delays only the campaigns of its own workspace', async () => {
  const brands = await createBrands(4);
  const held = brands[1]!;
  const { waiting } = await api.sql.begin(async tx => {
    await tx`select from ledger_accounts where workspace_handle = ${held.workspace} and kind = 'wallet' for update`;
    const created = brands.map(brand => create([brand.creative], brand.key));
    const others = await Promise.all(created.filter((_, at) => brands[at] !== held));
    expect(others.map(answer => answer.status)).toEqual([201, 201, 201]);
    return { waiting: created[1]! };
  });
  expect((await waiting).status).toBe(201);
});

test('a new campaign changes no account of another workspace, nor of the operator', async () => {
  const [brand] = await createBrands(1);
  const others = async () =>
    api.sql`select name, balance_micros, xmin::text from ledger_accounts where workspace_handle is distinct from ${brand!.workspace} order by name`;
  const before = await others();
  expect((await create([brand!.creative], brand!.key)).status).toBe(201);
  expect(await others()).toEqual(before);
});
