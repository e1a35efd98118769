/**
 * Each benchmark that starts an installation, once with a small input: that it runs, that every slot is filled and
 * every play arrives once (it throws otherwise), and that it prints its figures. The figures mean nothing here. `npm
 * run test:bench`.
 */
import { expect, test } from 'vitest';
import { makeDataDir, removeDataDir } from '../support/engines/engines.ts';
import { runApi } from '../../bench/api/api.ts';
import { runConnections } from '../../bench/delivery/connections.ts';
import { runDecisions } from '../../bench/delivery/decisions.ts';
import { runFreshness } from '../../bench/ingest/freshness.ts';
import { runIngest } from '../../bench/ingest/ingest.ts';
import type { BenchOptions } from '../../bench/protocol.ts';
import { runPropagation } from '../../bench/delivery/propagation.ts';
import { runReports } from '../../bench/ingest/reports.ts';
import { tableOf } from '../../bench/table.ts';
import { SCALE } from '../../bench/pacing/scale.ts';
import { runSlots } from '../../bench/delivery/slots.ts';
import { runSoak } from '../../bench/delivery/soak.ts';
import { runStart } from '../../bench/start.ts';
import { runTls } from '../../bench/sockets/tls.ts';

const options: BenchOptions = { forSeconds: 1, pairs: 1, say: () => undefined };
/** Two starts of the engines and one of the services beside other tests. */
const RUN_MS_MAX = 90_000;

test(
  'decisions prints ours, the echo and the ratio, and the time of a decision',
  async () => {
    const figures = await runDecisions(options, { campaigns: 50, screens: 4 });
    expect(figures.map(({ bench, figure, unit }) => ({ bench, figure, unit }))).toEqual([
      { bench: 'decisions', figure: 'G1', unit: 'decisions/CPU-s' },
      { bench: 'decisions', figure: 'G1p', unit: 'decisions/CPU-s' },
      { bench: 'decisions', figure: 'G1b', unit: 'us' },
      { bench: 'decisions', figure: 'G1c', unit: 'us, p99' },
    ]);
    const [speed, , time, trip] = figures;
    expect(trip!.details['unsent']).toBe(0);
    expect(speed!.ratio).toBeGreaterThan(0);
    expect(speed!.details).toMatchObject({ first_look: true, pairs: 1, closed_connections: 0, filled_after: 1 });
    expect(speed!.details['answer_bytes_reference']).toBe(speed!.details['fill_bytes']);
    expect(time!.details['decisions_timed']).toBeGreaterThan(0);
    expect(tableOf(figures)).toContain('A first look');
  },
  RUN_MS_MAX,
);

test(
  'slots prints the cost of a slot with and without its report, and every play is acknowledged',
  async () => {
    // As long as an ad: in a small network screens are filled every second time, since all campaigns compete.
    const figures = await runSlots({ ...options, forSeconds: 6 }, { campaigns: 50, screens: 20, everyMs: 6_000 });
    expect(figures.map(({ figure, variant, unit }) => ({ figure, variant, unit }))).toEqual([
      { figure: 'slot', variant: 'asked', unit: 'slots/CPU-s' },
      { figure: 'slot', variant: 'played', unit: 'slots/CPU-s' },
    ]);
    const [asked, played] = figures;
    expect(asked!.details).toMatchObject({ acknowledged: 0, refused: {} });
    const { filled, acknowledged, refused } = played!.details;
    expect(refused).toEqual({});
    expect(Number(filled) + Number(acknowledged)).toBeGreaterThan(0.9);
    // So few messages may take the reference no tick of the processor's clock.
    expect(played!.ours).toBeGreaterThan(0);
  },
  RUN_MS_MAX,
);

test(
  'ingest prints ours, the direct insert of the same rows and the ratio',
  async () => {
    const figures = await runIngest(options, { campaigns: 50, screens: 4, playsFirst: 500 });
    expect(figures).toHaveLength(1);
    expect(figures[0]).toMatchObject({
      bench: 'ingest',
      figure: 'G7',
      unit: 'plays/CPU-s',
      goal: 0.5,
      details: { first_look: true },
    });
    expect(figures[0]!.ratio).toBeGreaterThan(0);
  },
  RUN_MS_MAX,
);

test(
  'freshness prints three percentiles, and every followed play arrives',
  async () => {
    const figures = await runFreshness(options, { campaigns: 50, screens: 4, playsFirst: 2_000 });
    expect(figures.map(({ figure, unit, goal }) => ({ figure, unit, goal }))).toEqual([
      { figure: 'G9 p50', unit: 'ms', goal: 500 },
      { figure: 'G9 p99', unit: 'ms', goal: 1_000 },
      { figure: 'G9 max', unit: 'ms', goal: 2_000 },
    ]);
    const [p50, p99, max] = figures.map(({ ours }) => ours);
    expect([p50, p99, max].toSorted((one, other) => one! - other!)).toEqual([p50, p99, max]);
    expect(figures[0]!.details['followed']).toBeGreaterThan(0);
  },
  RUN_MS_MAX,
);

const API_RUN_MS_MAX = 2 * RUN_MS_MAX; // five pairs of arms and two rounds of load

test(
  'api prints its ratios and the result of many connections',
  async () => {
    // Three seconds, because on a busy machine a report takes more than one.
    const figures = await runApi({ ...options, forSeconds: 3 }, { campaigns: 200, screens: 4, plays: 1_000 });
    expect(figures.map(({ bench, figure, unit, goal }) => ({ bench, figure, unit, goal }))).toEqual([
      { bench: 'api', figure: 'G11', unit: 'GET/CPU-s', goal: 0.5 },
      { bench: 'api', figure: 'G11t', unit: 'GET/s', goal: 0.6 },
      { bench: 'api', figure: 'G12', unit: 'POST/CPU-s', goal: 0.35 },
      { bench: 'api', figure: 'G12t', unit: 'POST/s', goal: 0.5 },
      { bench: 'api', figure: 'G13', unit: 'reports/CPU-s', goal: 2 },
      { bench: 'api', figure: 'G12w', unit: 'of the rate over one workspace', goal: 1 },
      { bench: 'api', figure: 'load GET', unit: 'faults', goal: 0 },
      { bench: 'api', figure: 'load POST', unit: 'faults', goal: 0 },
    ]);
    for (const { ratio } of figures.slice(0, 5)) expect(ratio).toBeGreaterThan(0);
    for (const { ours } of figures.slice(6)) expect(ours).toBe(0);
  },
  API_RUN_MS_MAX,
);

test(
  'reports prints the rollups, the same query on the raw table and the ratio',
  async () => {
    const folder = makeDataDir();
    const figures = await runReports(options, { plays: 20_000, campaigns: 3, screens: 20, days: 5, folder });
    expect(figures.map(({ bench, figure, unit, goal }) => ({ bench, figure, unit, goal }))).toEqual([
      { bench: 'reports', figure: 'G10', unit: 'reports/s', goal: 20 },
      { bench: 'reports', figure: 'G10 p99', unit: 'ms', goal: 100 },
    ]);
    expect(figures[0]!.ratio).toBeGreaterThan(0);
    expect(figures[0]!.details).toMatchObject({ rows: { raw: 20_000 }, first_look: true });
    await removeDataDir(folder);
  },
  RUN_MS_MAX,
);

test(
  'connections prints memory and CPU time per screen beside bare connections, and brings all screens back after a kill',
  async () => {
    const figures = await runConnections(options, { campaigns: 20, screens: 40 });
    expect(figures.map(({ bench, figure, unit, goal }) => ({ bench, figure, unit, goal }))).toEqual([
      { bench: 'connections', figure: 'G4', unit: 'bytes/screen', goal: 1.4 },
      { bench: 'connections', figure: 'G6', unit: 'connects/CPU-s', goal: 0.4 },
      { bench: 'connections', figure: 'G6 back', unit: 's', goal: 15 },
    ]);
    expect(figures[2]!.ours).toBeGreaterThan(0);
  },
  RUN_MS_MAX,
);

test(
  'propagation pauses, resumes and edits campaigns, and every screen gets the order to drop paused ones',
  async () => {
    const figures = await runPropagation(options, { campaigns: 40, screens: 8 });
    expect(figures.map(({ bench, figure, goal }) => ({ bench, figure, goal }))).toEqual([
      { bench: 'propagation', figure: 'G14', goal: 250 },
      { bench: 'propagation', figure: 'G14 withdraw', goal: 500 },
      { bench: 'propagation', figure: 'G14 edit', goal: 500 },
    ]);
    expect(figures[1]!.details).toMatchObject({ not_every_screen: 0 });
    for (const { ours } of figures.slice(1)) expect(ours).toBeGreaterThan(0);
  },
  RUN_MS_MAX,
);

test(
  'tls prints the share of the clear-text rate under TLS',
  async () => {
    const [figure] = await runTls(options, { campaigns: 50, screens: 4 });
    expect(figure).toMatchObject({
      bench: 'tls',
      figure: 'G5',
      unit: 'of the rate over clear text',
      goal: 0.6,
      reference: null,
      details: { filled: 1 },
    });
    expect(figure!.ours).toBeGreaterThan(0);
  },
  RUN_MS_MAX,
);

test(
  'start prints the seconds to ready after a kill, and those of a plan',
  async () => {
    const figures = await runStart(options, {
      campaigns: 50,
      screens: 200,
      scale: { ...SCALE, campaigns: 50, segments: 200, edges: 2_000, groups: 20, hours: 4 },
    });
    expect(figures.map(({ bench, figure, goal }) => ({ bench, figure, goal }))).toEqual([
      { bench: 'start', figure: 'G15', goal: 4 },
      { bench: 'start', figure: 'G16', goal: 5 },
    ]);
    for (const { ours } of figures) expect(ours).toBeGreaterThan(0);
  },
  RUN_MS_MAX,
);

test(
  'soak prints the service with the largest growth',
  async () => {
    const [figure] = await runSoak({ ...options, forSeconds: 6 }, { campaigns: 50, screens: 4 });
    expect(figure).toMatchObject({ bench: 'soak', figure: 'G19', goal: 1.03, details: { first_look: true } });
    expect(Object.keys(figure!.details['mib'] as object).toSorted()).toEqual(['api', 'delivery', 'ingest', 'workers']);
    expect(figure!.details['plays']).toBeGreaterThan(0);
  },
  RUN_MS_MAX,
);
