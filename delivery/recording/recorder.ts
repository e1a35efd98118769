/**
 * Records every decision, and every change of the state for decisions, in order (`#domain/plays/decision-journal.ts`).
 * A decision costs a few stores into a preallocated row, from which the issue log makes its line; changes are rare and
 * become lines of text at once. If there is no more room, further records are dropped and counted, and the run ends,
 * because a run with a gap cannot be replayed: a decision never waits for its record.
 */
import { NO_HANDLE, type Index, type Handle } from '#domain/id.ts';
import type { JournalChange } from '#domain/plays/decision-journal.ts';
import { emptyRecord, NO_ROOM, NOT_ISSUED, OF_PLAN, OF_SANDBOX } from '#domain/plays/decision-record.ts';
import type { IssueLog } from '../money/issue-log.ts';
import { FILLED, type Engine } from '../decision/engine.ts';
import type { Slot } from '../decision/slot-view.ts';
import type { CandidateIndex } from '../decision/candidate-index.ts';
import type { CampaignFacts } from '../decision/facts.ts';
import type { ScreenTable } from '../decision/screen-table.ts';
import { NOT_TAKEN, type Reservations } from '../decision/reservations.ts';
import type { Changes, Effects } from '../snapshot/store.ts';
import type { DecisionRows } from './decision-rows.ts';
import { copyState, recordedCampaign } from './run-state.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** Between two flushes of a second, changes of the state: an edit of ten thousand campaigns at once. */
const CHANGES_CHARACTERS_MAX = 16 * 1024 * 1024;
/** An explanation of a slot reads its run from the beginning, so a run is at most ten minutes of a process. */
const RUN_MS = 600_000;
/** After a run ended for lack of room the next one waits, so that writing the whole state does not add to the load. */
const RUN_PAUSE_MS = 60_000;
/** Decisions outside of a run cannot be replayed. */
const NO_RUN = 0;

/** The records between two cuts. `first` is the number of the first record; numbers grow by one, over all runs. */
export type Stretch = { epoch: number; run: number; first: number; records: Uint8Array; changes: string[] };
export type RecorderCounts = { recorded: number; dropped: number; runs: number; broken: number };

export type RecorderDependencies = {
  index: CandidateIndex;
  screens: ScreenTable;
  reservations: Reservations;
  engine: Engine;
  /** The rows of decisions. */
  rows: DecisionRows;
  /** The epoch under which plays are issued; its log takes the rows of fills. */
  current: { epoch: number; issueLog: Pick<IssueLog, 'used' | 'write'> };
  /** The last line of the change log that is in the index. */
  revision: () => number;
};

export class DecisionRecorder {
  readonly counts: RecorderCounts = { recorded: 0, dropped: 0, runs: 0, broken: 0 };
  readonly #dependencies: RecorderDependencies;
  readonly #rows: DecisionRows;
  readonly #record = emptyRecord();
  readonly #cuts: { epoch: number; run: number; from: number; first: number; changes: string[] }[] = [];
  #changes: string[] = [];
  #characters = 0;
  #run = NO_RUN;
  #runs = 0;
  #epoch = 0;
  #from = 0;
  #nextNumber = 0;
  #beganAtMs = -Infinity;
  /** The number of dropped records at the last check whether a run is due. */
  #droppedBefore = 0;
  #state: Generator<string> | undefined;
  #plan: { bytes: string; part: number } | undefined;
  #started = false;
  /** By screen: the run in which its state was recorded. */
  #told = new Int32Array(256);
  #isAsked = true;
  #refusals = 0;
  #refreshed = { atMs: 0, steps: 0, times: 0, next: 0 };

  constructor(dependencies: RecorderDependencies) {
    this.#dependencies = dependencies;
    this.#rows = dependencies.rows;
  }

  /** Starts recording. */
  start(nowMs: Milliseconds): void {
    this.#started = true;
    this.begin(nowMs);
  }

  /** Ends the run and begins another with the current state. */
  begin(nowMs: Milliseconds): void {
    if (!this.#started) return;
    const { engine, index, reservations, current } = this.#dependencies;
    this.#cut();
    engine.forget();
    this.#run = ++this.#runs;
    this.#epoch = current.epoch;
    this.#beganAtMs = nowMs;
    this.counts.runs++;
    this.#state = copyState(
      {
        k: 'begin',
        atMs: nowMs,
        baseMs: index.flights.baseMs,
        leadMax: engine.leadMax,
        campaigns: index.campaigns.size,
        ...(this.#plan && { plan: { ...this.#plan, members: index.plan.handles() } }),
      },
      { index, reservations, outOfTurn: engine.outOfTurn },
    );
  }

  /**
   * Begins another run when due: every ten minutes, and some time after a broken one. None begins while there are more
   * decisions between two calls than room: it would break before the next call.
   */
  beginWhenDue(nowMs: Milliseconds): void {
    const isOverfull = this.counts.dropped > this.#droppedBefore;
    this.#droppedBefore = this.counts.dropped;
    if (isOverfull && this.#run === NO_RUN) return;
    if (nowMs - this.#beganAtMs > (this.#run === NO_RUN ? RUN_PAUSE_MS : RUN_MS)) this.begin(nowMs);
  }

  /**
   * Called before each decision; `isAsked` is false if the screen holds as many ads as it may, and the engine is not
   * asked.
   */
  deciding(screen: Index<'screen'>, isAsked: boolean): void {
    this.#isAsked = isAsked;
    this.#refusals = this.#dependencies.reservations.refusals;
    if (this.#run !== NO_RUN && this.#told[screen] !== this.#run) this.#tell(screen);
  }

  /** Called after each decision, with the engine's answer. */
  decided(slot: Slot, answer: number, nowMs: Milliseconds): void {
    const record = this.#record;
    const { engine, index, screens, reservations, current, revision } = this.#dependencies;
    const { fill } = engine;
    const isFill = answer === FILLED;
    record.decidedAtMs = nowMs;
    record.startsAtMs = slot.atMs;
    record.maxDurationMs = slot.maxDurationMs;
    record.screen = screens.handleAt(slot.screen);
    record.answer = answer;
    record.campaign = isFill ? index.campaigns.handleAt(fill.campaign) : NO_HANDLE;
    record.creative = isFill ? fill.creative : NO_HANDLE;
    record.durationMs = isFill ? fill.durationMs : 0;
    record.costMicros = isFill ? fill.costMicros : 0;
    record.flags =
      (reservations.planning ? OF_PLAN : 0) |
      (this.#isAsked ? 0 : NO_ROOM) |
      (reservations.refusals === this.#refusals ? 0 : NOT_ISSUED) |
      (screens.isSandbox(slot.screen) ? OF_SANDBOX : 0);
    record.revision = revision();
    record.planVersion = index.plan.version;
    const isRecorded = this.#rows.add(record, isFill ? fill.issueNumber : NOT_TAKEN);
    if (isFill) current.issueLog.used();
    if (isRecorded) {
      this.#nextNumber++;
      this.counts.recorded++;
    } else {
      this.counts.dropped++;
      this.breakOff();
    }
  }

  /** Called before the engine prepares lists for a screen. */
  preparing(screen: Index<'screen'>, atMs: Milliseconds): void {
    if (this.#run === NO_RUN) return;
    // The hello of a screen may list plays from another process.
    this.#tell(screen);
    this.#note({ k: 'prepare', next: this.#nextNumber, screen: this.#dependencies.screens.handleAt(screen), atMs });
  }

  /** Called before the engine refreshes short lists. Many refreshes between two decisions are recorded as one. */
  refreshing(atMs: Milliseconds, steps: number): void {
    if (this.#run === NO_RUN) return;
    const refreshed = this.#refreshed;
    if (
      refreshed.times > 0 &&
      (refreshed.atMs !== atMs || refreshed.steps !== steps || refreshed.next !== this.#nextNumber)
    )
      this.#noteRefreshes();
    refreshed.atMs = atMs;
    refreshed.steps = steps;
    refreshed.next = this.#nextNumber;
    refreshed.times++;
  }

  /** Called after a batch of changes of the snapshot. */
  applied(changes: Changes, effects: Effects): void {
    const { index } = this.#dependencies;
    for (const screen of effects.changedScreens) this.screenChanged(screen);
    for (const handle of changes.campaigns.keys()) {
      const campaign = index.campaigns.campaignIndex(handle);
      if (campaign !== undefined) this.campaignChanged(handle, index.facts[campaign]);
    }
  }

  /** The screen changed other than by a decision: it is recorded again before its next one. */
  screenChanged(screen: Index<'screen'>): void {
    if (screen < this.#told.length) this.#told[screen] = NO_RUN;
  }

  campaignChanged(handle: Handle<'campaign'>, facts: CampaignFacts | undefined): void {
    if (this.#run !== NO_RUN)
      this.#note({ k: 'campaign', next: this.#nextNumber, handle, ...(facts && { facts: recordedCampaign(facts) }) });
  }

  /** The money of a campaign (its integer) changed other than by a decision. */
  moneyChanged(campaign: Index<'campaign'>): void {
    if (this.#run !== NO_RUN)
      this.#note({
        k: 'money',
        next: this.#nextNumber,
        campaign: this.#dependencies.index.campaigns.handleAt(campaign),
        ...this.#dependencies.reservations.moneyOf(campaign),
      });
  }

  planFollowed(bytes: Uint8Array, part: number): void {
    this.#plan = { bytes: Buffer.from(bytes).toString('base64url'), part };
    if (this.#run !== NO_RUN) this.#note({ k: 'plan', next: this.#nextNumber, ...this.#plan });
  }

  /** The records since the last call. */
  take(): Stretch[] {
    this.#dependencies.current.issueLog.write();
    this.#cut();
    const stretches = this.#cuts.map(({ from, changes, ...stretch }, at) => ({
      ...stretch,
      records: this.#rows.bytes(from, this.#cuts[at + 1]?.from ?? this.#rows.length),
      changes,
    }));
    this.#cuts.length = 0;
    this.#rows.clear();
    this.#from = 0;
    this.#characters = 0;
    return stretches.filter(({ records, changes }) => records.length > 0 || changes.length > 0);
  }

  /** The state at the beginning of the run, line by line, available once; formatted on reading. */
  takeState(): { epoch: number; run: number; lines: Generator<string> } | undefined {
    const lines = this.#state;
    const epoch = this.#epoch;
    const run = this.#run;
    this.#state = undefined;
    return lines && { epoch, run, lines };
  }

  /** The records can never be stored, so later ones could not be replayed. */
  breakOff(): void {
    if (this.#run === NO_RUN) return;
    this.#cut();
    this.#run = NO_RUN;
    this.#state = undefined;
    this.counts.broken++;
  }

  /** Records the current state of a screen: before its first decision of a run, and after each change. */
  #tell(screen: Index<'screen'>): void {
    if (screen >= this.#told.length) {
      const told = new Int32Array(Math.max(screen + 1, this.#told.length * 2));
      told.set(this.#told);
      this.#told = told;
    }
    this.#told[screen] = this.#run;
    const { screens, index } = this.#dependencies;
    const { facts } = screens.venueAt(screen);
    const last = screens.lastCampaign(screen);
    this.#note({
      k: 'screen',
      next: this.#nextNumber,
      venue: facts,
      creditMs: screens.adCreditMs(screen),
      last: last < 0 ? NO_HANDLE : index.campaigns.handleAt(last),
      screen: {
        handle: screens.handleAt(screen),
        venue: facts.handle,
        orientation: screens.orientationAt(screen),
        adRatio: screens.adRatio(screen),
        sensor: screens.hasSensor(screen),
        sandbox: screens.isSandbox(screen),
        blockedCategories: screens.blocked[screen]!,
        audience: screens.audiences[screen],
      },
      recent: screens.recentOf(screen).map(([campaign, atSeconds]) => [index.campaigns.handleAt(campaign), atSeconds]),
    });
  }

  #cut(): void {
    this.#noteRefreshes();
    this.#cuts.push({
      epoch: this.#epoch,
      run: this.#run,
      from: this.#from,
      first: this.#nextNumber - (this.#rows.length - this.#from),
      changes: this.#changes,
    });
    this.#from = this.#rows.length;
    this.#changes = [];
  }

  #noteRefreshes(): void {
    const { atMs, steps, times, next } = this.#refreshed;
    this.#refreshed.times = 0;
    if (times > 0 && this.#run !== NO_RUN) this.#note({ k: 'refresh', next, atMs, steps, times });
  }

  #note(change: JournalChange): void {
    if (this.#refreshed.times > 0) this.#noteRefreshes();
    const line = JSON.stringify(change);
    this.#characters += line.length;
    if (this.#characters > CHANGES_CHARACTERS_MAX) return this.breakOff();
    this.#changes.push(line);
  }
}
