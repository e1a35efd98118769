/** What an operator has: metrics of every process, and the tool, on a whole instance. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '#domain/id.ts';
import { parseSigningKeys, decodePlayId } from '#domain/plays/play.ts';
import type { Postgres } from '#sql/postgres.ts';
import { startTestInstance, type TestInstance } from '../support/engines/instance.ts';
import { handle } from '../support/handle.ts';
import {
  createCampaign,
  createCreative,
  createSmallNetwork,
  eventually,
  pairScreen,
  type Network,
  type PairedScreen,
} from '../support/network.ts';
import { queriesOf, readAlerts, readDashboards, selectorsOf } from '../support/engines/prometheus.ts';
import { ScreenClient, type Fill } from '../support/screen-client.ts';
import { programOf } from '../../runtime/programs/program.ts';

let instance: TestInstance;
let sql: Postgres;
let network: Network;
let screen: PairedScreen;
let campaign: string;

beforeAll(async () => {
  instance = await startTestInstance();
  ({ sql } = instance);
  network = await createSmallNetwork(sql, instance.apiUrl);
  screen = await pairScreen(network, instance.apiUrl);
  campaign = await createCampaign(network.brand, { creatives: [await createCreative(network.brand)] });
}, 180_000);
afterAll(async () => {
  await instance?.remove();
});

const run = promisify(execFile);
async function admin(...words: string[]): Promise<{ code: number; result: Record<string, unknown>; stderr: string }> {
  const { DATABASE_URL: _1, REDIS_URL: _2, CLICKHOUSE_URL: _3, ...env } = process.env;
  const { file, execArgv } = programOf('cli/admin/admin.ts');
  const {
    code = 0,
    stdout,
    stderr,
  } = (await run(process.execPath, [...execArgv, file, ...words, '--json', '--data-dir', instance.dataDir], {
    env,
  }).catch((error: { code: number; stdout: string; stderr: string }) => error)) as {
    code?: number;
    stdout: string;
    stderr: string;
  };
  return { code, result: stdout === '' ? {} : (JSON.parse(stdout) as Record<string, unknown>), stderr };
}

let messageId = 0;
const report = async (client: ScreenClient, fill: Fill, playedMs = fill.duration_ms): Promise<unknown> => {
  const id = ++messageId;
  client.send({ t: 'plays', id, plays: [{ play_id: fill.play_id, started_at: fill.starts_at, played_ms: playedMs }] });
  return (await client.next('ack', id))['refused'];
};
const showPlay = async (playId: string) => (await admin('play', 'show', playId)).result;

/** The samples of every process: name and labels. */
async function scrape(): Promise<{ declared: Set<string>; samples: { name: string; labels: Set<string> }[] }> {
  const texts = await Promise.all(
    Object.values(instance.ops())
      .flat()
      .map(async url => (await fetch(`${url}/metrics`)).text()),
  );
  const lines = texts.flatMap(text => text.split('\n'));
  const declared = new Set(lines.filter(line => line.startsWith('# TYPE ')).map(line => line.split(' ')[2]!));
  const samples = lines
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const [, name, labels = ''] = /^([a-z0-9_]+)(?:\{(.*)\})? /.exec(line)!;
      return { name: name!, labels: new Set([...labels.matchAll(/(\w+)="/g)].map(match => match[1]!)) };
    });
  return { declared, samples };
}

/** What Prometheus adds to each series. */
const ADDED = new Set(['job', 'instance']);

describe('the metrics of all processes', () => {
  test('have the series of every alert, with the labels that it asks for', async () => {
    await network.brand.get('/v1/campaigns');
    const { samples } = await scrape();
    const missing = readAlerts()
      .flatMap(group => group.rules)
      .flatMap(rule => selectorsOf(rule.expr).map(selector => ({ alert: rule.alert, ...selector })))
      .filter(
        ({ name, labels }) =>
          name !== 'up' &&
          !samples.some(
            sample => sample.name === name && labels.every(label => ADDED.has(label) || sample.labels.has(label)),
          ),
      );
    expect(missing).toEqual([]);
  });

  test('have the series of every panel', async () => {
    const { declared, samples } = await scrape();
    const isThere = ({ name, labels }: { name: string; labels: string[] }): boolean => {
      const found = samples.filter(sample => sample.name === name);
      // nothing of its kind has happened
      if (found.length === 0) return declared.has(name.replace(/_(bucket|count|sum)$/, '')) || declared.has(name);
      return found.some(sample => labels.every(label => ADDED.has(label) || sample.labels.has(label)));
    };
    const missing = [...readDashboards()]
      .flatMap(([service, dashboard]) =>
        queriesOf(dashboard)
          .flatMap(selectorsOf)
          .map(selector => ({ service, ...selector })),
      )
      .filter(selector => !isThere(selector));
    expect(missing).toEqual([]);
  });

  test('are the ones that the runbook names', async () => {
    const { declared } = await scrape();
    const text = readFileSync(join(import.meta.dirname, '../../docs/operate/runbook.md'), 'utf8');
    const named = [...text.matchAll(/\b(?:api|delivery|ingest|workers)_[a-z_]+\b/g)].map(match => match[0]);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(name => !declared.has(name))).toEqual([]);
  });

  test('say how long things wait, soon after the start', async () => {
    const measured = await eventually(async () => {
      const [workers] = instance.ops()['workers']!;
      const text = await (await fetch(`${workers}/metrics`)).text();
      const at = [...text.matchAll(/^workers_measured_at_seconds\{what="(\w+)"\} (\S+)/gm)].map(([, , value]) =>
        Number(value),
      );
      return at.length === 3 &&
        at.every(value => value > 0) &&
        /^workers_redis_used_bytes [1-9]/m.test(text) &&
        /^workers_clickhouse_disk_free_ratio 0\.\d/m.test(text)
        ? text
        : undefined;
    }, 60_000);
    expect(Number(/^workers_freshness_seconds (\S+)/m.exec(measured)![1])).toBeLessThan(60);
  });
});

describe('a play followed from screen to charge', () => {
  test('is not reported, then settled, with its batch, group, row and cost', async () => {
    const { client } = await ScreenClient.connect(instance.deliveryUrl, screen.token);
    const fill = await client.fill();
    const facts = decodePlayId(fill.play_id, parseSigningKeys(instance.secrets.signingKeys))!;
    expect(await showPlay(fill.play_id)).toMatchObject({
      state: 'not_reported',
      signature: 'good',
      campaign_id: campaign,
      screen_id: screen.id,
      venue_id: network.venueId,
      issue_number: facts.issueNumber,
      issued_by: { node: 'node-1' },
      counted: false,
      released: false,
      batch: null,
      rows: [],
      charge: null,
      dead_letters: [],
    });
    expect(await report(client, fill)).toEqual([]);
    const shown = await eventually(async () => {
      const seen = await showPlay(fill.play_id);
      return seen['state'] === 'settled'
        ? (seen as {
            reserved_micros: number;
            rows: { group: string; batch: string; cost_micros: number }[];
            group: string;
          } & Record<string, unknown>)
        : undefined;
    }, 60_000);
    const [row] = shown.rows;
    expect(shown).toMatchObject({
      counted: true,
      released: false,
      batch: { id: row!.batch, complete: true, group: row!.group },
      group: row!.group,
      charge: { cost_micros: row!.cost_micros, group_plays: 1, group_amount_micros: row!.cost_micros },
    });
    expect(row!.cost_micros).toBe(shown.reserved_micros);
    client.close();
  }, 180_000);

  test('is shown as given back when it was cut short, which its screen was told and the metrics count', async () => {
    const { client } = await ScreenClient.connect(instance.deliveryUrl, screen.token);
    const fill = await client.fill();
    expect(await report(client, fill, 100)).toEqual([{ play_id: fill.play_id, reason: 'too_short' }]);
    client.close();
    const [delivery] = instance.ops()['delivery']!;
    expect(await (await fetch(`${delivery}/metrics`)).text()).toMatch(
      /^delivery_refused_plays_total\{reason="too_short"\} [1-9]/m,
    );
    await eventually(
      async () => ((await showPlay(fill.play_id))['state'] === 'given_back_or_lapsed' ? true : undefined),
      60_000,
    );
  }, 180_000);

  test('cannot be shown by an id that nobody signed', async () => {
    const { code, stderr } = await admin('play', 'show', 'A'.repeat(104));
    expect([code, stderr]).toEqual([2, expect.stringContaining('signed by none of the keys')]);
  });
});

describe('admin job', () => {
  test('lists every job that the workers run', async () => {
    const { result } = await admin('job', 'list');
    const [workers] = instance.ops()['workers']!;
    const running = [
      ...(await (await fetch(`${workers}/metrics`)).text()).matchAll(/^workers_job_faults_total\{name="([^"]+)"\}/gm),
    ].map(match => match[1]);
    expect((result['jobs'] as { name: string }[]).map(job => job.name).sort()).toEqual(running.sort());
  });

  test('runs one now, and the check of all invariants leaves its report', async () => {
    const before = await sql`select 1 from verifications`;
    expect(await admin('job', 'run', 'verify-invariants')).toMatchObject({
      code: 0,
      result: { job: 'verify-invariants', did: 1 },
    });
    const rows = await sql<
      { breaches: number; report: object }[]
    >`select breaches, report from verifications order by began_at desc`;
    expect(rows.length).toBe(before.length + 1);
    expect(rows[0]).toEqual({ breaches: 0, report: { breaches: [], unchecked: [] } });
  }, 120_000);

  test('waits for its turn while another process is at it', async () => {
    const connection = await sql.reserve();
    await connection`select pg_advisory_lock(7265002, 51)`;
    const running = admin('job', 'run', 'forget-codes');
    const { result } = await admin('job', 'list');
    expect(
      (result['jobs'] as { name: string; running: boolean }[]).find(job => job.name === 'forget-codes'),
    ).toMatchObject({ running: true });
    await connection`select pg_advisory_unlock(7265002, 51)`;
    connection.release();
    expect(await running).toMatchObject({ code: 0, result: { job: 'forget-codes', did: 0 } });
  }, 120_000);

  test.each([
    ['no-such-job', "There is no job 'no-such-job': rebuild-authority, hand-budgets"],
    ['wake-webhooks', 'wake-webhooks works on what a workers process holds'],
  ])('refuses %s', async (name, words) => {
    const { code, stderr } = await admin('job', 'run', name);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe('admin payout and admin finding', () => {
  test('set an account, confirm it, and say for how long earnings are held', async () => {
    const {
      result: { workspace_id: id },
    } = await admin('workspace', 'create', '--kind', 'venue', '--name', 'Bar', '--currency', 'EUR');
    const workspace = String(id);
    expect(await admin('payout', 'confirm-account', '--workspace', workspace)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no account'),
    });
    expect(
      await admin(
        'payout',
        'account',
        '--workspace',
        workspace,
        '--name',
        'A bar',
        '--iban',
        'DE89 3704 0044 0532 0130 00',
      ),
    ).toMatchObject({ code: 0, result: { workspace_id: workspace, iban: 'DE89370400440532013000' } });
    expect(await admin('payout', 'confirm-account', '--workspace', workspace)).toMatchObject({
      code: 0,
      result: { holder: 'A bar', iban_masked: 'DE****************3000' },
    });
    expect(await admin('workspace', 'update', workspace, '--earnings-hold-days', '3')).toMatchObject({
      code: 0,
      result: { id: workspace, earnings_hold_days: 3 },
    });
    expect(await admin('workspace', 'update', workspace)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--approval, --earnings-hold-days or both'),
    });
  }, 120_000);

  test('review what screens did, and list what was found', async () => {
    expect(await admin('job', 'run', 'review-traffic')).toMatchObject({
      code: 0,
      result: { job: 'review-traffic', did: 0 },
    });
    expect(await admin('finding', 'list', '--status', 'open')).toMatchObject({ code: 0, result: { findings: [] } });
    expect(await admin('finding', 'uphold', formatId('finding', handle('finding', 1)))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no finding'),
    });
    expect(await admin('finding', 'show')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`missing required argument 'finding'`),
    });
  }, 120_000);
});
