/**
 * Moves the clocks of sandboxes on request. In each step simulated screens play some hours: their plays are decided
 * (`domain/plays/simulated-plays`), reserved with the authority under an epoch of this step, signed, and sent to ingest
 * like reports of screens, with the times of the sandbox. From there on they are treated like any play: counted once,
 * charged to the sandbox's book, reported.
 *
 * The plays of a step are stored in Postgres together with the move of the clock. A crash before it leaves an epoch
 * without plays, whose money is free again in the next round; a crash after it repeats the batches under their ids.
 */
import type { Handle } from '#domain/id.ts';
import { monthOf } from '#domain/money/invoice.ts';
import { encodePlayId, type SigningKey } from '#domain/plays/play.ts';
import { simulatePlays, type SimulatedCampaign, type SimulatedPlay } from '#domain/plays/simulated-plays.ts';
import type { PlayReport } from '#ingest/queue/batch.ts';
import type { Authority } from '#authority/authority.ts';
import { endEpoch, takeEpoch } from '#authority/life-row.ts';
import {
  deleteBatches,
  moveClock,
  movingClocks,
  readBatches,
  readLeftEpochs,
  stopClock,
  type MovingClock,
  type StoredBatch,
} from '#sql/sandbox/clock.ts';
import {
  readChargeable,
  readSandboxCampaigns,
  readSimulatedScreens,
  type SandboxCampaign,
} from '#sql/sandbox/network.ts';
import { handBudgets } from '../budgets/hand-budgets.ts';
import { issueTestInvoices } from '../invoices/issue-test-invoices.ts';
import type { Job, JobContext } from '../schedule.ts';
import type { Micros } from '#domain/unit.ts';

const SANDBOXES_AT_ONCE = 20;
/**
 * A step ends after the hour with this many plays; the fullest hour of twenty screens has about 12,000, and a batch
 * takes 20,000.
 */
const STEP_PLAYS = 2_000;
/** An advance ends after the step with this many: some minutes of work, and more rows than any test needs. */
export const ADVANCE_PLAYS_MAX = 20_000;
const NODE = 'sandbox-clock';
const FIRST_NUMBER = 1;

/** Without a signing key there is no such job. */
export function advanceSandboxesJobs(key: SigningKey | undefined): readonly Job[] {
  return key === undefined
    ? []
    : [
        {
          name: 'advance-sandboxes',
          everyMs: 250,
          lock: 232,
          hasWork: async ({ sql }) => (await movingClocks(sql, 1)).length > 0,
          run: context => advanceSandboxes(context, key),
        },
      ];
}

/** One step of each moving sandbox. Returns how many made one. */
export async function advanceSandboxes(context: JobContext, key: SigningKey): Promise<number> {
  const moving = await movingClocks(context.sql, SANDBOXES_AT_ONCE);
  if (moving.length === 0) return 0;
  await freeLeftEpochs(context);
  let steps = 0;
  for (const clock of moving) if (await step(context, clock, key)) steps += 1;
  return steps;
}

async function step(context: JobContext, clock: MovingClock, key: SigningKey): Promise<boolean> {
  const batches = await readBatches(context.sql, clock.workspace);
  if (batches.length > 0) return deliver(context, clock, batches);
  if (clock.at < clock.target_at && clock.plays < ADVANCE_PLAYS_MAX) return play(context, clock, key);
  if (!(await isSettled(context, clock.workspace))) return false;
  await issueTestInvoices(context, clock.workspace);
  return finish(context, clock);
}

/** Sends the plays to ingest, with retries. When they are counted, reservations beyond their cost are free again. */
async function deliver(
  { sql, authority, playQueue, now }: JobContext,
  { workspace }: MovingClock,
  batches: readonly StoredBatch[],
): Promise<boolean> {
  const { epoch } = batches[0]!;
  await authority.epochs.renew(epoch);
  for (const { batch_id: id, plays } of batches)
    await playQueue.add({ id, plays: plays as PlayReport[], scans: [], releases: [] });
  const { done } = await playQueue.completed(batches.map(batch => batch.batch_id));
  if (done.length < batches.length) return false;
  await retireEpoch({ sql, authority, now }, epoch);
  await deleteBatches(sql, workspace);
  return true;
}

/** Lets the screens play the next hours, and moves the clock. */
async function play(context: JobContext, clock: MovingClock, key: SigningKey): Promise<boolean> {
  const { sql, authority, now } = context;
  const next = await simulateNext(context, clock);
  if (!next) return false;
  const { plays, reachedMs } = next;
  const move = { workspace: clock.workspace, at: new Date(reachedMs) };
  if (plays.length === 0) {
    await moveClock(sql, { ...move, batches: [] });
    return true;
  }
  const { epoch } = await takeEpoch(sql, { node: NODE, bootId: NODE, now: now() });
  if (!(await authority.epochs.renew(epoch)).live) return false; // ended by the next round
  if (!(await reserve(context, epoch, plays))) return false;
  await moveClock(sql, { ...move, batches: batchesOf(context, { plays, epoch, key }) });
  return true;
}

/**
 * The plays of the next hours. Undefined if the authority does not have the money for them yet: more is requested, and
 * the clock waits, because missed plays would be lost.
 */
async function simulateNext(
  context: JobContext,
  { workspace, at, target_at: target }: MovingClock,
): Promise<ReturnType<typeof simulatePlays> | undefined> {
  const { sql, authority } = context;
  const [screens, booked] = await Promise.all([
    readSimulatedScreens(sql, { workspace, isSandbox: true }),
    readSandboxCampaigns(sql, workspace),
  ]);
  const campaigns = await withMoney(authority, booked);
  const next = simulatePlays({
    screens,
    campaigns,
    fromMs: at.getTime(),
    toMs: target.getTime(),
    playsEnough: STEP_PLAYS,
  });
  const short = shortOf(next.plays, campaigns);
  if (short.length === 0) return next;
  await authority.wantHandAll(short);
  await handBudgets(context); // unless another process takes the list, which has the same effect
  return shortOf(next.plays, await withMoney(authority, booked)).length === 0 ? next : undefined;
}

/** The campaigns with their money in the authority. `freeMicros` may be granted at once. */
async function withMoney(
  authority: Authority,
  campaigns: readonly SandboxCampaign[],
): Promise<(SimulatedCampaign & { freeMicros: Micros })[]> {
  return Promise.all(
    campaigns.map(async campaign => {
      const { spent, open, inDoubt, free } = await authority.amounts(campaign.handle);
      const spentMicros = spent + open + inDoubt;
      return {
        ...campaign,
        spentMicros,
        usableMicros: Math.max(0, campaign.budgetMicros - spentMicros),
        freeMicros: free,
      };
    }),
  );
}

function shortOf(
  plays: readonly SimulatedPlay[],
  campaigns: readonly { handle: Handle<'campaign'>; freeMicros: Micros }[],
): { campaign: Handle<'campaign'>; wantMicros: Micros }[] {
  const needs = needsOf(plays);
  return campaigns.flatMap(({ handle, freeMicros }) => {
    const wantMicros = (needs.get(handle) ?? 0) - freeMicros;
    return wantMicros > 0 ? [{ campaign: handle, wantMicros }] : [];
  });
}

function needsOf(plays: readonly SimulatedPlay[]): Map<Handle<'campaign'>, number> {
  const needs = new Map<Handle<'campaign'>, number>();
  for (const { campaign, costMicros } of plays) needs.set(campaign, (needs.get(campaign) ?? 0) + costMicros);
  return needs;
}

/**
 * Leases the cost of the plays. False if another process got the money meanwhile: the next round frees its part and
 * requests again.
 */
async function reserve({ authority }: JobContext, epoch: number, plays: readonly SimulatedPlay[]): Promise<boolean> {
  const calls = Array.from(needsOf(plays), ([campaign, wantMicros]) => ({
    campaign,
    number: FIRST_NUMBER,
    wantMicros,
  }));
  const grants = await authority.grantAll(epoch, calls);
  return grants.every(({ grantedMicros }, index) => grantedMicros === calls[index]!.wantMicros);
}

/** Reports like those of delivery, one batch per stream. Each play is reported at its end. */
function batchesOf(
  { playQueue }: JobContext,
  { plays, epoch, key }: { plays: readonly SimulatedPlay[]; epoch: number; key: SigningKey },
): StoredBatch[] {
  const numbers = new Map<Handle<'campaign'>, number>();
  const byStream = new Map<number, PlayReport[]>();
  for (const { campaign, creative, screen, venue, startsAt, durationMs, rateMicros, impressions } of plays) {
    const issueNumber = (numbers.get(campaign) ?? 0) + 1;
    numbers.set(campaign, issueNumber);
    const playId = encodePlayId(
      {
        campaign,
        creative,
        screen,
        venue,
        sandbox: true,
        plan: false,
        sensor: false,
        startsAt,
        durationMs,
        rateMicros,
        impressionsEst: impressions,
        impressionsMax: impressions,
        audience: 0,
        epoch,
        issueNumber,
      },
      key,
    );
    const stream = playQueue.streamOf(screen);
    const reports = byStream.get(stream) ?? [];
    reports.push({ playId, screen, startedAt: startsAt, playedMs: durationMs, receivedAt: startsAt + durationMs });
    byStream.set(stream, reports);
  }
  return Array.from(byStream, ([stream, reports]) => ({
    batch_id: playQueue.batchId(`${NODE}-${epoch}`, stream),
    epoch,
    plays: reports,
  }));
}

/** Epochs of rounds that ended before their plays were stored. Nothing was issued under them. */
async function freeLeftEpochs({ sql, authority, now }: JobContext): Promise<void> {
  for (const epoch of await readLeftEpochs(sql, NODE)) await retireEpoch({ sql, authority, now }, epoch);
}

/** Ends an epoch whose plays are all counted or that issued none: the rest of its leases becomes free. */
export async function retireEpoch(
  { sql, authority, now }: Pick<JobContext, 'sql' | 'authority' | 'now'>,
  epoch: number,
): Promise<void> {
  const { epochs } = authority;
  if ((await epochs.close(epoch, 0)) === 'closed') {
    const campaigns = await epochs.campaignsOf(epoch);
    await epochs.settle(
      epoch,
      campaigns.map(campaign => ({ campaign, unknownMicros: 0 })),
    );
    await epochs.closed(epoch);
  }
  await endEpoch(sql, { epoch, now: now() });
}

/** Whether all spend of the sandbox's campaigns is charged: then reports, wallet, invoices and clock agree. */
async function isSettled({ sql, authority }: JobContext, workspace: Handle<'workspace'>): Promise<boolean> {
  const rows = await readChargeable(sql, workspace);
  const spent = await Promise.all(rows.map(async ({ handle }) => (await authority.amounts(handle)).spent));
  return rows.every(({ charged_micros: charged }, index) => spent[index]! <= charged);
}

async function finish({ sql }: JobContext, { workspace, at, target_at: target }: MovingClock): Promise<boolean> {
  const stoppedBy = at < target ? 'plays_max' : null;
  await stopClock(sql, { workspace, stoppedBy, chargesFrom: monthOf(at.getTime()) });
  return true;
}
