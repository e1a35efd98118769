/**
 * Gets money from the authority ahead of need. Reservations say which campaigns want some; each want becomes one grant
 * with a rising number. An answer that was lost is asked for again under the same number, so nothing is granted twice.
 * Where the authority runs short the workers are asked to hand over more, and the grant is tried again soon.
 */
import { grantSizeMicros } from '#domain/budget.ts';
import type { Log } from '#runtime/log.ts';
import type { Authority } from '#sql/redis.ts';
import type { CandidateIndex } from '../decision/candidate-index.ts';
import type { IssueLog } from './issue-log.ts';
import type { Reservations } from './reservations.ts';

/** Wants are collected this often: what a slot misses is there for the next one. */
const COLLECT_MS = 5;
/** Grants in flight; each is one script of some microseconds. */
const GRANTS_MAX = 32;
const RETRY_FIRST_MS = 50;
const RETRY_MS_MAX = 500;
/** A campaign at its end is asked about again this often: money comes back when plays cost less than was reserved. */
const EXHAUSTED_MS = 1_000;
/** Giving back at the end of the process: what does not come through in this time stays in doubt. */
const GIVE_BACK_MS_MAX = 3_000;

export type LeaseCounts = { grants: number; short: number; failed: number };

export type Leases = {
  counts: Readonly<LeaseCounts>;
  /** Stops asking and gives back all that was not issued. */
  drain(): Promise<void>;
};

/** The last call for one campaign: an unanswered one is repeated as it was. */
type Call = { number: number; wantMicros: number; answered: boolean; retryMs: number };

export function startLeases({ authority, epoch, index, reservations, issueLog, log }: {
  authority: Authority; epoch: number; index: CandidateIndex; reservations: Reservations; issueLog: IssueLog; log: Log;
}): Leases {
  const counts: LeaseCounts = { grants: 0, short: 0, failed: 0 };
  const calls = new Map<number, Call>();
  const queue: number[] = [];
  const retries = new Set<NodeJS.Timeout>();
  const inFlight = new Set<Promise<void>>();
  let stopped = false;

  const later = (campaign: number, waitMs: number, then: (campaign: number) => void): void => {
    if (stopped) return;
    const timer = setTimeout(() => {
      retries.delete(timer);
      then(campaign);
    }, waitMs);
    retries.add(timer);
  };
  const askAgain = (campaign: number, call: Call): void => {
    later(campaign, call.retryMs, () => queue.push(campaign));
    call.retryMs = Math.min(RETRY_MS_MAX, call.retryMs * 2);
  };
  const ask = async (campaign: number): Promise<void> => {
    const facts = index.facts[campaign];
    if (facts === undefined) return reservations.settled(campaign); // gone: it is wanted again should it come back
    const call = callFor(calls, campaign, grantSizeMicros(facts.budgetMicros, reservations.needMicros[campaign]!));
    try {
      const { grantedMicros, shortMicros } = await authority.grant(facts.handle, epoch, call.number, call.wantMicros);
      call.answered = true;
      counts.grants++;
      reservations.add(campaign, grantedMicros);
      reservations.lowMicros[campaign] = call.wantMicros / 2;
      if (shortMicros > 0) await authority.wantHand(facts.handle, shortMicros);
      if (reservations.available(campaign) >= reservations.needMicros[campaign]!) {
        reservations.exhausted[campaign] = 0;
        call.retryMs = RETRY_FIRST_MS;
        return reservations.settled(campaign);
      }
      counts.short++;
      const { handed } = await authority.amounts(facts.handle);
      reservations.exhausted[campaign] = handed >= facts.budgetMicros ? 1 : 0;
      if (reservations.exhausted[campaign] === 1) later(campaign, EXHAUSTED_MS, () => reservations.settled(campaign));
      else askAgain(campaign, call);
    } catch (error) {
      counts.failed++;
      log.warn({ err: error, campaign: facts.handle, retryMs: call.retryMs }, 'no answer from the authority');
      askAgain(campaign, call);
    }
  };
  const collect = (): void => {
    queue.push(...reservations.takeWants());
    while (inFlight.size < GRANTS_MAX) {
      const campaign = queue.shift();
      if (campaign === undefined) return;
      const asking = ask(campaign).finally(() => inFlight.delete(asking));
      inFlight.add(asking);
    }
  };
  const timer = setInterval(collect, COLLECT_MS);
  return {
    counts,
    async drain() {
      stopped = true;
      clearInterval(timer);
      for (const retry of retries) clearTimeout(retry);
      const patience = new Promise<void>(resolve => setTimeout(resolve, GIVE_BACK_MS_MAX).unref());
      await Promise.race([patience, Promise.all(inFlight)]);
      await Promise.race([patience, giveAllBack({ authority, epoch, index, reservations, issueLog, log })]);
    },
  };
}

function callFor(calls: Map<number, Call>, campaign: number, wantMicros: number): Call {
  const last = calls.get(campaign);
  if (last !== undefined && !last.answered) return last;
  const call = { number: (last?.number ?? 0) + 1, wantMicros, answered: false, retryMs: last?.retryMs ?? RETRY_FIRST_MS };
  calls.set(campaign, call);
  return call;
}

/**
 * The log says "returned" before the authority hears of it: after a crash between the two the money stays in doubt, and is
 * never given back a second time.
 */
async function giveAllBack({ authority, epoch, index, reservations, issueLog, log }: {
  authority: Authority; epoch: number; index: CandidateIndex; reservations: Reservations; issueLog: IssueLog; log: Log;
}): Promise<void> {
  for (let campaign = 0; campaign < index.size; campaign++) {
    const micros = reservations.drain(campaign);
    if (micros === 0) continue;
    const handle = index.handles[campaign]!;
    issueLog.returned(handle, micros);
    try {
      await authority.giveBack(handle, epoch, 1, micros);
    } catch (error) {
      log.warn({ err: error, campaign: handle, micros }, 'money could not be given back and stays in doubt');
    }
  }
}
