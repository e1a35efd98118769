/**
 * The design of counting and budgets as an executable model: without any rule a promise breaks, with all of them none
 * does in any seed tried. `FAULT_SEEDS` sets how many; `npm run test:model -- --seeds 3000` is the long run.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { leaveOut, RULE_NAMES, RULES, type Rule } from './model/rules.ts';
import { anyConfig, runScript, runSeed, type ScriptStep } from './model/search.ts';
import type { Config } from './model/world/world.ts';

const SEEDS = Number(process.env['FAULT_SEEDS'] ?? 60);
const FROM = Number(process.env['FAULT_FROM'] ?? 1);
/** A world of few processes and screens, in which one kind of trouble is frequent. */
const small = (changes: Partial<Config>): Config => ({
  budgets: [30],
  nodes: 2,
  screens: 2,
  workers: 2,
  slots: 30,
  patches: 0,
  faults: {},
  pace: 1,
  steps: 500,
  ...changes,
});

/** Any world, in which one screen shows several ads at once. */
const withDoubles = (): Config => ({ ...anyConfig(), doubles: 1 });

/** Any world, in which workers ask how long ClickHouse has run. */
const withUptimes = (): Config => ({ ...anyConfig(), asksUptime: true });

/** One screen's play, and two workers of which the first is stopped; ClickHouse is killed as the script says. */
const uptimes = small({ nodes: 1, screens: 1, faults: { clickhouse: 0.1, freeze: 0.1 }, asksUptime: true });

/** A play is booked, shown, reported and stored in the queue. */
const STORED_PLAY: readonly ScriptStep[] = [
  ...moves('workers raise handed', 'workers tell handed', 'node0 renews', 'node0 asks a lease'),
  ...played('screen0'),
  ...moves('screen0 reports', 'plays up screen0', 'node0 stores a batch'),
];
/** The first worker has a token, and is stopped before it sends its insert. */
const STOPPED_WITH_TOKEN: readonly ScriptStep[] = [
  ...moves('ingest0 idle', 'ingest0 group', 'ingest0 count', 'ingest0 server', 'ingest0 token'),
  { move: 'ingest0 is stopped' },
];
/** The second worker takes the group over, once the lock of the first has lapsed. */
const TAKEN_OVER = moves('ingest1 idle', 'ingest1 group', 'ingest1 count', 'ingest1 server', 'ingest1 token');
const STARTED_AGAIN = moves('clickhouse is killed', 'clickhouse starts');
/** What each does next depends on the rule: a worker waits or sends, and ClickHouse has an insert to write or none. */
const ANY = { first: { move: 'ingest0' }, second: { move: 'ingest1' }, clickhouse: { move: 'clickhouse' } };

/** The second takes the next token after the restart, and writes; then the first goes on. */
const SENT_AFTER_RESTART: readonly ScriptStep[] = [
  ...STORED_PLAY,
  ...STOPPED_WITH_TOKEN,
  ...STARTED_AGAIN,
  { move: 'wait', picks: [0] }, // 6 s
  ...TAKEN_OVER,
  ANY.second,
  ANY.second,
  ANY.second,
  { move: 'ingest0 goes on' },
  ANY.first,
  ANY.clickhouse,
  ANY.clickhouse,
  ANY.clickhouse,
];

/** The server of the first worker had just begun, and the next one has soon run for as long. */
const SENT_TO_AS_YOUNG_A_SERVER: readonly ScriptStep[] = [
  ...STARTED_AGAIN,
  { move: 'wait', picks: [0] }, // 6 s
  ...STORED_PLAY,
  ...STOPPED_WITH_TOKEN,
  ...STARTED_AGAIN,
  { move: 'wait a little', picks: [3] }, // 4 s
  { move: 'wait a little', picks: [2] }, // 1 s
  ...TAKEN_OVER,
  ANY.second,
  ANY.second,
  ANY.second,
  { move: 'wait a little', picks: [2] },
  { move: 'ingest0 goes on' },
  ANY.first,
  ANY.clickhouse,
  ANY.clickhouse,
  ANY.clickhouse,
];

/** The rows come, and then the restart, between the look for rows and the question how long the server has run. */
const WRITTEN_AFTER_LOOK: readonly ScriptStep[] = [
  ...STORED_PLAY,
  ...STOPPED_WITH_TOKEN,
  { move: 'wait', picks: [0] },
  ...TAKEN_OVER,
  { move: 'ingest1 look' },
  { move: 'ingest0 goes on' },
  ...moves('ingest0 send', 'clickhouse raw part', 'clickhouse view part'),
  ...STARTED_AGAIN,
  ANY.second,
  ANY.second,
  ANY.second,
  ANY.clickhouse,
];

/** A lapsed play is reported after Redis was lost, when its money went to two others that are out. */
const LAPSED_AND_REPORTED: readonly ScriptStep[] = [
  ...moves('workers raise handed', 'workers tell handed', 'node0 renews', 'node0 asks a lease'),
  ...played('screen0'),
  ...moves('node0 writes its log', 'node0 renews'),
  // of an hour each: a plan's window of seven days passes
  ...Array.from({ length: 175 }, () => ({ move: 'wait long' })),
  ...moves('workers raise the lapse line', 'workers lapse', 'node0 asks a lease'),
  ...played('screen2'),
  ...moves('workers raise handed', 'workers tell handed', 'node0 asks a lease'),
  ...played('screen2'),
  ...moves('node0 writes its log', 'node0 renews'),
  { move: 'redis is restarted', picks: [1] }, // empty
  ...Array.from({ length: 6 }, () => ({ move: 'wait', picks: [0] })),
  { move: 'workers rebuild the authority' },
  ...reported('screen0'),
  ...reported('screen2'),
];

function moves(...labels: string[]): ScriptStep[] {
  return labels.map(move => ({ move }));
}

function played(screen: string): ScriptStep[] {
  return moves(
    `${screen} connects to node0`,
    `${screen} asks for a slot`,
    `slot up ${screen}`,
    `fill down ${screen}`,
    `${screen} plays`,
  );
}

/** A report is stored, and the group of its plays counted and written. */
function reported(screen: string): ScriptStep[] {
  return moves(
    `${screen} reports`,
    `plays up ${screen}`,
    'node0 stores a batch',
    'ingest0 idle',
    'ingest0 group',
    'ingest0 count',
    'ingest0 token',
    'ingest0 send',
    'clickhouse raw part',
    'clickhouse view part',
    'ingest0 finish',
  );
}

/**
 * What breaks a promise without the rule: a seed of any world or, where that takes thousands of seeds, of one made for
 * it; or a script.
 */
type Breaks = (
  { seed: number; config?: Config; configOf?: () => Config } | { script: readonly ScriptStep[]; config: Config }
) & {
  /** Rules that hide what this one is for, and are left out in both runs. */
  beside?: readonly Rule[];
};
const BREAKS: Record<Rule, Breaks> = {
  totals: { seed: 10 },
  inOrder: { seed: 14 },
  owed: { seed: 13 },
  giveBack: { seed: 2 },
  named: { seed: 3 },
  lapseLine: { seed: 16 },
  linePg: {
    script: LAPSED_AND_REPORTED,
    config: small({ budgets: [4], nodes: 1, screens: 3, workers: 1, faults: { redis: 1 } }),
  },
  lastSlot: {
    seed: 1_224,
    config: small({
      budgets: [8],
      workers: 1,
      slots: 20,
      faults: { freeze: 0.3, machine: 0.2, kill: 0.2, offline: 0.3, cut: 0.2 },
      pace: 3,
      steps: 700,
    }),
  },
  lateOnce: { seed: 46 },
  releaseAdded: { seed: 31 },
  settledKept: {
    seed: 35,
    config: small({ nodes: 1, screens: 1, workers: 1, slots: 60, faults: { reboot: 0.3 }, pace: 0.1 }),
  },
  asOfDup: { seed: 299 },
  oneGroup: { seed: 3 },
  lookFirst: { seed: 59 },
  deadline: { seed: 19 },
  uptimeSaid: { script: SENT_AFTER_RESTART, config: uptimes },
  uptimeLeast: { seed: 2_347, configOf: withUptimes },
  uptimeYoung: { script: SENT_TO_AS_YOUNG_A_SERVER, config: uptimes },
  uptimeInLook: { script: WRITTEN_AFTER_LOOK, config: uptimes },
  blockMoney: { seed: 160, config: small({ budgets: [6], faults: { kill: 0.4, freeze: 0.1 } }) },
  bootId: { seed: 23 },
  epochPg: { seed: 44 },
  detect: { seed: 28 },
  rebuildRows: { seed: 44 },
  rebuildReturned: {
    seed: 1_321,
    config: small({ budgets: [8, 30], patches: 3, faults: { redis: 0.3, down: 0.1, kill: 0.05 } }),
    beside: ['owed'],
  },
  rebuildFence: { seed: 6 },
  oldAtCost: {
    seed: 670,
    config: small({ budgets: [8, 30], faults: { redis: 0.2, down: 0.1, kill: 0.05, freeze: 0.05 } }),
  },
  forget: { seed: 251 },
  viewRepair: { seed: 119 },
  asOfHold: { seed: 44 },
  settleGroup: { seed: 53 },
  screenTime: { seed: 16, configOf: withDoubles },
  timeByPlay: { seed: 2, configOf: withDoubles },
  rebuildTimes: { seed: 55, configOf: withDoubles },
  keptToAsOf: { seed: 670, config: small({ screens: 1, faults: { clickhouse: 0.9, redis: 0.3 }, pace: 0.3 }) },
};

function outcomeOf(breaks: Breaks): string | undefined {
  if ('script' in breaks) return runScript(breaks.config, breaks.script);
  const { seed, config, configOf = config && (() => structuredClone(config)) } = breaks;
  return runSeed(seed, configOf ? { configOf } : {}).breach;
}

afterEach(() => leaveOut([]));

test.each([
  ['', anyConfig],
  [' of worlds in which a screen shows several ads at once', withDoubles],
  [' of worlds in which workers ask how long ClickHouse has run', withUptimes],
])(
  `no promise breaks in the ${SEEDS} seeds from ${FROM}%s`,
  (_, configOf) => {
    const breaches = Array.from({ length: SEEDS }, (_, index) => runSeed(FROM + index, { configOf })).filter(
      ({ breach }) => breach !== undefined,
    );
    expect(breaches).toEqual([]);
  },
  60_000 + SEEDS * 1_000,
);

describe('a promise breaks without the rule', () => {
  test.each(RULE_NAMES.map(rule => [rule, RULES[rule]] as const))('%s: %s', rule => {
    const { beside = [] } = BREAKS[rule];
    leaveOut(beside);
    expect(outcomeOf(BREAKS[rule]), 'with the rule').toBeUndefined();
    leaveOut([...beside, rule]);
    expect(outcomeOf(BREAKS[rule])).toEqual(expect.any(String));
  });
});
