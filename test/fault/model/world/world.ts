/**
 * One world of the model as plain data: Postgres, the authority in Redis, ClickHouse, delivery nodes with their disks,
 * ingest workers, screens, and messages on their way. A move is one atomic step of one process, a message that arrives,
 * a wait, or a fault; after each the promises are checked.
 */
import { pick } from '../chance.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** A node stops filling so long after its last renewal, and is fenced so long after it. */
export const STOP = 100 * SECOND;
export const FENCE = 120 * SECOND;
export const LOCK = 5 * SECOND;
/** Of an insert. */
export const DEADLINE = 30 * SECOND;
/** How far ahead a slot may be asked for. */
export const LEAD = 48 * HOUR;
export const EXPIRES = 15 * MINUTE;
export const PLAN_EXPIRES = 48 * HOUR;
const WINDOW = 48 * HOUR;
export const PLAN_WINDOW = 7 * DAY;
/** What a play reserves: of a screen without a sensor, and the most of one with it. */
export const PLAY = 2;
export const PLAY_MAX = 4;

export const FAULTS = {
  request: 0.04,
  reply: 0.05,
  twice: 0.03,
  kill: 0.08,
  freeze: 0.08,
  power: 0.04,
  machine: 0.03,
  cut: 0.05,
  link: 0.1,
  offline: 0.04,
  clock: 0.04,
  reboot: 0.03,
  clickhouse: 0.15,
  redis: 0.05,
  down: 0.04,
};
export type FaultKind = keyof typeof FAULTS;

export type Config = {
  budgets: number[];
  nodes: number;
  screens: number;
  workers: number;
  /** Slots that are asked for, and edits of budgets, at most. */
  slots: number;
  patches: number;
  /** The last so many screens show several ads at once; only there do times of screens play a part. */
  doubles?: number;
  /** Workers ask how long ClickHouse has run, so that they need not wait for the deadline after a restart. */
  asksUptime?: boolean;
  faults: Partial<Record<FaultKind, number>>;
  /** How often time passes, and how many moves there are. */
  pace: number;
  steps: number;
};

/** A play as it was issued. `uid` is the model's own name for it, `id` the one that the product knows. */
export type Play = {
  uid: number;
  id: string;
  no: number;
  epoch: number;
  campaign: number;
  screen: string;
  slot: number;
  isPlan: boolean;
  reserved: number;
};
/** `turn` is the stretch of its screen's time in which the play was shown. */
export type Reported = Play & { cost: number; turn: number };
/**
 * What the model remembers of a play: when it was thrown away, acknowledged, and the earliest time at which it was
 * added.
 */
type Fate = Play & { given: number; ackedAt: number; added: number };
export type Release = { play?: Play; screen?: string; upTo?: number };
export type Batch = { id: string; plays: Reported[]; frees: Release[]; added?: number };
export type Answer = 'counted' | 'duplicate' | 'late';
type Job = Batch & {
  added: number;
  line: number;
  isDone: boolean;
  lock: number;
  answers: Record<number, Record<number, Answer>>;
  group: string | null;
};
/** `uptime`: how long ClickHouse had run, by the inserts of the group. */
type Group = { jobs: string[]; isDone: boolean; attempt: number; deadline: number; uptime?: number };
type LastCall = { seq: number; n: number };
export type Epoch = {
  state: 'live' | 'fenced' | 'recovered' | 'old';
  seen: number;
  grants: Record<number, LastCall>;
  gifts: Record<number, number>;
};
export type Money = {
  handed: number;
  free: number;
  target: number;
  asked: number;
  returned: number;
  spent: number;
  open: Record<number, number>;
  doubt: Record<number, number>;
  until: Record<number, number>;
  /** In doubt since a rebuild. */
  old: number;
  oldUntil: number;
  /** By play: 1 counted, 2 released or lapsed. */
  bits: Record<string, number>;
  names: Record<string, Play>;
  cap: number;
};
type Hold = { at: number; from: number; waiting: number[] };
export type Redis = {
  isUp: boolean;
  isBlessed: boolean;
  generation: number;
  first: number;
  epochNumber: number;
  /** When it was last written, and up to when what it holds is known to have survived. */
  newest: number;
  survived: number;
  line: number;
  lostAt: number;
  epochs: Record<number, Epoch>;
  claimed: Record<number, true>;
  jobs: Record<string, Job>;
  groups: Record<string, Group>;
  releases: (Release & { after: number })[];
  hold: Hold | null;
  campaigns: Money[];
  /** By screen and turn: the play that has it. */
  times: Record<string, string>;
};

export type Row = {
  uid: number;
  id: string;
  campaign: number;
  group: string;
  job: string;
  screen: string;
  turn: number;
  isLate: boolean;
  isOverlap: boolean;
  cost: number;
  token: string;
};
type Insert = {
  token: string;
  rows: Row[];
  deadline: number;
  uptimeMin: number;
  worker: string;
  tag: number;
  stage: 0 | 1;
};
export type Table = 'raw' | 'view';
type Clickhouse = {
  isUp: boolean;
  startedAt: number;
  rows: Record<Table, Row[]>;
  tokens: Record<Table, Record<string, true>>;
  seen: Record<Table, Record<number, true>>;
  calls: Insert[];
  cost: number[];
};

type LogRecord =
  | { kind: 'block'; campaign: number; from: number; to: number; money: number }
  | { kind: 'used'; play: Play }
  | { kind: 'closed'; campaign: number };
export type IssueLog = { epoch: number; boot: number; records: LogRecord[]; isDone: boolean };
type Ack = { link: number; screen: string; message: number };
type Gathering = { plays: Reported[]; frees: Release[]; acks: Ack[] };
type Block = { next: number; last: number; money: number };
type Claim = { epoch: number; born: number; hold: number[]; log: IssueLog };
export type Node = {
  id: string;
  folder: string;
  isUp: boolean;
  isFrozen: boolean;
  runs: number;
  began: number;
  epoch: number;
  born: number;
  log: IssueLog;
  logs: IssueLog[];
  kept: Record<string, Batch & { added: number }>;
  batch: Gathering;
  adding: { job: Batch; acks: Ack[] } | null;
  claim: Claim | null;
  told: Play[];
  unlogged: Play[];
  seq: number;
  jobs: number;
  hold: number[];
  block: (Block | null)[];
  giving: (LastCall | null)[];
  asking: number[];
  nextNo: number[];
  /** It keeps batches that Redis lost: a second fault on top of that is not promised. */
  isOwing: boolean;
};

type Link = { id: number; node: string; runs: number };
export type Screen = {
  id: string;
  hasSensor: boolean;
  isDouble: boolean;
  turn: number;
  skew: number;
  offline: number;
  settled: number;
  links: Link[];
  fills: Play[];
  unacked: Reported[];
  sent: Record<number, number[]>;
};
export type Upward =
  | { t: 'slot'; at: number; isPlan: boolean }
  | { t: 'plays'; message: number; plays: Reported[]; settled?: number }
  | { t: 'cannot'; play: Play };
export type Downward = { t: 'fill'; play: Play } | { t: 'ack'; message: number; job: string; added: number };
export type Message = { link: number; screen: string } & (
  { way: 'up'; node: string; runs: number; body: Upward } | { way: 'down'; body: Downward }
);

export type Worker = {
  id: string;
  isFrozen: boolean;
  phase: 'idle' | 'group' | 'times' | 'count' | 'server' | 'token' | 'look' | 'send' | 'sent' | 'finish';
  ids: string[];
  group: string;
  jobs: string[];
  rows: Omit<Row, 'token'>[];
  todo: [job: string, campaign: number][];
  barred: readonly string[];
  looked: number;
  isAbsent: boolean;
  /** Of a look for rows: whether it began after the deadline of the insert that it looked for. */
  isLateLook: boolean;
  /** What ClickHouse said of itself when it was asked last. */
  server: { uptime: number; askedAt: number };
  token: string;
  deadline: number;
  tag: number;
};

type Books = { budget: number; handed: number; target: number; returned: number; charged: number };
type Postgres = {
  generation: number;
  epoch: number;
  live: Record<number, true>;
  line: number;
  settled: Record<string, true>;
  reading: { id: string; sums: number[] }[];
  refunds: { campaign: number; returned: number; generation: number }[];
  deltas: [campaign: number, amount: number][];
  campaigns: Books[];
};

export type World = {
  config: Config;
  now: number;
  ids: number;
  isCalm: boolean;
  asked: number;
  isRebuildTold: boolean;
  cut: Record<string, number>;
  echoes: { name: string; run: (world: World) => void }[];
  net: Message[];
  snapshots: Redis[];
  /** By job: the node that acknowledged it, as it then ran, and whether a screen has heard that. */
  acked: Record<string, { node: string; runs: number; plays: number[]; isHeard: boolean }>;
  plays: Record<number, Fate>;
  postgres: Postgres;
  clickhouse: Clickhouse;
  disks: Record<string, IssueLog[]>;
  boots: Record<string, number>;
  redis: Redis;
  nodes: Node[];
  screens: Screen[];
  workers: Worker[];
};

export class Breach extends Error {}
export function fail(text: string): never {
  throw new Breach(text);
}

/** The end of the window in which a play is counted and charged. */
export function windowEnd({ slot, isPlan }: Play): number {
  return slot + (isPlan ? PLAN_WINDOW : WINDOW);
}

/** A play's id is unique within its campaign. */
export function nameOf({ campaign, id }: Pick<Play, 'campaign' | 'id'>): string {
  return `${campaign}/${id}`;
}

export function timeOf({ screen, turn }: { screen: string; turn: number }): string {
  return `${screen}:${turn}`;
}

export function sum(amounts: Record<number, number> | readonly number[]): number {
  return Object.values(amounts).reduce((total, amount) => total + amount, 0);
}

export function emptyRedis(budgets: readonly number[]): Redis {
  return {
    isUp: true,
    isBlessed: true,
    generation: 1,
    first: 0,
    epochNumber: 0,
    newest: 0,
    survived: Infinity,
    line: 0,
    lostAt: 0,
    epochs: {},
    claimed: {},
    jobs: {},
    groups: {},
    releases: [],
    hold: null,
    times: {},
    campaigns: budgets.map(() => ({
      handed: 0,
      free: 0,
      target: 0,
      asked: 0,
      returned: 0,
      spent: 0,
      open: {},
      doubt: {},
      until: {},
      old: 0,
      oldUntil: 0,
      bits: {},
      names: {},
      cap: Infinity,
    })),
  };
}

/** A world in which nothing runs yet. */
export function emptyWorld(config: Config): World {
  const { budgets, nodes, screens, workers, doubles = 0 } = config;
  const log = { epoch: 0, boot: 0, records: [], isDone: true };
  return {
    config,
    now: 30 * DAY,
    ids: 0,
    isCalm: false,
    asked: 0,
    isRebuildTold: false,
    cut: {},
    echoes: [],
    net: [],
    snapshots: [],
    acked: {},
    plays: {},
    postgres: {
      generation: 1,
      epoch: 0,
      live: {},
      line: 0,
      settled: {},
      reading: [],
      refunds: [],
      deltas: [],
      campaigns: budgets.map(budget => ({ budget, handed: 0, target: 0, returned: 0, charged: 0 })),
    },
    clickhouse: {
      isUp: true,
      startedAt: -DAY,
      rows: { raw: [], view: [] },
      tokens: { raw: {}, view: {} },
      seen: { raw: {}, view: {} },
      calls: [],
      cost: budgets.map(() => 0),
    },
    disks: {},
    boots: {},
    redis: emptyRedis(budgets),
    nodes: Array.from({ length: nodes }, (_, number) => ({
      id: `node${number}`,
      folder: `disk${number}`,
      isUp: false,
      isFrozen: false,
      runs: 0,
      began: -Infinity,
      epoch: 0,
      born: 0,
      log,
      logs: [],
      kept: {},
      batch: { plays: [], frees: [], acks: [] },
      adding: null,
      claim: null,
      told: [],
      unlogged: [],
      seq: 0,
      jobs: 0,
      hold: [],
      block: [],
      giving: [],
      asking: [],
      nextNo: [],
      isOwing: false,
    })),
    screens: Array.from({ length: screens }, (_, number) => ({
      id: `screen${number}`,
      hasSensor: number % 2 === 1,
      isDouble: number >= screens - doubles,
      turn: 0,
      skew: 0,
      offline: 0,
      settled: 0,
      links: [],
      fills: [],
      unacked: [],
      sent: {},
    })),
    workers: Array.from({ length: workers }, (_, number) => ({
      id: `ingest${number}`,
      isFrozen: false,
      phase: 'idle',
      ids: [],
      group: '',
      jobs: [],
      rows: [],
      todo: [],
      barred: [],
      looked: 0,
      isAbsent: false,
      isLateLook: false,
      server: { uptime: 0, askedAt: 0 },
      token: '',
      deadline: 0,
      tag: 0,
    })),
  };
}

/** Whether a fault strikes here, by its share of a thousand. */
export function strikes({ config, isCalm }: World, kind: FaultKind): boolean {
  const share = isCalm ? 0 : (config.faults[kind] ?? 0);
  return share > 0 && pick(1_000) < share * 1_000;
}

export function isCutOff({ cut, now }: World, who: string): boolean {
  return (cut[who] ?? 0) > now;
}

export function isReachable(world: World, node: Node): boolean {
  return node.isUp && !node.isFrozen && !isCutOff(world, node.id);
}
