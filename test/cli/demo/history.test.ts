/**
 * The demo opens with five weeks of history: its roles see it through the API, the counters of the run leave it out,
 * and the consistency check finds the books in order. The demo runs as a command with engines of its own, and is found
 * through /proc, so on Linux.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, type Client } from '../../../cli/demo/client.ts';
import { programOf } from '../../../runtime/programs/program.ts';
import { makeTemporaryFolder } from '#engines/temporary-folder.ts';
import { removeOwnedPath } from '#engines/processes/owned.ts';
import { Command } from '../../support/command.ts';
import { eventually } from '../../support/network.ts';

const LINUX = process.platform === 'linux';
const START_MS_MAX = 260_000;
const DAY_MS = 86_400_000;
const [SCREENS, SCREENS_BY_DEFAULT] = [50, 200];
/** One of today, two of the history, and one that waits for a review. */
const CAMPAIGNS_OF_BRAND = 4;
/** Every screen asks for an ad as soon as it arrives; only the ads after it come at the usual rate. */
const [ARRIVED_MS, MEASURED_MS] = [30_000, 30_000];
const run = promisify(execFile);

type Ready = {
  api: string;
  keys: Record<'ads_manager' | 'screen_manager' | 'agency' | 'operator', string>;
  console: { brand: string };
};
type Progress = { at: number; plays_acked: number };
type Detail = { created_at: string; pacing: { ratio: number }; counters: { plays: number; scans: number } };
type Day = { day: string; plays: number };

let command: Command;
let folder: string;
let ready: Ready;
const as = (role: keyof Ready['keys']): Client => createClient(ready.api, ready.keys[role]);
const lineOf = <T>(event: string): T =>
  JSON.parse(command.said.split('\n').find(line => line.startsWith(`{"event":"${event}"`))!) as T;
const progressOf = (said: string): Progress[] =>
  said
    .split('\n')
    .slice(0, -1) // the last line may be incomplete
    .filter(line => line.startsWith('{"event":"progress"'))
    .map(line => JSON.parse(line) as Progress);
const isoDay = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

beforeAll(async () => {
  if (!LINUX) return;
  folder = makeTemporaryFolder('marquee-demo-history-');
  command = Command.run('demo', ['--json', '--screens', String(SCREENS), '--campaigns', '6', '--data-dir', folder]);
  await command.saying('"event":"progress"');
  ready = lineOf<Ready>('ready');
}, START_MS_MAX);
afterAll(async () => {
  await command?.remove();
  if (folder !== undefined) await removeOwnedPath(folder);
});

async function campaignOf(name: string): Promise<Detail & { id: string }> {
  const { data } = await as('ads_manager').get<{ data: { id: string; name: string }[] }>('/v1/campaigns?limit=100');
  const { id } = data.find(campaign => campaign.name === name)!;
  return { id, ...(await as('ads_manager').get<Detail>(`/v1/campaigns/${id}`)) };
}

const campaigns = () => as('ads_manager').get<{ total: number }>('/v1/campaigns?limit=1&count=true');

describe.runIf(LINUX)('the history of the demo', () => {
  test('a brand has a campaign that began weeks ago and is on its curve, and one that is behind', async () => {
    const onCurve = await campaignOf('Harbor Coffee, morning commute');
    expect(Date.now() - Date.parse(onCurve.created_at)).toBeGreaterThan(30 * DAY_MS);
    expect(onCurve.pacing.ratio).toBeGreaterThan(0.9);
    expect(onCurve.pacing.ratio).toBeLessThan(1.1);
    expect(onCurve.counters.scans).toBeGreaterThan(5);
    expect((await campaignOf('Harbor Coffee, after work')).pacing.ratio).toBeLessThan(0.8);
  });

  test('its plays are on every day of thirty, and fewer on Sundays', async () => {
    const { id } = await campaignOf('Harbor Coffee, morning commute');
    const query = `from=${isoDay(30)}&to=${isoDay(1)}`;
    const { by_day: days } = await as('ads_manager').get<{ by_day: Day[] }>(`/v1/campaigns/${id}/results?${query}`);
    expect(days).toHaveLength(30);
    const mean = (found: readonly Day[]) => found.reduce((sum, { plays }) => sum + plays, 0) / found.length;
    const isSunday = ({ day }: Day) => new Date(day).getUTCDay() === 0;
    expect(mean(days.filter(isSunday))).toBeLessThan(0.8 * mean(days.filter(day => !isSunday(day))));
  });

  test('its creatives are older than the campaigns that show them', async () => {
    const { created_at: booked } = await campaignOf('Harbor Coffee, morning commute');
    const { data } = await as('ads_manager').get<{ data: { created_at: string }[] }>('/v1/creatives');
    expect(data).toHaveLength(3);
    expect(data.filter(({ created_at: made }) => made >= booked)).toEqual([]);
  });

  test(
    'as many screens as there are by default play less in ten minutes than on a day of it',
    async () => {
      const { plays } = await as('operator').get<{ plays: { before: number } }>('/v1/operator/week');
      const second = await eventually(async () => {
        const lines = progressOf(command.said);
        const settled = lines.find(({ at }) => at >= lines[0]!.at + ARRIVED_MS);
        const last = lines.at(-1)!;
        if (!settled || last.at < settled.at + MEASURED_MS) return undefined;
        return ((last.plays_acked - settled.plays_acked) * 1_000) / (last.at - settled.at);
      }, START_MS_MAX);
      expect((second * 600 * SCREENS_BY_DEFAULT) / SCREENS).toBeLessThan(plays.before / 7);
    },
    START_MS_MAX,
  );

  test('the brand has the invoice of last month', async () => {
    const { data } = await as('ads_manager').get<{ data: { period: string; status: string }[] }>('/v1/invoices');
    const lastDay = new Date(`${isoDay(0).slice(0, 7)}-01`).getTime() - DAY_MS;
    expect(data).toMatchObject([{ period: new Date(lastDay).toISOString().slice(0, 7), status: 'issued' }]);
  });

  test('the venue has earnings, a paid withdrawal and a pending one', async () => {
    const { data } = await as('screen_manager').get<{ data: { status: string }[] }>('/v1/payouts?sort=-issued_at');
    expect(data.map(({ status }) => status)).toEqual(['issued', 'paid']);
  });

  test('a campaign and the figures of a venue wait for the operator, and a campaign for the agency', async () => {
    const reviews = await as('operator').get<{ data: { name: string }[] }>('/v1/operator/reviews');
    expect(reviews.data.map(({ name }) => name)).toEqual(['Harbor Coffee, Irish coffee nights']);
    const figures = await as('operator').get<{ data: { name: string }[] }>('/v1/operator/venue-reviews');
    expect(figures.data.map(({ name }) => name)).toEqual(['The Lantern']);
    const approvals = await as('agency').get<{ data: { name: string }[] }>('/v1/agency/approvals');
    expect(approvals.data.map(({ name }) => name)).toEqual(['Theatre, winter season']);
  });

  test(
    'the consistency check finds nothing, and the counters of the run leave the history out',
    async () => {
      const { file, execArgv } = programOf('cli/admin/admin.ts');
      const words = [...execArgv, file, 'verify', '--data-dir', folder, '--json'];
      const { stdout } = await run(process.execPath, words, { env: { ...process.env } });
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, breaches: [] });
      command.signalGroup('SIGINT');
      expect(await command.exit).toEqual({ code: 0, signal: null });
      const summary = lineOf<Record<string, number>>('summary');
      expect(summary).toMatchObject({ lost: 0, double_counted: 0, overspent: 0 });
      expect(summary['plays_reported']).toBe(summary['plays_acked']);
    },
    START_MS_MAX,
  );

  test(
    'a second start on its folder continues with the same network, and counts its own plays',
    async () => {
      const { keys, console: links } = ready;
      command = command.runAgain('demo', ['--json', '--data-dir', folder]);
      await command.saying('"event":"ready"');
      ready = lineOf<Ready>('ready');
      expect(ready.keys).toEqual(keys);
      expect(ready.console.brand.replace(/^.*#/, '')).not.toBe(links.brand.replace(/^.*#/, ''));
      expect(await campaigns()).toMatchObject({ total: CAMPAIGNS_OF_BRAND });
      await eventually(async () => progressOf(command.said).at(-1)?.plays_acked || undefined, START_MS_MAX);
      command.signalGroup('SIGINT');
      expect(await command.exit).toEqual({ code: 0, signal: null });
      const summary = lineOf<Record<string, number>>('summary');
      expect(summary).toMatchObject({ screens: SCREENS, lost: 0, double_counted: 0, overspent: 0 });
      expect(summary['plays_reported']).toBe(summary['plays_acked']);
    },
    START_MS_MAX,
  );
});
