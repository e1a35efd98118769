/**
 * A backup becomes an instance again: `npm start -- --restore` on a folder that holds the secrets and the files of the
 * instance that was lost. Both run with engines of their own, on Linux.
 */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, type Client } from '../../cli/demo/client.ts';
import { Command } from '../support/command.ts';
import { startTestInstance, type TestInstance } from '../support/engines/instance.ts';
import {
  createCampaign,
  createReadyCreative,
  createSmallNetwork,
  eventually,
  pairScreen,
  type Network,
  type PairedScreen,
} from '../support/network.ts';
import { ScreenClient } from '../support/screen-client.ts';

/** An instance is started and ended, then another one, on a machine that has other work. */
const CASE_MS_MAX = 300_000;
/** The workers wait for 15 s before they rebuild what Redis held. */
const REBUILT_MS_MAX = 60_000;
const PLAYS = 3;

type Totals = { plays: number; impressions: number; spend: { amount: number } };
type Report = { totals: Totals };
type Ready = { api: string; delivery: string };

let network: Network;
let screen: PairedScreen;
let campaign: string;
let backup: string;
let command: Command;
let before: Report;

const reportOf = async (brand: Client): Promise<Report> => {
  const { as_of: _, ...report } = await brand.get<Report & { as_of: string }>(`/v1/reporting/campaigns/${campaign}`);
  return report;
};

/** Plays one slot and tells it. */
async function playOnce(deliveryUrl: string): Promise<void> {
  const { client } = await ScreenClient.connect(deliveryUrl, screen.token);
  const { play_id, starts_at: started_at, duration_ms: played_ms } = await client.fill(campaign);
  client.send({ t: 'plays', id: 1, plays: [{ play_id, started_at, played_ms }] });
  await client.next('ack', 1);
  client.close();
}

const playsIn = (brand: Client, count: number): Promise<Report> =>
  eventually(async () => {
    const { counters } = await brand.get<{ counters: { plays: number } }>(`/v1/campaigns/${campaign}`);
    return counters.plays >= count ? reportOf(brand) : undefined;
  }, REBUILT_MS_MAX);

/** An instance with a campaign that has played, a backup of it, and a folder with its secrets and files. */
async function loseInstance(source: TestInstance): Promise<void> {
  network = await createSmallNetwork(source.sql, source.apiUrl);
  screen = await pairScreen(network, source.apiUrl);
  campaign = await createCampaign(network.brand, { creatives: [await createReadyCreative(network.brand)] });
  for (let play = 0; play < PLAYS; play += 1) await playOnce(source.deliveryUrl);
  before = await playsIn(network.brand, PLAYS);
  const admin = Command.run('admin', ['backup', '--out', join(source.dataDir, 'backup'), '--data-dir', source.dataDir]);
  expect({ ...(await admin.exit), said: admin.said }).toMatchObject({ code: 0 });
  command = admin;
  backup = join(admin.folder, 'backup');
  cpSync(join(source.dataDir, 'backup'), backup, { recursive: true });
  mkdirSync(join(admin.folder, 'data'));
  for (const kept of ['secrets.json', 'storage'])
    cpSync(join(source.dataDir, kept), join(admin.folder, 'data', kept), { recursive: true });
}

const startWith = (from: string): Command =>
  command.runAgain('start', ['--port', '0', '--delivery-port', '0', '--restore', from]);

describe.runIf(process.platform === 'linux')('npm start -- --restore', () => {
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
    'refuses a folder without a backup and accepts one with a backup: the report is the same, and screens keep playing',
    async () => {
      const wrong = startWith(command.folder);
      expect((await wrong.exit).code).toBe(1);
      expect(wrong.said).toContain(`${command.folder} holds no complete backup`);

      const started = startWith(backup);
      await started.saying('"event":"ready"');
      const { api, delivery } = JSON.parse(
        started.said.split('\n').find(line => line.startsWith('{"event":"ready"'))!,
      ) as Ready;
      const brand = createClient(api, network.brandKey);
      expect(await reportOf(brand)).toEqual(before);
      await eventually(
        () =>
          playOnce(delivery).then(
            () => true,
            () => undefined,
          ),
        REBUILT_MS_MAX,
      ); // once it is rebuilt
      expect((await playsIn(brand, PLAYS + 1)).totals.spend.amount).toBeGreaterThan(before.totals.spend.amount);
      started.signalGroup('SIGINT');
      expect((await started.exit).code).toBe(0);
    },
    CASE_MS_MAX,
  );

  test(
    'is suggested to an operator who tries to restore under running services',
    async () => {
      const plain = command.runAgain('start', [
        '--port',
        '0',
        '--delivery-port',
        '0',
        '--data-dir',
        `${command.folder}/empty`,
      ]);
      await plain.saying('"event":"ready"');
      const restore = command.runAgain('admin', ['restore', '--from', backup, '--data-dir', `${command.folder}/empty`]);
      expect((await restore.exit).code).toBe(2);
      expect(restore.said).toContain(`npm start -- --restore ${backup}`);
      plain.signalGroup('SIGINT');
      expect((await plain.exit).code).toBe(0);
    },
    CASE_MS_MAX,
  );

  test(
    'refuses a folder with data, and leaves it unchanged',
    async () => {
      const again = startWith(backup);
      expect((await again.exit).code).toBe(1);
      expect(again.said).toContain('no data, and Postgres has workspaces');
      const plain = command.runAgain('start', ['--port', '0', '--delivery-port', '0']);
      await plain.saying('"event":"ready"');
      plain.signalGroup('SIGINT');
      expect((await plain.exit).code).toBe(0);
    },
    CASE_MS_MAX,
  );
});
