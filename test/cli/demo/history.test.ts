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

const LINUX = process.platform === 'linux';
const START_MS_MAX = 260_000;
const DAY_MS = 86_400_000;
const run = promisify(execFile);

type Ready = { api: string; keys: Record<'ads_manager' | 'screen_manager' | 'agency' | 'operator', string> };
type Detail = { created_at: string; pacing: { ratio: number }; counters: { plays: number; scans: number } };
type Day = { day: string; plays: number };

let command: Command;
let folder: string;
let ready: Ready;
const as = (role: keyof Ready['keys']): Client => createClient(ready.api, ready.keys[role]);
const lineOf = <T>(event: string): T =>
  JSON.parse(command.said.split('\n').find(line => line.startsWith(`{"event":"${event}"`))!) as T;
const isoDay = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

beforeAll(async () => {
  if (!LINUX) return;
  folder = makeTemporaryFolder('marquee-demo-history-');
  command = Command.run('demo', ['--json', '--screens', '50', '--campaigns', '6', '--data-dir', folder]);
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
});
