/**
 * An export of the audit holds every entry of the workspace, book and time asked for, once, behind a signed link or in
 * a bucket. The API and the export job run in this process on real engines, against a small S3 server; one test kills a
 * worker in a process of its own. Receivers that refuse, hang or send too much are servers of the test.
 */
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId } from '../../../domain/id.ts';
import type { Clickhouse } from '../../../sql/clickhouse.ts';
import { createSealer } from '../../../runtime/cryptography/sealed.ts';
import { createEgress, type Egress } from '../../../runtime/egress/egress.ts';
import { exportNext } from '../../../workers/exports/export-audit.ts';
import { startS3, type TestS3 } from '../../support/engines/s3.ts';
import { handle } from '../../support/handle.ts';
import { standIn } from '../../support/stand-in.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  type Answer,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';

/** A campaign that nobody has. */
const ABSENT = formatId('campaign', handle('campaign', 1));
const HOUR_MS = 3_600_000;
const SEALER = createSealer(Buffer.alloc(32));
/** A row of these tests has some 180 bytes. */
const PART_BYTES = 300_000;
let api: TestApi;
let s3: TestS3;
let endpoint: string;
let folder: string;
let egress: Egress;
let home: TestWorkspace;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-export-'));
  [api, s3] = await Promise.all([startApi(), startS3()]);
  endpoint = new URL(s3.storageUrl()).searchParams.get('endpoint')!;
  egress = createEgress({ allowPrivate: true });
  home = await createWorkspace(api);
  key = await createKey(api, home);
});
afterEach(() => {
  api.clock.offsetMs = 0;
});
afterAll(async () => {
  await egress.close();
  await s3.close();
  await api.close();
  await rm(folder, { recursive: true });
});

/**
 * Entries written straight to the table, numbered far above those that the API writes: the export has what the table
 * has.
 */
async function addEntries(workspace: number, count: number, userAgent = 'curl/8'): Promise<void> {
  await api.sql`
    insert into audit_entries (workspace_handle, number, at, actor_type, actor_handle, actor_email, source, action, entity_type, entity_handle, ip, user_agent, diff, hash)
    select ${workspace}, (select greatest(max(number), 1000000000) from audit_entries where workspace_handle = ${workspace}) + n, '2026-01-01'::timestamptz + n * interval '1 second', 'user', 1, 'someone@example.com', 'API',
      'campaign.paused', 'campaign', n, '192.0.2.7', ${userAgent}, jsonb_build_object('status', jsonb_build_object('from', 'live', 'to', 'paused')), '\\x00' from generate_series(1, ${count}::int) n`;
}

const ask = (destination: object, more: object = {}, as = key): Promise<Answer> =>
  api.call('POST', '/v1/audit/export', { key: as, body: { destination, ...more } });
const bucket = (changes: object = {}) => ({
  type: 's3',
  bucket: 'files',
  prefix: 'audit/',
  endpoint,
  access_key_id: 'S3RVER',
  secret_access_key: 'S3RVER',
  ...changes,
});
const poll = (id: string, as = key) => api.call('GET', `/v1/audit/export/${id}`, { key: as });
const work = (changes: object = {}) =>
  exportNext({
    sql: api.sql,
    clickhouse: api.clickhouse,
    storage: api.storage,
    sealer: SEALER,
    egress,
    allowPrivate: true,
    partBytes: PART_BYTES,
    now: () => new Date(api.clock.now()),
    signal: new AbortController().signal,
    ...changes,
  });
const credentialsLeft = async () => (await api.sql`select 1 from audit_exports where credentials is not null`).length;

/** A workspace with a change, a refused call and a read, all of which its list shows. */
async function workspaceWithCalls() {
  const as = await createKey(api, await createWorkspace(api));
  await api.call('GET', `/v1/campaigns/${ABSENT}`, { key: as });
  await api.call('GET', '/v1/campaigns', { key: as });
  const hook = { url: 'https://hooks.example.com/', events: ['campaign.created'] };
  expect((await api.call('POST', '/v1/webhooks', { key: as, body: hook })).status).toBe(201);
  const audited = async (query: string) =>
    dataOf(await api.call('GET', `/v1/audit${query}${query === '' ? '?' : '&'}sort=at&limit=100`, { key: as }));
  for (const action of ['campaign.refused', 'campaign.read'])
    await expect.poll(() => audited(`?action=${action}&include=reads`), { timeout: 10_000 }).toHaveLength(1);
  return { as, audited };
}

async function download(url: string): Promise<Answer> {
  const { pathname, search } = new URL(url);
  return api.call('GET', pathname + search);
}

async function readObject(id: string): Promise<string> {
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const { Body } = await client.send(new GetObjectCommand({ Bucket: 'files', Key: `audit/audit-${id}.csv` }));
  const text = await Body!.transformToString();
  client.destroy();
  return text;
}

const linesOf = (csv: string) => csv.split('\r\n').slice(0, -1);
const fileOf = async (id: string) => {
  const [row] = await api.sql<
    { object_name: string }[]
  >`select object_name from audit_exports where handle = ${parseId('audit_export', id)!}`;
  const chunks: Buffer[] = [];
  for await (const chunk of await api.storage.read(row!.object_name)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

describe('an export behind a signed link', () => {
  test('goes from queued to succeeded, with every entry once, oldest first, and a link for 24 hours', async () => {
    const asked = await ask({ type: 'signed_url' });
    expect(asked).toMatchObject({ status: 202, body: { job_id: expect.stringMatching(/^exp_/) } });
    const id = asked.body['job_id']!;
    expect((await poll(id)).body).toEqual({ job_id: id, status: 'queued', rows: 0 });
    await addEntries(home.handle, 5_000);
    expect(await work()).toBe(1);
    const done = (await poll(id)).body;
    expect(done).toMatchObject({
      status: 'succeeded',
      url: expect.stringMatching(/^http:\/\/api\.test\/exports\/exp_/),
    });
    const lines = linesOf(await fileOf(id));
    expect(lines[0]).toBe(
      'id,at,actor_type,actor_id,actor_email,action,entity_type,entity_id,source,ip,user_agent,diff,call_method,call_path,call_status,call_code,request_id',
    );
    expect(lines.length - 1).toBe(Number(done['rows']));
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.slice(1).map(line => line.split(',')[1])).toEqual(
      lines
        .slice(1)
        .map(line => line.split(',')[1])
        .sort(),
    );
    expect(lines[1]).toContain(
      `,campaign.paused,campaign,${formatId('campaign', handle('campaign', 1))},API,192.0.2.7,curl/8,"{""status"":{""to"":""paused"",""from"":""live""}}"`,
    );
    expect(Date.parse(done['expires_at']!) - api.clock.now()).toBeGreaterThan(23 * HOUR_MS);
    const forged = String(done['url']).replace(/signature=.{4}/, 'signature=AAAA');
    expect((await download(forged)).status).toBe(404);
    api.clock.offsetMs = 24 * HOUR_MS + 1_000;
    expect(await download(String(done['url']))).toMatchObject({ status: 410, body: { code: 'link_expired' } });
  });

  test('is downloaded as a file, and only with the link', async () => {
    const id = (await ask({ type: 'signed_url' })).body['job_id']!;
    await work();
    const { pathname, search } = new URL(String((await poll(id)).body['url']));
    const file = await api.call('GET', pathname + search);
    expect([
      file.status,
      file.headers['content-type'],
      file.headers['content-disposition'],
      file.headers['cache-control'],
    ]).toEqual([200, 'text/csv; charset=utf-8', `attachment; filename="audit-${id}.csv"`, 'private, no-store']);
    expect(file.raw.toString()).toBe(await fileOf(id));
    const marked = await api.call('GET', `${pathname}${search}&bom=1`);
    expect([marked.raw.toString(), marked.headers['content-length']]).toEqual([
      `\ufeff${await fileOf(id)}`,
      String(marked.raw.length),
    ]);
    for (const query of ['', '?expires=9999999999999&signature=x', search.replace('expires=', 'expires=9')])
      expect((await api.call('GET', pathname + query)).status).not.toBe(200);
  });

  test('holds only the workspace, the book and the time that were asked for', async () => {
    const other = await createWorkspace(api);
    const as = await createKey(api, other);
    await addEntries(other.handle, 100);
    const id = (await ask({ type: 'signed_url' }, { from: '2026-01-01T00:00:11Z', to: '2026-01-01T00:00:20Z' }, as))
      .body['job_id']!;
    await work();
    expect((await poll(id, as)).body).toMatchObject({ status: 'succeeded', rows: 10 });
    const sandbox = await createKey(api, other, { mode: 'test' });
    const empty = (await ask({ type: 'signed_url' }, { to: '2026-01-02' }, sandbox)).body['job_id']!;
    await work();
    expect((await poll(empty, sandbox)).body).toMatchObject({ status: 'succeeded', rows: 0 });
    for (const stranger of [key, as]) expect((await poll(empty, stranger)).status).toBe(404);
  });

  test.each([
    ['', {}],
    ['?include=reads', { include: 'reads' }],
    ['?kind=calls', { kind: 'calls' }],
    ['?kind=changes', { kind: 'changes' }],
    ['?action=campaign.refused', { action: 'campaign.refused' }],
    ['?entity=campaign&include=reads', { entity: 'campaign', include: 'reads' }],
    [`?entity_id=${ABSENT}`, { entity_id: ABSENT }],
    ['?actor=someone@example.com&source=API', { actor: 'Someone@EXAMPLE.com', source: 'API' }],
    ['?actor=operator', { actor: 'operator' }],
  ])('holds what GET /v1/audit%s lists, oldest first', async (query, filter) => {
    const { as, audited } = await workspaceWithCalls();
    const listed = await audited(query);
    const times = listed.map(entry => entry['at']);
    expect(times).toEqual(times.toSorted());
    const id = (await ask({ type: 'signed_url' }, filter, as)).body['job_id']!;
    await work();
    const lines = linesOf(await fileOf(id)).slice(1);
    const own = (text: string) => /\b(audit|audit_export)\.(created|called|read)\b/.test(text);
    expect(lines.filter(line => !own(line)).map(line => line.split(',')[0])).toEqual(
      listed.filter(entry => !own(String(entry['action']))).map(entry => entry['id']),
    );
    const call = query === '?kind=calls' ? `,{},GET,/v1/campaigns/${ABSENT},404,not_found,req_` : '';
    expect(lines[0] ?? '').toContain(call);
  });

  test('waits for ClickHouse if it holds calls, and does not if it holds changes alone', async () => {
    const { as } = await workspaceWithCalls();
    const clickhouse = standIn<Clickhouse>({ query: () => Promise.reject(new Error('connect ECONNREFUSED')) });
    const waiting = (await ask({ type: 'signed_url' }, {}, as)).body['job_id']!;
    await work({ clickhouse });
    expect((await poll(waiting, as)).body).toMatchObject({ status: 'queued', error: { code: 'log_unavailable' } });
    const changes = (await ask({ type: 'signed_url' }, { kind: 'changes' }, as)).body['job_id']!;
    await work({ clickhouse });
    expect((await poll(changes, as)).body).toMatchObject({ status: 'succeeded' });
    api.clock.offsetMs = 10 * 60_000;
    await work();
    expect((await poll(waiting, as)).body).toMatchObject({ status: 'succeeded' });
  });

  test('escapes text that a spreadsheet would run as a formula', async () => {
    const other = await createWorkspace(api);
    const as = await createKey(api, other);
    for (const agent of [
      "=cmd|' /C calc'!A0",
      '+1+1',
      '-2+3',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      '＝1',
      'plain, "quoted"\nline',
    ])
      await addEntries(other.handle, 1, agent);
    const id = (await ask({ type: 'signed_url' }, { to: '2026-01-02' }, as)).body['job_id']!;
    await work();
    const text = await fileOf(id);
    expect(text).not.toMatch(/(^|,|\r\n)"?(?!\r\n)[=+\-@\t\r＝]/);
    for (const cell of ["'=cmd", "'+1+1", "'-2+3", "'@SUM", '"\'\r=1"']) expect(text).toContain(cell);
    expect(text).toContain('"plain, ""quoted""\nline"');
  });
});

describe('an export to a bucket', () => {
  test.each(['s3', 'gcs'])('of type %s arrives in parts, and its credentials are gone with its end', async type => {
    const other = await createWorkspace(api);
    const as = await createKey(api, other);
    await addEntries(other.handle, 7_000);
    const id = (await ask(bucket({ type }), { to: '2026-01-03' }, as)).body['job_id']!;
    expect(await credentialsLeft()).toBe(1);
    expect(JSON.stringify(await api.sql`select * from audit_exports`)).not.toContain('S3RVER');
    expect(
      JSON.stringify(await api.sql`select diff from audit_entries where entity_type = 'audit_export'`),
    ).not.toMatch(/S3RVER|secret/);
    await work();
    expect((await poll(id, as)).body).toEqual({ job_id: id, status: 'succeeded', rows: 7_000 });
    expect(await credentialsLeft()).toBe(0);
    const lines = linesOf(await readObject(id));
    expect([lines.length, new Set(lines).size]).toEqual([7_001, 7_001]);
  });

  test('continues after its last part in another worker if its worker is killed', async () => {
    const other = await createWorkspace(api);
    const as = await createKey(api, other);
    await addEntries(other.handle, 9_000);
    const id = (await ask(bucket(), { to: '2026-01-03' }, as)).body['job_id']!;
    const child = fork(join(import.meta.dirname, '../../fault/load/export-worker.ts'), {
      execArgv: ['--import', 'tsx'],
      env: {
        ...process.env,
        DATABASE_URL: api.engines.databaseUrl,
        CLICKHOUSE_URL: api.engines.clickhouseUrl,
        STORAGE_URL: pathToFileURL(folder).href,
        PART_BYTES: String(PART_BYTES),
        FAULT: 'export.after_part_recorded',
      },
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    expect((await poll(id, as)).body).toMatchObject({ status: 'running' });
    const [before] = await api.sql<
      { rows: number; parts: number }[]
    >`select (upload->>'rows')::int as rows, jsonb_array_length(upload->'parts') as parts from audit_exports where handle = ${parseId('audit_export', id)!}`;
    expect([before!.parts, before!.rows > 0 && before!.rows < 9_000]).toEqual([1, true]);
    expect(await work()).toBe(0); // the dead one's lease still stands
    api.clock.offsetMs = 60_000;
    await work();
    api.clock.offsetMs = 0;
    expect((await poll(id, as)).body).toEqual({ job_id: id, status: 'succeeded', rows: 9_000 });
    const lines = linesOf(await readObject(id));
    expect([lines.length, new Set(lines).size]).toEqual([9_001, 9_001]);
  });

  test('fails with the error code of a bucket that refuses; an unreachable bucket is retried first', async () => {
    const denied = (await ask(bucket({ secret_access_key: 'wrong' }))).body['job_id']!;
    const absent = (await ask(bucket({ bucket: 'nobodys' }))).body['job_id']!;
    for (let round = 0; round < 2; round += 1) await work();
    expect((await poll(denied)).body).toMatchObject({
      status: 'failed',
      error: { code: 'destination_refused', detail: 'The bucket answered 403 SignatureDoesNotMatch.' },
    });
    expect((await poll(absent)).body).toMatchObject({
      status: 'failed',
      error: { code: 'destination_refused', detail: 'The bucket answered 404 NoSuchBucket.' },
    });
    const away = (await ask(bucket({ endpoint: 'http://127.0.0.1:1' }))).body['job_id']!;
    await work();
    expect((await poll(away)).body).toMatchObject({ status: 'queued', error: { code: 'destination_unreachable' } });
    expect(await work()).toBe(0);
    for (let attempt = 2; attempt <= 5; attempt += 1) {
      api.clock.offsetMs += 10 * 60_000;
      expect([attempt, await work()]).toEqual([attempt, 1]);
    }
    expect((await poll(away)).body).toMatchObject({ status: 'failed', error: { code: 'destination_unreachable' } });
    expect(await credentialsLeft()).toBe(0);
  });

  test('does not connect to an address inside the network', async () => {
    const asked: string[] = [];
    const guarded = createEgress({
      allowPrivate: false,
      resolve: async name => {
        asked.push(name);
        return ['10.0.0.7'];
      },
    });
    const id = (await ask(bucket({ endpoint: 'https://s3.inside.example.com' }))).body['job_id']!;
    await work({ egress: guarded, allowPrivate: false });
    await guarded.close();
    expect((await poll(id)).body).toMatchObject({ status: 'failed', error: { code: 'address_forbidden' } });
    expect(asked.length).toBeGreaterThan(0);
  });

  test.each<[string, RequestListener, string]>([
    [
      'sends without end',
      (_request, response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
        };
        response.on('drain', more);
        more();
      },
      'destination_unreachable',
    ],
    [
      'redirects',
      (_request, response) => response.writeHead(301, { location: 'http://169.254.169.254/' }).end(),
      'destination_refused',
    ],
  ])('fails if the bucket %s, without using memory', async (_name, listener, code) => {
    const server: Server = createServer(listener);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const id = (await ask(bucket({ endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))).body[
      'job_id'
    ]!;
    const before = process.memoryUsage().rss;
    await work();
    expect(process.memoryUsage().rss - before).toBeLessThan(300e6);
    expect((await poll(id)).body).toMatchObject({ error: { code } });
    await api.sql`update audit_exports set status = 'failed', credentials = null, finished_at = now() where finished_at is null`;
    server.closeAllConnections();
    server.close();
  });
});

describe('a request for an export', () => {
  test.each<[string, object, string, string]>([
    ['no destination', {}, '/destination', 'required'],
    ['an unknown type', { destination: { type: 'ftp' } }, '/destination/type', 'not_allowed'],
    [
      'a bucket for a link',
      { destination: { type: 'signed_url', bucket: 'files' } },
      '/destination/bucket',
      'unknown_field',
    ],
    [
      'no bucket',
      { destination: { type: 's3', access_key_id: 'a', secret_access_key: 'b' } },
      '/destination/bucket',
      'required',
    ],
    [
      'no secret',
      { destination: { type: 'gcs', bucket: 'files', access_key_id: 'a' } },
      '/destination/secret_access_key',
      'required',
    ],
    [
      'a bucket that is a path',
      { destination: { type: 's3', bucket: '../x', access_key_id: 'a', secret_access_key: 'b' } },
      '/destination/bucket',
      'bad_format',
    ],
    [
      'an endpoint that is none',
      { destination: { type: 's3', bucket: 'files', endpoint: 'ftp://x', access_key_id: 'a', secret_access_key: 'b' } },
      '/destination/endpoint',
      'not_allowed',
    ],
    ['a day that is none', { destination: { type: 'signed_url' }, from: '2026-02-31T99:99Z' }, '/from', 'bad_date'],
    ['an id that is none', { destination: { type: 'signed_url' }, entity_id: 'cmp_1' }, '/entity_id', 'bad_format'],
    ['an actor that is none', { destination: { type: 'signed_url' }, actor: 'me' }, '/actor', 'bad_format'],
    ['a 30 February', { destination: { type: 'signed_url' }, from: '2026-02-30' }, '/from', 'bad_date'],
    ['an end on a 31 June', { destination: { type: 'signed_url' }, to: '2026-06-31T10:00Z' }, '/to', 'bad_date'],
    [
      'an end before its start',
      { destination: { type: 'signed_url' }, from: '2026-01-02', to: '2026-01-01' },
      '/to',
      'out_of_range',
    ],
  ])('is refused with %s', async (_name, body, pointer, code) => {
    expect(await api.call('POST', '/v1/audit/export', { key, body })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer, code }] },
    });
  });

  test('is in the audit log and has a limit of 50 per minute', async () => {
    const ordinary = await createKey(api, home, { perMinuteMax: 600 });
    const asked = await ask({ type: 'signed_url' }, { from: '2026-01-01' }, ordinary);
    expect(asked.headers['x-ratelimit-limit']).toBe('50');
    const [entry] = dataOf(await api.call('GET', `/v1/audit?entity_id=${asked.body['job_id']}`, { key }));
    expect(entry).toMatchObject({
      action: 'audit_export.created',
      diff: { destination: { to: { type: 'signed_url' } }, from: { to: '2026-01-01T00:00:00.000Z' } },
    });
    expect((await poll('exp_0000000000000')).status).toBe(404);
  });

  test('is refused while 100 exports of its mode are pending, whatever the other mode has', async () => {
    const own = await createWorkspace(api);
    await api.sql`
      insert into audit_exports (workspace_handle, sandbox, destination, from_at, to_at, run_at, created_at)
      select ${own.handle}, true, '{"type": "signed_url"}', now(), now(), now(), now() from generate_series(1, 100)`;
    const as = (mode: 'live' | 'test') => createKey(api, own, { mode });
    expect(await ask({ type: 'signed_url' }, {}, await as('test'))).toMatchObject({
      status: 409,
      body: { code: 'state_conflict' },
    });
    expect((await ask({ type: 'signed_url' }, {}, await as('live'))).status).toBe(202);
    await api.sql`
      update audit_exports set status = 'failed', finished_at = now() where workspace_handle = ${own.handle}`;
  });

  test('is fair between workspaces: the first export of one comes before the second of another', async () => {
    await api.sql`update audit_exports set status = 'failed', credentials = null, finished_at = now() where finished_at is null`;
    const stranger = await createWorkspace(api);
    const as = await createKey(api, stranger);
    const [first, second] = [await ask({ type: 'signed_url' }), await ask({ type: 'signed_url' })];
    const alone = await ask({ type: 'signed_url' }, {}, as);
    await api.sql`update audit_exports set lease = 'x', lease_until = now() + interval '1 minute', status = 'running' where handle = ${parseId('audit_export', first.body['job_id']!)!}`;
    await work();
    expect([
      String((await poll(alone.body['job_id']!, as)).body['status']),
      String((await poll(second.body['job_id']!)).body['status']),
    ]).toEqual(['succeeded', 'queued']);
  });
});
