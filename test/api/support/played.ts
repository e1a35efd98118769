/**
 * Venues that earn from real plays: campaigns on their screens, through ingest and settlement, over the engines of an
 * API under test. Tests of earnings and statements use it.
 */
import { formatId, parseId, type Handle } from '../../../domain/id.ts';
import { costMicros } from '../../../domain/money/money.ts';
import { encodePlayId, type PlayFacts } from '../../../domain/plays/play.ts';
import { startStreams } from '../../../ingest/streams.ts';
import type { PlayReport } from '../../../ingest/queue/batch.ts';
import { openRedis, redisReady } from '../../../sql/redis.ts';
import { raiseFinding } from '#sql/findings/findings.ts';
import { decide } from '../../../cli/admin/supply/findings.ts';
import { handBudgets } from '../../../workers/budgets/hand-budgets.ts';
import { settleSpend } from '../../../workers/settlement/settle-spend.ts';
import { takeOutPlays } from '../../../workers/taken-out/take-out-plays.ts';
import { silentLog } from '../../ingest/harness.ts';
import { campaignBody, createKey, createWorkspace, VENUE, type Answer, type TestApi } from './app-under-test.ts';

const RATE_MICROS = 300_003;
export const IMPRESSIONS = 2_337;
export const PRICE = costMicros(RATE_MICROS, IMPRESSIONS);
const BUDGET = 20_000;
const EPOCH = 1;

export type Bar = { owner: Handle<'workspace'>; key: string; venue: Handle<'venue'>; screens: Handle<'screen'>[] };
export type Spot = {
  workspace: number;
  key: string;
  id: string;
  campaign: Handle<'campaign'>;
  creative: Handle<'creative'>;
};
export type World = {
  openBar(options: { screens: number; timezone?: string; adRatios?: readonly number[]; of?: Bar }): Promise<Bar>;
  startCampaign(category: string): Promise<Spot>;
  /** Counts plays whose slots are 20 s apart from a moment on; without a charge they are late. */
  play(
    spot: Spot,
    at: { bar: Bar; screen?: number; startsAt: number; plays: number; charged?: boolean },
  ): Promise<void>;
  settle(): Promise<void>;
  /** Upholds a finding about a screen, or a whole venue, and takes its plays out. */
  takeOut(bar: Bar, at: { screen?: number; from: number; to: number; rule?: string }): Promise<void>;
  close(): Promise<void>;
};

export async function startWorld(api: TestApi): Promise<World> {
  const connections = [
    openRedis(api.engines.redisUrl, { role: 'commands' }),
    openRedis(api.engines.redisUrl, { role: 'worker' }),
  ];
  await redisReady(connections[0]!);
  const ingest = await startStreams({
    commands: connections[0]!,
    blocking: connections[1]!,
    clickhouse: api.clickhouse,
    sql: api.sql,
    keys: api.signingKeys,
    log: silentLog,
    queueName: api.queueName,
  });
  const made = { plays: 0, batches: 0, grants: 0 };
  return {
    openBar: options => openBar(api, options),
    startCampaign: category => startCampaign(api, category),
    async play(spot, { bar, screen = 0, startsAt, plays, charged = true }) {
      const reports = Array.from({ length: plays }, (_, index): PlayReport => {
        const facts: PlayFacts = {
          campaign: spot.campaign,
          creative: spot.creative,
          screen: bar.screens[screen]!,
          venue: bar.venue,
          sandbox: false,
          plan: false,
          sensor: false,
          startsAt: startsAt + index * 20_000,
          durationMs: 10_000,
          rateMicros: RATE_MICROS,
          impressionsEst: IMPRESSIONS,
          impressionsMax: IMPRESSIONS,
          audience: 0,
          epoch: EPOCH,
          issueNumber: (made.plays += 1),
        };
        return {
          playId: encodePlayId(facts, api.signingKeys.current),
          screen: facts.screen,
          startedAt: facts.startsAt,
          playedMs: 10_000,
          receivedAt: facts.startsAt + 11_000,
        };
      });
      const id = `batch-${(made.batches += 1)}`;
      if (charged) await api.authority.grant(spot.campaign, EPOCH, (made.grants += 1), plays * PRICE);
      await api.playQueue.add({ id, plays: reports, scans: [], releases: [] });
      while ((await api.playQueue.completed([id])).done.length === 0)
        await new Promise(resolve => {
          setTimeout(resolve, 5);
        });
    },
    async settle() {
      while ((await settleSpend(api.workers)) > 0);
    },
    async takeOut(bar, { screen, from, to, rule = 'audience' }) {
      const now = new Date(api.clock.now());
      const found = {
        rule,
        ruleVersion: 1,
        workspace: bar.owner,
        venue: bar.venue,
        screen: screen === undefined ? null : bar.screens[screen]!,
        fromAt: new Date(from),
        toAt: new Date(to),
        evidence: { plays: 9 },
      };
      const finding = (await api.sql.begin(tx => raiseFinding(tx, found, now)))!.handle;
      await decide(api.sql, now, { finding, decision: 'uphold', note: undefined });
      await takeOutPlays(api.workers);
    },
    async close() {
      await ingest.close();
      for (const connection of connections) connection.disconnect();
    },
  };
}

function ok(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.raw.toString()}`);
  return answer;
}

const farAhead = () => new Date(Date.now() + 400 * 86_400_000);

async function openBar(
  api: TestApi,
  {
    screens,
    timezone = 'UTC',
    adRatios = [],
    of,
  }: { screens: number; timezone?: string; adRatios?: readonly number[]; of?: Bar },
): Promise<Bar> {
  const owner = of?.owner ?? (await createWorkspace(api, { kind: 'venue' })).handle;
  const [user] = await api.sql<
    { handle: Handle<'user'> }[]
  >`select handle from users where workspace_handle = ${owner}`;
  const key =
    of?.key ??
    (await createKey(api, { handle: owner, user: user!.handle }, { surface: 'screen_manager', expiresAt: farAhead() }));
  const venue = parseId(
    'venue',
    ok(await api.call('POST', '/v1/venues', { key, body: { ...VENUE, name: `Bar in ${timezone}`, timezone } })).body[
      'id'
    ]!,
  )!;
  const handles: Handle<'screen'>[] = [];
  for (let index = 0; index < screens; index += 1) {
    const [row] = await api.sql<{ handle: Handle<'screen'> }[]>`
      insert into screens (workspace_handle, venue_handle, label, ad_ratio, sandbox, created_at) values (${owner}, ${venue}, ${`Wall ${index}`}, ${adRatios[index] ?? 0.9}, false, now()) returning handle`;
    handles.push(row!.handle);
  }
  return { owner, key, venue, screens: handles };
}

async function startCampaign(api: TestApi, category: string): Promise<Spot> {
  const workspace = await createWorkspace(api, { funds: BUDGET });
  const key = await createKey(api, workspace, { expiresAt: farAhead() });
  const body = { name: 'Spot', orientation: 'landscape', duration_ms: 10_000, filename: 'spot.mp4' };
  const creative = ok(await api.call('POST', '/v1/creatives', { key, body })).body['id']!;
  await api.sql`update creatives set status = 'ready', sha256 = ${'0'.repeat(64)} where handle = ${parseId('creative', creative)!}`;
  const id: string = ok(
    await api.call('POST', '/v1/campaigns', {
      key,
      body: campaignBody(api, [creative], { category, budget: { amount: BUDGET, currency: 'EUR' } }),
    }),
  ).body['id']!;
  const campaign = parseId('campaign', id)!;
  await api.review();
  await api.authority.wantHand(campaign, BUDGET * 1_000_000);
  await handBudgets(api.workers);
  return { workspace: workspace.handle, key, id, campaign, creative: parseId('creative', creative)! };
}

export const idOfScreen = (bar: Bar, index = 0) => formatId('screen', bar.screens[index]!);
export const idOfVenue = (bar: Bar) => formatId('venue', bar.venue);
