/**
 * The journal of what one process knew when it decided. It is divided into runs of some minutes. A run begins with the
 * whole state: a `begin`, then one `state` per campaign. The changes follow in the order in which they happened, each
 * with the number of the next decision of the run. A screen is written when it first asks in a run, and again when
 * something other than a decision has changed it. A reader that applies the changes and the decisions in order knows at
 * each decision what the process knew. As text it is one JSON object per line.
 */
import type { Handle } from '../id.ts';
import { type DecisionRecord, readRecords, RECORD_BYTES, UNKNOWN_REASON } from './decision-record.ts';
import { type Restriction, UNRESTRICTED } from '../law/restriction.ts';
import type { FlightRule, OpeningHours } from '../screens/schedule.ts';
import type { Orientation } from '../screens/screen.ts';
import type { Targets } from '../campaigns/targeting.ts';
import type { HourlyAudience } from '../screens/venue.ts';
import type { Micros, Milliseconds } from '../unit.ts';

export type RecordedCreative = {
  handle: Handle<'creative'>;
  orientation: Orientation;
  durationMs: Milliseconds;
  weight: number;
  ready: boolean;
};

export type RecordedCampaign = {
  handle: Handle<'campaign'>;
  /** The owner: campaigns of one workspace do not compete with each other. */
  workspace: Handle<'workspace'>;
  status: 'live' | 'paused';
  sandbox: boolean;
  category: string;
  budgetMicros: Micros;
  chargedMicros: Micros;
  targets: Targets;
  flight: FlightRule;
  /** 0: no cap. */
  frequencyPerHourMax: number;
  creatives: readonly RecordedCreative[];
};

export type RecordedVenue = {
  handle: Handle<'venue'>;
  type: string;
  cityFolded: string;
  lat: number | null;
  lng: number | null;
  timezone: string;
  hours?: OpeningHours | undefined;
  dailyVisitors: number;
  dwellMinutes: number;
  audienceMax: number;
  screensNear: number;
  blockedCategories: readonly string[];
  restrictions: readonly Restriction[];
};

export type RecordedScreen = {
  handle: Handle<'screen'>;
  venue: Handle<'venue'>;
  orientation: Orientation;
  /** With the playlist's, if that overrides it. */
  adRatio: number;
  sensor: boolean;
  sandbox: boolean;
  blockedCategories: readonly string[];
  /** Absent: the venue's own figures count. */
  audience?: HourlyAudience | undefined;
};

/**
 * Micros that are held and not issued; whether the authority had nothing left; micros that offline plans may reserve.
 */
export type Money = { held: number; exhausted: boolean; planRoom: number };

/**
 * The counters of a campaign: what was charged when its counting began, what was issued since, how far ahead of its
 * long curve it was when the plan was made with what it is held back by, that alone, the plan's targets of two hours as
 * shares (absent: it is in no plan), the turns of its creatives by orientation, and the credits of its creatives in
 * their order.
 */
export type Counters = {
  charged: number;
  issued: number;
  ahead: number;
  heldBack: number;
  firstHour?: number;
  secondHour: number;
  turns: readonly [number, number];
  credits: readonly number[];
};

/** A plan as its bytes in base64url, with the share of the network's screens that this process had. */
type PlanEntry = { bytes: string; part: number };

export type BeginEntry = {
  k: 'begin';
  atMs: Milliseconds;
  /** When the even curves begin, and how far ahead of them a campaign may be without a plan. */
  baseMs: Milliseconds;
  leadMax: number;
  /** How many `state` entries belong to it. */
  campaigns: number;
  /** With the handles of its campaigns that are known here. */
  plan?: PlanEntry & { members: readonly Handle<'campaign'>[] };
};
/**
 * In the order of the process's own numbers. Without `facts` the campaign has ended: it keeps its number, and category
 * and workspace still say which campaigns it competed with.
 */
export type StateEntry = {
  k: 'state';
  handle: Handle<'campaign'>;
  facts?: RecordedCampaign;
  category: string;
  workspace: Handle<'workspace'>;
  counters: Counters;
  money: Money;
};
export type JournalChange =
  | { k: 'campaign'; next: number; handle: Handle<'campaign'>; facts?: RecordedCampaign }
  | {
      k: 'screen';
      next: number;
      screen: RecordedScreen;
      venue: RecordedVenue;
      creditMs: Milliseconds;
      last: Handle<'campaign'>;
      recent: readonly (readonly [campaign: Handle<'campaign'>, atSeconds: number])[];
    }
  | ({ k: 'plan'; next: number } & PlanEntry)
  | ({ k: 'money'; next: number; campaign: Handle<'campaign'> } & Money)
  | { k: 'prepare'; next: number; screen: Handle<'screen'>; atMs: Milliseconds }
  | { k: 'refresh'; next: number; atMs: Milliseconds; steps: number; times: number };
export type JournalEntry = BeginEntry | StateEntry | JournalChange;

/** Parses the lines of one part. Entries without the bounds or restrictions of a venue are read as unbounded. */
function parseJournal(text: string): JournalEntry[] {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const entry = JSON.parse(line) as JournalEntry;
      return entry.k === 'screen' ? { ...entry, venue: { ...UNBOUNDED, ...entry.venue } } : entry;
    });
}
const UNBOUNDED = { audienceMax: Infinity, screensNear: 1, restrictions: UNRESTRICTED };

/** The stored parts of one run, in any order. `number` of decisions is that of the first. */
export type StoredRun = {
  state: readonly string[];
  changes: readonly { number: number; text: string }[];
  decisions: readonly { number: number; bytes: Uint8Array }[];
};
export type RunStep = { entry: JournalEntry } | { number: number; record: DecisionRecord };

/**
 * The events of a run, in order. It ends if a part is missing, or if a newer version wrote a reason that this one does
 * not know: what came after cannot be followed.
 */
export function* stepsOf({ state, changes, decisions }: StoredRun): Generator<RunStep> {
  for (const text of state) for (const entry of parseJournal(text)) yield { entry };
  const { whole, parts } = withoutGap(changes, () => 1);
  const entries = parts.flatMap(part => parseJournal(part.text)) as JournalChange[];
  const lastKnown = whole ? Infinity : (entries.at(-1)?.next ?? 0);
  let place = 0;
  for (const { number: first, bytes } of withoutGap(decisions, part => part.bytes.length / RECORD_BYTES).parts) {
    let number = first;
    for (const record of readRecords(bytes)) {
      while (place < entries.length && entries[place]!.next <= number) yield { entry: entries[place++]! };
      if (number >= lastKnown || record.answer === UNKNOWN_REASON) return;
      yield { number: number++, record };
    }
  }
}

/** Parts by their numbers, each once, as far as none is missing. */
function withoutGap<Part extends { number: number }>(
  parts: readonly Part[],
  lengthOf: (part: Part) => number,
): { whole: boolean; parts: Part[] } {
  const known: Part[] = [];
  for (const part of [...parts].sort((a, b) => a.number - b.number)) {
    const before = known.at(-1);
    if (before !== undefined && part.number === before.number) continue;
    if (before !== undefined && part.number !== before.number + lengthOf(before)) return { whole: false, parts: known };
    known.push(part);
  }
  return { whole: true, parts: known };
}
