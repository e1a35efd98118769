/** The rows that the benchmarks of delivery write into a real Postgres are a network that delivery can serve. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isDeviceToken } from '#domain/access/key.ts';
import { isRefusal } from '#domain/refusal.ts';
import { parseTargets } from '#domain/campaigns/targeting.ts';
import { createBenchNetwork, type Network } from '../../bench/delivery/network.ts';
import { freshPostgres } from '../support/engines/databases.ts';

let database: Awaited<ReturnType<typeof freshPostgres>>;
let network: Network;

beforeAll(async () => {
  database = await freshPostgres();
  network = await createBenchNetwork(
    database.sql,
    { campaigns: 1_000, screens: 20, creativeMs: 10_000 },
    new Date('2026-11-21T10:00:00Z'),
  );
});

afterAll(() => database.drop());

test('every device token is known by its hash', async () => {
  const rows = await database.sql<
    { tokenHash: Buffer }[]
  >`select token_hash as "tokenHash" from screens order by handle`;
  expect(network.tokens.every(isDeviceToken)).toBe(true);
  expect(rows.map(row => row.tokenHash.toString('hex'))).toEqual(
    network.tokens.map(token => createHash('sha256').update(token).digest('hex')),
  );
});

test('every campaign is live, has targets that can be read, three ready creatives and a reservation of its budget', async () => {
  const { sql } = database;
  const campaigns = await sql<{ targets: unknown; creatives: number; reserved: boolean }[]>`
    select c.targets, (select count(*) from campaign_creatives cc join creatives r on r.handle = cc.creative_handle and r.status = 'ready' and r.workspace_handle = c.workspace_handle where cc.campaign_handle = c.handle) as creatives,
      exists (select 1 from ledger_accounts a where a.kind = 'reservation' and a.campaign_handle = c.handle and a.workspace_handle = c.workspace_handle and a.balance_micros = c.budget_micros) as reserved
    from campaigns c where c.status = 'live'`;
  expect(campaigns).toHaveLength(1_000);
  expect(campaigns.every(({ targets }) => !isRefusal(parseTargets(targets)))).toBe(true);
  expect(new Set(campaigns.map(row => row.creatives))).toEqual(new Set([3]));
  expect(campaigns.every(row => row.reserved)).toBe(true);
});

test('a screen has about fifty campaigns to choose from', () => {
  expect(network.candidatesMean).toBeGreaterThan(30);
  expect(network.candidatesMean).toBeLessThan(70);
});

test('later rows get new handles', async () => {
  const [row] = await database.sql<
    { handle: number }[]
  >`insert into workspaces (kind, name, currency, created_at) values ('brand', 'later', 'EUR', now()) returning handle`;
  expect(row!.handle).toBe(102);
});
