/** The clock of a sandbox as the API reads and shows it. See docs/sandbox.md. */
import { refuseField, type Refusal } from '#domain/refusal.ts';
import { parseMoment } from '#domain/time/calendar.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { sandboxTime, type SandboxClock } from '#sql/sandbox/clock.ts';
import type { Clock } from './schema.ts';

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;
/** Schedules end before it. */
const END_MS = Date.UTC(2100, 0, 1);

export function parseTarget(to: string): Milliseconds | Refusal {
  const toMs = TIME.test(to) ? parseMoment(to) : undefined;
  return toMs === undefined || toMs >= END_MS
    ? refuseField('/to', 'bad_format', 'must be a time of ISO 8601 in UTC before 2100, such as 2037-09-01T00:00:00Z')
    : toMs;
}

export function clockRecord(clock: SandboxClock | undefined, now: Milliseconds): Clock {
  const target = clock?.target_at ?? null;
  return {
    now: new Date(sandboxTime(clock, now)).toISOString(),
    status: target === null ? 'ready' : 'advancing',
    target: target && target.toISOString(),
    plays: clock?.plays ?? 0,
    stopped_by: clock?.stopped_by ?? null,
  };
}
