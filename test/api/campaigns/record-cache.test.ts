/**
 * Campaigns that the API keeps in memory are never older than the last change, whichever process made it. Two API
 * processes on real engines.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCampaignRecords } from '../../../api/campaigns/record-cache.ts';
import { parseId, type Handle } from '../../../domain/id.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { startSecondApi, type SecondApi } from '../support/second-app.ts';

let api: TestApi;
let second: SecondApi;
let workspace: TestWorkspace;
let key: string;

beforeAll(async () => {
  api = await startApi();
  second = await startSecondApi(api);
  workspace = await createWorkspace(api, { funds: 10_000 });
  key = await createKey(api, workspace);
});
afterAll(async () => {
  await second.close();
  await api.close();
});

type Shown = { creatives: { id: string; weight: number; status: string }[] };

/** A campaign with two creatives of its own. */
async function create() {
  const creatives = [await createReadyCreative(api, key, 'One'), await createReadyCreative(api, key, 'Two')];
  const body = campaignBody(api, creatives);
  return { id: (await api.call('POST', '/v1/campaigns', { key, body })).body['id']!, creatives: creatives.sort() };
}
const readBoth = async (id: string) =>
  Promise.all([api, second].map(process => process.call('GET', `/v1/campaigns/${id}`, { key })));

test('a caller who changed a campaign reads the change, whichever processes wrote and read it', async () => {
  const { id } = await create();
  for (const [index, process] of [api, second, api, second].entries()) {
    await readBoth(id); // both have it in memory
    const name = `Name ${index}`;
    expect(await process.call('PATCH', `/v1/campaigns/${id}`, { key, body: { name } })).toMatchObject({ status: 200 });
    for (const answer of await readBoth(id)) expect(answer).toMatchObject({ status: 200, body: { name } });
  }
});

test('new creatives, new weights and a new state of a creative are read at once', async () => {
  const { id, creatives } = await create();
  const [one, two] = creatives;
  const bindingsOf = async () =>
    (await readBoth(id)).map(({ raw }) =>
      (JSON.parse(raw.toString()) as Shown).creatives.map(
        ({ id: creative, weight, status }) => `${creative} ${weight} ${status}`,
      ),
    );
  const bind = (bindings: object[]) =>
    second.call('PATCH', `/v1/campaigns/${id}`, { key, body: { creatives: bindings } });
  for (const seen of await bindingsOf()) expect(seen).toEqual([`${one} 1 ready`, `${two} 1 ready`]);
  await bind([{ id: one, weight: 3 }, { id: two }]);
  for (const seen of await bindingsOf()) expect(seen).toEqual([`${one} 3 ready`, `${two} 1 ready`]);
  await bind([{ id: two }]);
  for (const seen of await bindingsOf()) expect(seen).toEqual([`${two} 1 ready`]);
  await api.call('DELETE', `/v1/creatives/${two}`, { key });
  for (const seen of await bindingsOf()) expect(seen).toEqual([`${two} 1 detached`]);
});

test('a cached campaign is hidden from every other workspace, and from test keys of its own', async () => {
  const { id } = await create();
  await readBoth(id);
  const others = [
    await createKey(api, await createWorkspace(api, { funds: 0 })),
    await createKey(api, workspace, { mode: 'test' }),
  ];
  for (const other of others)
    for (const path of [`/v1/campaigns/${id}`, `/v1/campaigns/${id}/results`])
      expect(await api.call('GET', path, { key: other })).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('an unchanged campaign stays one object, a changed one is a new object, and a deleted one is undefined', async () => {
  const records = createCampaignRecords({ sql: api.sql, now: api.clock.now });
  const caller = { workspace: workspace.handle, sandbox: false };
  const handle = parseId('campaign', (await create()).id)!;
  const [first, together] = await Promise.all([records.find(caller, handle), records.find(caller, handle)]);
  expect(together).toBe(first);
  expect(await records.find(caller, handle)).toBe(first);
  await api.sql`update campaigns set charged_plays = charged_plays where handle = ${handle}`;
  const later = await records.find(caller, handle);
  expect(later).not.toBe(first);
  expect(later).toEqual(first);
  expect(await records.find(caller, (handle + 1_000_000) as Handle<'campaign'>)).toBeUndefined();
});
