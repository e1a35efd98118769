/**
 * Many of each service behind the balancer that is deployed: deploy/haproxy.cfg with the addresses of this machine.
 * Screens and clients know one address each. Real engines and processes, which are restarted in turn under load.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once, EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { own } from '#engines/processes/owned.ts';
import { findOrInstall } from '#engines/package-manager.ts';
import { MICROS_PER_UNIT } from '#domain/money/money.ts';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { verifyInstance } from '../../cli/admin/running/checks.ts';
import { playKeyOf } from '../../cli/demo/play-key.ts';
import { seededRandom } from '../../cli/demo/seeded-random.ts';
import { freePort } from '../../cli/instance/free-port.ts';
import { createKey, fundWallet, ownerOf } from '../../cli/operator.ts';
import { SimulatedScreen, type SwarmEvents } from '../../cli/screen-swarm.ts';
import { Fleet, type MemberName } from '../fault/load/fleet.ts';
import { writeBalancerConfig } from '../support/engines/balancer.ts';
import { makeDataDir } from '../support/engines/engines.ts';
import {
  createCampaign,
  createReadyCreative,
  createSmallNetwork,
  eventually,
  pairScreen,
  type Network,
} from '../support/network.ts';
import { finalVerdict } from '../support/verdict.ts';

const MEMBERS: readonly MemberName[] = [
  'api-1',
  'api-2',
  'workers-1',
  'workers-2',
  'ingest-1',
  'ingest-2',
  'delivery-1',
  'delivery-2',
  'delivery-3',
  'delivery-4',
];
const SCREENS = 24;
const CHANCES = { drop: 0.01, repeat: 0.05, cannotPlay: 0.02, scan: 0 };
const UNANSWERED_MS_MAX = 1_000;

let fleet: Fleet;
let balancer: ChildProcess;
let apiUrl: string;
let sql: Postgres;
let clickhouse: Clickhouse;
let network: Network;
const campaigns: string[] = [];
const screens: SimulatedScreen[] = [];
const events = new EventEmitter<SwarmEvents>();
let acked = 0;
let waitedMs: number[] = [];

const named = (service: string) => MEMBERS.filter(name => name.startsWith(service));

const backendsOf = (service: 'api' | 'delivery', port: 'PORT' | 'DELIVERY_PORT') =>
  named(service).map(name => ({ name, port: fleet.port(name, port), opsPort: fleet.port(name, 'OPS_PORT') }));

beforeAll(async () => {
  const haproxy = await findOrInstall({ programs: ['haproxy'], debian: 'haproxy', brew: 'haproxy' });
  const ports = { api: await freePort(), sockets: await freePort(), numbers: await freePort() };
  apiUrl = `http://127.0.0.1:${ports.api}`;
  fleet = await Fleet.start({ members: MEMBERS, publicUrl: apiUrl });
  const config = writeBalancerConfig(makeDataDir(), {
    api: backendsOf('api', 'PORT'),
    delivery: backendsOf('delivery', 'DELIVERY_PORT'),
    ports,
  });
  balancer = spawn(haproxy, ['-db', '-f', config], { stdio: 'ignore' });
  await once(balancer, 'spawn');
  await own(balancer, 'program');
  sql = openPostgres(fleet.urls.databaseUrl, { connectionsMax: 2, applicationName: 'marquee-test' });
  clickhouse = openClickhouse(fleet.urls.clickhouseUrl, { application: 'marquee-test', connectionsMax: 2 });
  await eventually(
    async () =>
      request(`${apiUrl}/livez`).then(
        answer => answer.statusCode === 200 || undefined,
        () => undefined,
      ),
    60_000,
  );
  network = await createSmallNetwork(sql, apiUrl);
  await fundWallet(sql, new Date(), {
    workspace: network.brandWorkspace,
    amountMicros: 100_000 * MICROS_PER_UNIT,
    book: 'live',
  });
  const creative = await createReadyCreative(network.brand);
  // A campaign may be a hundredth ahead of its plan: of the large ones far more than is played here.
  for (const amount of [20_000, 20_000, 5])
    campaigns.push(await createCampaign(network.brand, { creatives: [creative], budget: { amount, currency: 'EUR' } }));
  events.on('acked', () => {
    acked += 1;
  });
  events.on('slot', slot => {
    const outcome = 'no_fill' in slot ? slot.no_fill : 'filled';
    slots[outcome] = (slots[outcome] ?? 0) + 1;
  });
  events.on('waited', ms => {
    waitedMs.push(ms);
  });
  for (let at = 0; at < SCREENS; at += 1) {
    const { token } = await pairScreen(network, apiUrl);
    screens.push(
      new SimulatedScreen({
        url: () => `ws://127.0.0.1:${ports.sockets}/v1/screens/socket`,
        token,
        platform: 'linux',
        random: seededRandom(at + 1),
        chances: CHANCES,
        events,
        pastEveryMs: 250,
      }),
    );
  }
  for (const screen of screens) screen.start();
}, 240_000);

afterAll(async () => {
  for (const screen of screens) screen.close();
  balancer?.kill('SIGTERM');
  await Promise.all([sql?.end({ timeout: 5 }), clickhouse?.close()]);
  await fleet?.stop();
}, 60_000);

const slots: Record<string, number> = {};
const untilAcked = (more: number) => {
  const from = acked;
  return eventually(async () => (acked >= from + more ? true : undefined), 60_000).catch((error: unknown) => {
    throw new Error(`${acked - from} plays acknowledged, slots so far: ${JSON.stringify(slots)}`, { cause: error });
  });
};
async function statusOf(path: string): Promise<number> {
  const answer = await request(`${apiUrl}${path}`, { headers: { authorization: `Bearer ${network.brandKey}` } });
  await answer.body.dump();
  return answer.statusCode;
}
const ackedPlays = () => screens.flatMap(screen => [...screen.log.acked.entries()]);

test('screens connect to every process, and a pause reaches all of them', async () => {
  await eventually(
    async () =>
      new Set(ackedPlays().map(([playId]) => playKeyOf(playId).split('.')[1])).size >= named('delivery').length
        ? true
        : undefined,
    60_000,
  );
  const paused = campaigns[0]!;
  await network.brand.patch(`/v1/campaigns/${paused}`, { status: 'paused' });
  await wait(2_000); // G14: an edit is everywhere within two seconds
  const fills: string[] = [];
  const note = (slot: { no_fill: string } | { campaign_id: string }): void => {
    if ('campaign_id' in slot) fills.push(slot.campaign_id);
  };
  events.on('slot', note);
  await untilAcked(200);
  events.off('slot', note);
  expect(fills.length).toBeGreaterThan(100);
  expect(fills).not.toContain(paused);
  await network.brand.patch(`/v1/campaigns/${paused}`, { status: 'live' });
}, 120_000);

test('all API processes share one rate limit', async () => {
  const user = (await ownerOf(sql, network.brandWorkspace))!;
  const { key } = await createKey(sql, new Date(), {
    workspace: network.brandWorkspace,
    user,
    surface: 'ads_manager',
    access: 'read_only',
    mode: 'live',
    per_minute_max: 30,
  });
  const call = async () => {
    const answer = await request(`${apiUrl}/v1/wallet`, { headers: { authorization: `Bearer ${key}` } });
    await answer.body.dump();
    return answer.statusCode;
  };
  const inMinuteMs = Date.now() % 60_000;
  if (inMinuteMs > 45_000) await wait(60_500 - inMinuteMs); // all calls within one clock minute
  const statuses: number[] = [];
  for (let round = 0; round < 10; round += 1) statuses.push(...(await Promise.all(Array.from({ length: 6 }, call))));
  expect(statuses.filter(status => status === 200)).toHaveLength(30);
  expect(statuses.filter(status => status === 429)).toHaveLength(30);
}, 120_000);

test('every process is restarted in turn under load: nothing is lost, nothing waits for more than a second, and no call fails', async () => {
  waitedMs = [];
  const over = new AbortController();
  const failed: string[] = [];
  const poll = (async () => {
    while (!over.signal.aborted) {
      const outcome = await statusOf(`/v1/campaigns/${campaigns[1]}`).catch((error: unknown) => String(error));
      if (outcome !== 200) failed.push(String(outcome));
      await wait(25);
    }
  })();
  for (const name of MEMBERS) {
    await fleet.restart(name);
    await untilAcked(50);
  }
  over.abort();
  await poll;
  for (const screen of screens) screen.stopAsking();
  const verdict = await finalVerdict({
    logs: screens.map(screen => screen.log),
    clickhouse,
    sql,
    isUnderWay: () => screens.some(screen => screen.unacked > 0),
    msMax: 60_000,
  });
  expect(verdict).toMatchObject({ lost: 0, doubleCounted: 0, overspent: 0 });
  expect(await verifyInstance(sql, fleet.urls)).toEqual({ ok: true, breaches: [] });
  expect(failed).toEqual([]);
  expect(Math.max(...waitedMs)).toBeLessThanOrEqual(UNANSWERED_MS_MAX);
}, 400_000);
