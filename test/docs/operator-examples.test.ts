/**
 * The operator's commands of the documents work: those of each page run in their order on a whole instance, with the
 * ids of a workspace, venue or payment of the test in place of `ws_...` and so on. What a backup holds is restored into
 * databases without data.
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId, type Handle } from '#domain/id.ts';
import type { Postgres } from '#sql/postgres.ts';
import { ownerOf } from '../../cli/operator.ts';
import { findOrInstall } from '../../engines/package-manager.ts';
import { freshClickhouse, freshPostgres } from '../support/engines/databases.ts';
import { startTestInstance, type TestInstance } from '../support/engines/instance.ts';
import { createSmallNetwork, type Network } from '../support/network.ts';
import { ROOT } from '../support/architecture/source-files.ts';
import { blocksOf, runScript } from './blocks.ts';

/** A command starts a process of some seconds on a busy machine, and a page has up to four of them. */
const PAGE_MS_MAX = 180_000;

let instance: TestInstance;
let sql: Postgres;
let network: Network;
let venueWorkspace: string;
const scratch = mkdtempSync(join(tmpdir(), 'marquee-operator-examples-'));

beforeAll(async () => {
  await findOrInstall({ programs: ['openssl'], debian: 'openssl', brew: 'openssl' });
  instance = await startTestInstance();
  ({ sql } = instance);
  network = await createSmallNetwork(sql, instance.apiUrl);
  venueWorkspace = (await network.venue.get<{ workspace: { id: string } }>('/v1/me')).workspace.id;
}, 180_000);
afterAll(async () => {
  await instance?.remove();
  rmSync(scratch, { recursive: true, force: true });
});

/** A page's commands run from the repository, as its reader runs them, with what stands for its placeholders. */
async function runPage(page: string, commands: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  return runScript(basename(page), {
    commands: commands.join('\n'),
    folder: scratch,
    cwd: ROOT,
    env: { DATA_DIR: instance.dataDir, PUBLIC_URL: instance.apiUrl, ...env },
  });
}

const commandsOf = (page: string): string[] => {
  const blocks = blocksOf(join(ROOT, page), 'sh');
  expect({ page, blocks }).not.toEqual({ page, blocks: [] });
  return blocks;
};

/** The commands with the ids in place of `ws_...`, each taken in its turn, the last one for all that follow. */
function filled(commands: string[], ids: Record<string, string[]>): string[] {
  let text = commands.join('\n');
  for (const [prefix, values] of Object.entries(ids)) {
    let at = 0;
    text = text.replaceAll(`${prefix}_...`, () => values[Math.min(at++, values.length - 1)]!);
  }
  expect(text).not.toContain('_...');
  return [text];
}

const brand = () => formatId('workspace', network.brandWorkspace);

test('a network is set up by the commands of Get started', { timeout: PAGE_MS_MAX }, async () => {
  const answers = await runPage('start.md', filled(commandsOf('docs/start.md'), { ws: [brand()] }));
  expect(answers).toMatch(/workspace_id: ws_/);
  expect(answers).toContain(`${instance.apiUrl}/console/accept`);
});

test('money is booked, and cases of payments are decided', { timeout: PAGE_MS_MAX }, async () => {
  const cases = [await addPaymentCase('refund', 're_1'), await addPaymentCase('dispute', 'du_1')];
  await runPage('payments.md', filled(commandsOf('docs/payments.md'), { ws: [brand()], pmc: cases }));
  const ends = await sql`select object_id, status, note from payment_cases order by handle`;
  expect(ends).toEqual([
    { object_id: 're_1', status: 'booked', note: null },
    { object_id: 'du_1', status: 'closed', note: 'paid back by hand' },
  ]);
});

test('an account of payouts is confirmed, or set by the operator', { timeout: PAGE_MS_MAX }, async () => {
  for (const iban of ['DE75512108001245126199', 'DE89370400440532013000']) await setAccount(iban);
  const balance = () => network.venue.get<{ account: unknown }>('/v1/payouts/account');
  const [confirm, set] = commandsOf('docs/payouts.md').join('\n').trim().split('\n');
  await runPage('payouts.md', filled([confirm!], { ws: [venueWorkspace] }));
  expect(await balance()).toMatchObject({ holder: 'Corner bars' });
  await runPage('payouts.md', filled([set!], { ws: [venueWorkspace] }));
  expect(await balance()).toMatchObject({ holder: 'My bars' });
});

test('figures of venues and sensing modules are decided about', { timeout: PAGE_MS_MAX }, async () => {
  const claims = [await claimCrowd(), await claimCrowd()];
  const { privateKey } = generateKeyPairSync('ed25519');
  const module = join(scratch, 'module.pem');
  writeFileSync(module, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const commands = filled(commandsOf('docs/venues.md'), { ws: [venueWorkspace], ven: claims });
  const answers = await runPage(
    'venues.md',
    commands.map(command => command.replace('module.pem', module)),
  );
  expect(JSON.parse(answers.split('\n').find(line => line.startsWith('{'))!)).toMatchObject({
    venues: claims.map(id => expect.objectContaining({ id })),
  });
  const states =
    await sql`select review_status, audience_max from venues where review_status is not null order by handle`;
  expect(states).toMatchObject([{ review_status: 'approved', audience_max: 400 }, { review_status: 'rejected' }]);
  expect(await sql`select serial, revoked_at is not null as revoked from sensors`).toEqual([
    { serial: 'MQ-7F3A-0042', revoked: true },
  ]);
});

test('a backup is taken and restored into databases without data', { timeout: PAGE_MS_MAX }, async () => {
  const [backup, restore] = commandsOf('docs/operate/backup.md').map(command =>
    command.replace('/backups/2026-11-21', join(scratch, 'backup')),
  );
  await runPage('backup.md', [backup!]);
  const [postgres, clickhouse] = [await freshPostgres(), await freshClickhouse()];
  try {
    await runPage('restore.md', [restore!], { DATABASE_URL: postgres.url, CLICKHOUSE_URL: clickhouse.url });
    const count = (of: Postgres) => of`select count(*)::int as workspaces from workspaces`;
    expect(await count(postgres.sql)).toEqual(await count(sql));
  } finally {
    await postgres.drop();
    await clickhouse.drop();
  }
});

/** Another account than before, so that withdrawals wait. */
async function setAccount(iban: string): Promise<void> {
  const { statusCode, body } = await request(`${instance.apiUrl}/v1/payouts/account`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${network.venueKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ holder: 'Corner bars', iban }),
  });
  expect({ statusCode, answer: await body.text() }).toMatchObject({ statusCode: 200 });
}

/** A venue of the test whose figures are above what is plausible, so that they wait. */
async function claimCrowd(): Promise<string> {
  const { id } = await network.venue.post<{ id: string }>('/v1/venues', {
    name: 'A crowded bar',
    type: 'entertainment.bars',
    city: 'Berlin',
    lat: 52.5,
    lng: 13.41,
    timezone: 'Europe/Berlin',
    daily_visitors: 100_000,
    dwell_minutes: 1_440,
  });
  return id;
}

/** What the provider's events leave of a top-up that was paid and then came back. */
async function addPaymentCase(kind: 'refund' | 'dispute', object: string): Promise<string> {
  const user = (await ownerOf(sql, network.brandWorkspace))!;
  const [row] = await sql<{ handle: Handle<'payment_case'> }[]>`
    with top_up as (
      insert into top_ups (workspace_handle, user_handle, book, currency, amount_micros, created_at, credited_at)
      values (${network.brandWorkspace}, ${user}, 'live', 'EUR', 50000000, now(), now()) returning handle
    ), checkout as (
      insert into checkouts (top_up_handle, reference, status, success_url, created_at, ended_at)
      select handle, ${object}, 'paid', 'https://example.com', now(), now() from top_up returning handle
    )
    insert into payment_cases (kind, object_id, checkout_handle, currency, amount_micros, status, created_at)
    select ${kind}, ${object}, handle, 'EUR', 50000000, 'open', now() from checkout returning handle`;
  return formatId('payment_case', row!.handle);
}
