/**
 * Ranges of days or moments of which a call gives one end. The other end is a default, and where that lies on the wrong
 * side the call is answered with the one day that it gave, or with nothing: never that its two ends are reversed. Every
 * operation with a range is called so. The API runs in this process on real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationsOf } from '../../../api/openapi/document.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dateFromNow,
  startApi,
  VENUE,
  type TestApi,
} from '../support/app-under-test.ts';
import { documentOf } from '../support/openapi-codes.ts';

let api: TestApi;
let keys: { ads: string; venues: string; agency: string; operator: string };
let ids: Record<string, string>;

beforeAll(async () => {
  api = await startApi();
  const home = await createWorkspace(api, { kind: 'agency', funds: 1_000 });
  keys = {
    ads: await createKey(api, home),
    venues: await createKey(api, home, { surface: 'screen_manager' }),
    agency: await createKey(api, home, { surface: 'agency' }),
    operator: await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' }),
  };
  const made = async (key: string, url: string, body: object) =>
    String((await api.call('POST', url, { key, body })).body['id']);
  const venue = await made(keys.venues, '/v1/venues', VENUE);
  const { code } = (await api.call('POST', '/v1/pairing', { key: keys.venues, body: { venue_id: venue } })).body;
  ids = {
    campaigns: await made(keys.ads, '/v1/campaigns', campaignBody(api, [await createReadyCreative(api, keys.ads)])),
    screens: await made(keys.venues, '/v1/screens', { venue_id: venue, label: 'Bar', code }),
  };
});
afterAll(() => api.close());

type Range = { url: string; first: string; last: string };

/** The operations whose query has a range, with the names of its ends. */
function ranges(): Range[] {
  return operationsOf(documentOf(api.app)).flatMap(({ method, path, operation }) => {
    const names = new Set((operation.parameters ?? []).map(parameter => ('name' in parameter ? parameter.name : '')));
    const url = path.replaceAll(/\/([a-z]+)\/\{\w+\}/g, (_match, resource: string) => `/${resource}/${ids[resource]}`);
    const [first, last] = names.has('from') ? ['from', 'to'] : ['start', 'end'];
    return method === 'get' && names.has(first) && names.has(last) ? [{ url, first, last }] : [];
  });
}

/** What the first key whose surface reaches the operation is answered. */
async function ask(url: string, query: Record<string, string>) {
  const text = new URLSearchParams({
    ...query,
    ...(url.endsWith('/reporting/campaigns') && { campaign_id: ids['campaigns']! }),
  });
  for (const key of Object.values(keys)) {
    const answer = await api.call('GET', `${url}?${text.toString()}`, { key });
    if (answer.status !== 403) return answer;
  }
  throw new Error(`no key reaches ${url}`);
}

describe('one end of a range', () => {
  test.each([
    ['ahead of all defaults', 'first', 800],
    ['behind all defaults', 'last', -800],
  ] as const)('%s is answered by every operation', async (_, end, days) => {
    const checked: string[] = [];
    for (const { url, ...names } of ranges()) {
      const { status } = await ask(url, { [names[end]]: dateFromNow(api, days) });
      expect([url, names[end], status]).toEqual([url, names[end], 200]);
      checked.push(url.replace(/_\w+/, ''));
    }
    expect(checked.length).toBeGreaterThan(8);
  });

  test.each([
    ['from', 30],
    ['to', -30],
  ])('of a campaign beyond its own days is a report without plays (%s)', async (end, days) => {
    const answer = await ask(`/v1/reporting/campaigns/${ids['campaigns']}`, { [end]: dateFromNow(api, days) });
    expect(answer.body).toMatchObject({ totals: { plays: 0, scans: 0 } });
  });

  test.each([
    ['from', 30],
    ['to', -60],
  ])("of the agency's report beyond this month is its one day (%s)", async (end, days) => {
    const day = dateFromNow(api, days);
    expect((await ask('/v1/agency/reports', { [end]: day })).body).toMatchObject({ from: day, to: day });
  });
});

test('a reversed range is refused', async () => {
  for (const { url, first, last } of ranges().filter(range => !/\/(campaigns|audit)$/.test(range.url)))
    expect([url, (await ask(url, { [first]: '2026-02-03', [last]: '2026-02-01' })).status]).toEqual([url, 400]);
});
