/** The clock of a sandbox: read for test keys, and moved on request. See docs/sandbox.md. */
import type { Milliseconds } from '#domain/unit.ts';
import { refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import { parseMoment } from '#domain/time/calendar.ts';
import type { Postgres } from '#sql/postgres.ts';
import { readSandboxClock, sandboxTime, type SandboxClock } from '#records/sandbox-clock.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import type { Clock } from './schema.ts';

/** The longest month: a schedule of weeks takes a few steps. */
const ADVANCE_MS_MAX = 31 * 86_400_000;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;
/** Schedules end before it. */
const END_MS = Date.UTC(2100, 0, 1);

/** The time for the caller: in the sandbox, that of its clock. */
export async function callersTime(
  sql: Postgres,
  { workspace, sandbox }: Pick<Caller, 'workspace' | 'sandbox'>,
  now: Milliseconds,
): Promise<number> {
  return sandbox ? sandboxTime(await readSandboxClock(sql, workspace), now) : now;
}

export async function readClock(sql: Postgres, { workspace }: Caller, now: Milliseconds): Promise<Clock> {
  return clockRecord(await readSandboxClock(sql, workspace), now);
}

/** Requests a move of the clock from the workers. One move at a time. */
export async function advanceClock(
  sql: Postgres,
  caller: Caller,
  { to, now }: { to: string; now: Milliseconds },
): Promise<Clock | Refusal> {
  const toMs = TIME.test(to) ? parseMoment(to) : undefined;
  if (toMs === undefined || toMs >= END_MS)
    return refuseField(
      '/to',
      'bad_format',
      'must be a time of ISO 8601 in UTC before 2100, such as 2037-09-01T00:00:00Z',
    );
  return inUnitOfWork<Clock | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const { tx } = unit;
    await tx`insert into sandbox_clocks (workspace_handle, at) values (${caller.workspace}, ${unit.now})
      on conflict do nothing`;
    const [before] = await tx<
      SandboxClock[]
    >`select at, target_at, plays, stopped_by from sandbox_clocks where workspace_handle = ${caller.workspace}
      for update`;
    if (before!.target_at)
      return refuse('state_conflict', 'The clock is moving. Wait until GET /v1/sandbox/clock says ready.');
    const atMs = sandboxTime(before, now);
    if (toMs <= atMs)
      return refuseField(
        '/to',
        'out_of_range',
        `must be after ${new Date(atMs).toISOString()}, the time of the sandbox`,
      );
    if (toMs > atMs + ADVANCE_MS_MAX)
      return refuseField('/to', 'out_of_range', 'must be at most 31 days ahead of the time of the sandbox');
    const columns = { at: new Date(atMs), target_at: new Date(toMs), plays: 0, stopped_by: null };
    await tx`update sandbox_clocks set ${tx(columns)} where workspace_handle = ${caller.workspace}`;
    unit.audit({
      workspace: caller.workspace,
      action: 'sandbox.advanced',
      entityType: 'workspace',
      entityHandle: caller.workspace,
      diff: { now: { from: columns.at, to: columns.target_at } },
    });
    return clockRecord(columns, now);
  });
}

function clockRecord(clock: SandboxClock | undefined, now: Milliseconds): Clock {
  const target = clock?.target_at ?? null;
  return {
    now: new Date(sandboxTime(clock, now)).toISOString(),
    status: target === null ? 'ready' : 'advancing',
    target: target && target.toISOString(),
    plays: clock?.plays ?? 0,
    stopped_by: clock?.stopped_by ?? null,
  };
}
