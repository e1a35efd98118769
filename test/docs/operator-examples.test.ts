/**
 * The operator's commands of the documents work: those of each page run in their order on a whole instance, with the
 * ids of a workspace, venue or payment of the test in place of `ws_...` and so on. What a backup holds is restored into
 * databases without data.
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId, parseId, type Handle } from '#domain/id.ts';
import type { Postgres } from '#sql/postgres.ts';
import { createUser, ownerOf, removeUser } from '../../cli/operator.ts';
import { findOrInstall } from '../../engines/package-manager.ts';
import { freshClickhouse, freshPostgres } from '../support/engines/databases.ts';
import { startTestInstance, type TestInstance } from '../support/engines/instance.ts';
import {
  createCampaign,
  createReadyCreative,
  createSmallNetwork,
  eventually,
  pairScreen,
  type Network,
} from '../support/network.ts';
import { ScreenClient } from '../support/screen-client.ts';
import { ROOT } from '../support/architecture/source-files.ts';
import { blocksOf, filled, runScript } from './blocks.ts';
import { isNotRun } from './not-run.ts';

/** A command starts a process of some seconds on a busy machine, and a page has up to four of them. */
const PAGE_MS_MAX = 180_000;

let instance: TestInstance;
let sql: Postgres;
let network: Network;
let venueWorkspace: string;
const scratch = mkdtempSync(join(tmpdir(), 'marquee-operator-examples-'));

beforeAll(async () => {
  for (const program of ['openssl', 'jq']) await findOrInstall({ programs: [program], debian: program, brew: program });
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
async function runPage(page: string, commands: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  return runScript(basename(page), {
    commands,
    folder: scratch,
    cwd: ROOT,
    env: { DATA_DIR: instance.dataDir, PUBLIC_URL: instance.apiUrl, ...env },
  });
}

/** The blocks of commands of a page that a test may run, of which there is one at least. */
const commandsOf = (page: string): string[] => {
  const blocks = blocksOf(join(ROOT, page), 'sh').filter(text => !isNotRun({ page, text }));
  expect({ page, blocks }).not.toEqual({ page, blocks: [] });
  return blocks;
};

const brand = () => formatId('workspace', network.brandWorkspace);

test('the commands of Get started book a campaign and set up a network', { timeout: PAGE_MS_MAX }, async () => {
  const [book, ...setUp] = commandsOf('docs/start.md');
  await createReadyCreative(network.brand);
  const booking = book!.replace('http://127.0.0.1:8080', instance.apiUrl).replace('sk_live_...', network.brandKey);
  expect(await runPage('start.md', booking)).toContain('"as_of"');
  const answers = await runPage('start.md', filled(setUp, { ws: [brand()] }));
  expect(answers).toMatch(/workspace_id: ws_/);
  expect(answers).toContain(`${instance.apiUrl}/console/accept`);
});

test('an operator workspace is created, and a person invited', { timeout: PAGE_MS_MAX }, async () => {
  const answers = await runPage('roles.md', filled(commandsOf('docs/roles.md'), { ws: [brand()] }));
  expect(answers).toMatch(/workspace_id: ws_/);
  expect(answers).toContain(`${instance.apiUrl}/console/accept`);
});

test("the first commands on the page of the operator's tool run", { timeout: PAGE_MS_MAX }, async () => {
  const answers = await runPage('admin.md', commandsOf('docs/operate/admin.md').join(''));
  expect(answers).toContain('workspace create');
  expect(answers).toContain(brand());
});

test('places and rules are imported from the files on their page', { timeout: PAGE_MS_MAX }, async () => {
  const page = 'docs/operate/places-and-rules.md';
  const files = ['places.csv', 'rules.csv'];
  blocksOf(join(ROOT, page), 'csv').forEach((csv, at) => writeFileSync(join(scratch, files[at]!), csv));
  const commands = files.reduce((text, file) => text.replace(file, join(scratch, file)), commandsOf(page).join(''));
  const answers = await runPage('places-and-rules.md', commands);
  expect(answers).toContain('{"kind":"school","places":1}');
  expect(answers).toContain('"source":"Example Decree 12"');
  expect(answers).toContain('removed: Schools');
});

test('keys of proofs are listed and rotated, and the API publishes all of them', { timeout: PAGE_MS_MAX }, async () => {
  const published = async () => {
    const answer = await request(`${instance.apiUrl}/v1/proof-keys`);
    return ((await answer.body.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
  };
  const first = await eventually(async () => (await published())[0], 30_000);
  const answers = await runPage('invoice-proofs.md', commandsOf('docs/invoice-proofs.md').join(''));
  expect(answers).toContain(first);
  const [newest, ...older] = await published();
  expect(older).toEqual([first]);
  expect(answers).toContain(`kid: ${newest}`);
});

test('a person who has left is erased', { timeout: PAGE_MS_MAX }, async () => {
  const workspace = parseId('workspace', brand())!;
  const user = await createUser(sql, new Date(), { workspace, email: 'someone@example.com', role: 'viewer' });
  await removeUser(sql, new Date(), user);
  expect(await runPage('privacy.md', commandsOf('docs/operate/privacy.md').join(''))).toContain('erased: true');
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

test('figures of venues and sensing modules are decided', { timeout: PAGE_MS_MAX }, async () => {
  const claims = [await claimCrowd(), await claimCrowd()];
  const { privateKey } = generateKeyPairSync('ed25519');
  const module = join(scratch, 'module.pem');
  writeFileSync(module, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const commands = filled(commandsOf('docs/venues.md'), { ws: [venueWorkspace], ven: claims });
  const answers = await runPage('venues.md', commands.replace('module.pem', module));
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
  const [kept, backup, restore] = commandsOf('docs/operate/backup.md').map(command =>
    command.replace('/backups', join(scratch, 'backups')),
  );
  await runPage('kept.md', kept!);
  await runPage('backup.md', backup!);
  expect(readdirSync(join(scratch, 'backups'))).toHaveLength(2);
  const [postgres, clickhouse] = [await freshPostgres(), await freshClickhouse()];
  try {
    await runPage('restore.md', restore!, { DATABASE_URL: postgres.url, CLICKHOUSE_URL: clickhouse.url });
    const count = (of: Postgres) => of`select count(*)::int as workspaces from workspaces`;
    expect(await count(postgres.sql)).toEqual(await count(sql));
  } finally {
    await postgres.drop();
    await clickhouse.drop();
  }
});

test('the consistency check on the retention page finds nothing', { timeout: PAGE_MS_MAX }, async () => {
  expect(await runPage('durability.md', commandsOf('docs/operate/durability.md').join(''))).toContain('ok: true');
});

test('an upgrade lists its changes first', { timeout: PAGE_MS_MAX }, async () => {
  expect(await runPage('upgrade.md', commandsOf('docs/operate/upgrade.md').join(''))).toContain('up_to_date: true');
});

test('findings are shown, cleared and upheld', { timeout: PAGE_MS_MAX }, async () => {
  const findings = [await addFinding('pace'), await addFinding('even_times')];
  const [cleared, upheld] = findings;
  const commands = filled(commandsOf('docs/invalid-traffic.md'), { fnd: [cleared!, cleared!, upheld!] });
  const answers = await runPage('invalid-traffic.md', commands);
  for (const id of findings) expect(answers).toContain(id);
  expect(await sql`select status, note from findings order by handle`).toEqual([
    { status: 'cleared', note: 'football final' },
    { status: 'upheld', note: 'no such bar' },
  ]);
});

test('a play is shown with its outcome, and analysts count it', { timeout: PAGE_MS_MAX }, async () => {
  const play = await playOnce();
  const [verify, show] = commandsOf('docs/operate/runbook.md');
  expect(await runPage('runbook.md', verify!)).toContain('ok: true');
  expect(await runPage('runbook.md', show!.replace('AQAAAAAAAAAB...', play))).toMatch(/state: (counted|settled)/);
  const { url, password } = instance.clickhouse;
  const [ask] = commandsOf('docs/analysts.md');
  const asked = ask!.replace('PASSWORD', password).replace('http://127.0.0.1:8123', url);
  expect((await runPage('analysts.md', asked)).trim()).toBe('1');
});

test(
  'the secrets of the compose file are created, and a workspace in its container',
  { timeout: PAGE_MS_MAX },
  async () => {
    const [compose] = commandsOf('docs/operate/deploy.md');
    const folder = join(scratch, 'secrets');
    // There is no Docker in a test. Containers are up, and a command in one of them runs here.
    const docker = 'docker() { case "$2" in up) ;; exec) shift 3; "$@" ;; *) return 1 ;; esac; }';
    const commands = compose!.replace('make-secrets.sh', `make-secrets.sh ${folder}`);
    expect(await runPage('deploy.md', `${docker}\n${commands}`)).toMatch(/workspace_id: ws_/);
    expect(readdirSync(folder)).toContain('database_url');
  },
);

/** A play that was reported and has its row. */
async function playOnce(): Promise<string> {
  const creatives = [await createReadyCreative(network.brand)];
  const campaign = await createCampaign(network.brand, { creatives });
  const { token } = await pairScreen(network, instance.apiUrl);
  const { client } = await ScreenClient.connect(instance.deliveryUrl, token);
  const { play_id, starts_at: started_at, duration_ms: played_ms } = await client.fill(campaign);
  client.send({ t: 'plays', id: 1, plays: [{ play_id, started_at, played_ms }] });
  await client.next('ack', 1);
  client.close();
  await eventually(async () => {
    const { counters } = await network.brand.get<{ counters: { plays: number } }>(`/v1/campaigns/${campaign}`);
    return counters.plays === 1 ? true : undefined;
  }, 30_000);
  return play_id;
}

/** A finding about the venue that waits for the operator. */
async function addFinding(rule: string): Promise<string> {
  const [row] = await sql<{ handle: Handle<'finding'> }[]>`
    insert into findings (rule, rule_version, workspace_handle, venue_handle, from_at, to_at, first_day, last_day,
      evidence, status, raised_at, seen_at)
    select ${rule}, 1, workspace_handle, handle, now() - interval '2 hours', now() - interval '1 hour', current_date,
      current_date, '{}', 'open', now(), now() from venues where handle = ${parseId('venue', network.venueId)!}
    returning handle`;
  return formatId('finding', row!.handle);
}

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
