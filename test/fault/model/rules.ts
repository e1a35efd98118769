/**
 * The rules by which plays are counted once and budgets kept, one sentence each. Every one was found because the search
 * breaks a promise without it; the test leaves each out in turn and expects just that.
 */
export const RULES = {
  totals: '`hand` carries the total ever handed, so that a repeat adds nothing',
  inOrder: 'calls that move a lease carry a number; one below the last seen does nothing',
  owed: '`take_back` leaves a debt in the authority: whatever becomes free pays it before it can be granted again',
  giveBack: 'a living node returns the part of a lease that it has not issued',
  named: 'the names of issued plays reach the authority with each renewal, so that `release` and `lapse` can find them',
  lapseLine: 'a play lapses when a line at or below `as_of` passes its window, never by the clock alone',
  linePg: 'the line is committed in Postgres before Redis hears of it, so that a rollback does not move it back',
  lastSlot: 'money in doubt without a name waits for the last slot that could have been issued, not for the fence',
  lateOnce: 'a late play sets the counted bit too, so that it is recorded once',
  releaseAdded: 'a release waits for the Redis time at which the batch of its own message was added',
  settledKept: 'a screen keeps its largest `settled_to` with its plays and never starts an older fill',
  asOfDup: 'a batch that counted a play keeps `as_of` back to every batch that was told `duplicate` meanwhile',
  oneGroup: 'a job belongs to one group for ever',
  lookFirst:
    'after an unknown outcome the worker looks for the group: there, repeat the token; not there, take the next token',
  deadline: 'an insert carries a deadline that ClickHouse checks',
  uptimeSaid: 'an insert says how long its server had run when it was asked, and a later run refuses it',
  uptimeLeast: 'a group keeps the least of what its inserts said, until the server was started again',
  uptimeYoung:
    'in its first seconds a server is said to have run for none: a later run reaches as much before the deadline',
  uptimeInLook: 'the look for a group asks how long the server has run in the same statement',
  blockMoney: 'a block of issue numbers carries money, and its fills spend no more than that',
  bootId: 'an issue log is believed only on the boot that wrote it',
  epochPg: 'epochs come from Postgres, so that none is given twice',
  detect: 'a restarted authority answers nothing until it was rebuilt',
  rebuildRows: 'a rebuild takes `spent` from the rows, settled or not',
  rebuildReturned: 'a rebuild subtracts what was already returned',
  rebuildFence: 'a rebuild closes every epoch; a living node claims what it had not issued and takes a new epoch',
  oldAtCost: 'after a rebuild an older play takes its cost out of doubt; what it saves, or gives back, stays in doubt',
  forget: 'a rebuild forgets answers and groups, and group names never come back',
  viewRepair:
    'a rebuild repeats each unsettled group from the raw table under its own token, so that the views are whole',
  asOfHold: 'after a rebuild `as_of` waits until each living node has added its kept batches again',
  settleGroup: 'settlement goes by inserted group, not by job',
  screenTime:
    'a play takes the time of its screen before it is counted; where another one has it, it is recorded and not charged',
  timeByPlay: 'the time of a screen is kept by play, so that a group that is repeated is told the same',
  rebuildTimes: 'a rebuild takes the times of screens from the rows that count',
  keptToAsOf: 'delivery forgets a batch when it is complete and `as_of` has passed the time at which it was added',
} as const;
export type Rule = keyof typeof RULES;
export const RULE_NAMES = Object.keys(RULES) as readonly Rule[];

const left = new Set<Rule>();

/** Leaves these rules out of every world from now on; none: all of them hold. */
export function leaveOut(rules: readonly Rule[]): void {
  left.clear();
  for (const rule of rules) left.add(rule);
}

export function holds(rule: Rule): boolean {
  return !left.has(rule);
}
