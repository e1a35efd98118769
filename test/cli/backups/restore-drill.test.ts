/**
 * A drill: backups are taken into one folder while screens play, the instance is lost, and a new one begins with the
 * newest backup. Its reports are those of the backup, and every check of `admin verify` holds. Both run with engines of
 * their own, on Linux.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Manifest } from '#audit/backup.ts';
import { createClient, type Client } from '../../../cli/demo/client.ts';
import { Command } from '../../support/command.ts';
import { startTestInstance, type TestInstance } from '../../support/engines/instance.ts';
import {
  createCampaign,
  createReadyCreative,
  createSmallNetwork,
  eventually,
  pairScreen,
  type Network,
} from '../../support/network.ts';
import { ScreenClient } from '../../support/screen-client.ts';

/** An instance is started and ended, then another one, on a machine that has other work. */
const CASE_MS_MAX = 600_000;
/** The workers wait for 15 s before they rebuild what Redis held. */
const REBUILT_MS_MAX = 90_000;
const SCREENS = 2;

type Figures = { plays: number; spend: number };

let network: Network;
let campaign: string;
let command: Command;
let backup: string;
let before: Figures;
let after: Figures;

async function figuresOf(brand: Client): Promise<Figures> {
  type Report = { totals: { plays: number; spend: { amount: number } } };
  const { plays, spend } = (await brand.get<Report>(`/v1/reporting/campaigns/${campaign}`)).totals;
  return { plays, spend: spend.amount };
}

/** Figures with at least so many plays. */
const figuresWith = (brand: Client, count: number): Promise<Figures> =>
  eventually(async () => {
    const figures = await figuresOf(brand);
    return figures.plays >= count ? figures : undefined;
  }, REBUILT_MS_MAX);

/** Screens that play one slot after another until the returned function is called, which resolves with their plays. */
async function startLoad({ apiUrl, deliveryUrl }: TestInstance): Promise<() => Promise<number>> {
  const load = new AbortController();
  const play = async (): Promise<number> => {
    const { token } = await pairScreen(network, apiUrl);
    const { client } = await ScreenClient.connect(deliveryUrl, token);
    let acknowledged = 0;
    while (!load.signal.aborted) {
      const { play_id, starts_at: started_at, duration_ms: played_ms } = await client.fill(campaign);
      const id = acknowledged + 1;
      client.send({ t: 'plays', id, plays: [{ play_id, started_at, played_ms }] });
      expect((await client.next('ack', id))['refused']).toEqual([]);
      acknowledged += 1;
    }
    client.close();
    return acknowledged;
  };
  const screens = Array.from({ length: SCREENS }, play);
  return async () => {
    load.abort();
    return (await Promise.all(screens)).reduce((sum, plays) => sum + plays, 0);
  };
}

async function backUp(source: TestInstance): Promise<void> {
  const args = ['backup', '--into', join(source.dataDir, 'backups'), '--keep', '1', '--data-dir', source.dataDir];
  const admin = command === undefined ? Command.run('admin', args) : command.runAgain('admin', args);
  expect({ ...(await admin.exit), said: admin.said }).toMatchObject({ code: 0 });
  command ??= admin;
}

/** Takes two backups under load, keeps what belongs with a backup, and lets the instance go. */
async function loseInstance(source: TestInstance): Promise<void> {
  network = await createSmallNetwork(source.sql, source.apiUrl);
  campaign = await createCampaign(network.brand, { creatives: [await createReadyCreative(network.brand)] });
  const stopLoad = await startLoad(source);
  await figuresWith(network.brand, SCREENS);
  await backUp(source);
  before = await figuresOf(network.brand);
  await backUp(source);
  const acknowledged = await stopLoad();
  after = await figuresWith(network.brand, acknowledged);
  const names = readdirSync(join(source.dataDir, 'backups'));
  expect(names).toHaveLength(1);
  backup = join(command.folder, names[0]!);
  cpSync(join(source.dataDir, 'backups', names[0]!), backup, { recursive: true });
  mkdirSync(join(command.folder, 'data'));
  for (const kept of ['secrets.json', 'storage'])
    cpSync(join(source.dataDir, kept), join(command.folder, 'data', kept), { recursive: true });
}

describe.runIf(process.platform === 'linux')('the newest of several backups that were taken under load', () => {
  beforeAll(async () => {
    const source = await startTestInstance();
    try {
      await loseInstance(source);
    } finally {
      await source.remove();
    }
  }, CASE_MS_MAX);
  afterAll(() => command?.remove());

  test(
    'becomes a consistent instance whose reports have the plays of the backup at their price',
    async () => {
      const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as Manifest;
      const saved = manifest.clickhouse
        .filter(({ table }) => table === 'plays_raw')
        .reduce((sum, { rows }) => sum + rows, 0);
      expect(saved).toBeGreaterThanOrEqual(before.plays);
      expect(saved).toBeLessThanOrEqual(after.plays);

      const started = command.runAgain('start', ['--port', '0', '--delivery-port', '0', '--restore', backup]);
      await started.saying('"event":"ready"');
      const ready = started.said.split('\n').find(line => line.startsWith('{"event":"ready"'))!;
      const brand = createClient((JSON.parse(ready) as { api: string }).api, network.brandKey);
      const restored = await figuresOf(brand);
      expect(restored.plays).toBe(saved);
      expect(restored.spend).toBeCloseTo((after.spend / after.plays) * saved, 6);

      const verdict = await eventually(async () => {
        const verify = command.runAgain('admin', ['verify', '--json']);
        await verify.exit;
        return verify.said.includes('"ok":true') ? verify.said : undefined;
      }, REBUILT_MS_MAX);
      expect(verdict).toContain('"breaches":[]');
      expect(await figuresOf(brand)).toEqual(restored);
      started.signalGroup('SIGINT');
      expect((await started.exit).code).toBe(0);
    },
    CASE_MS_MAX,
  );
});
