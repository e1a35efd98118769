/** The clocks of sandboxes: read by the API and by the workers that move them. */
import type { Milliseconds } from '#domain/unit.ts';
import type { Handle } from '#domain/id.ts';
import type { Queryable } from '#sql/postgres.ts';

/** The stored clock of a workspace's sandbox; undefined if it was never moved. */
export type SandboxClock = { at: Date; target_at: Date | null; plays: number; stopped_by: 'plays_max' | null };

export async function readSandboxClock(
  sql: Queryable,
  workspace: Handle<'workspace'>,
): Promise<SandboxClock | undefined> {
  const [row] = await sql<
    SandboxClock[]
  >`select at, target_at, plays, stopped_by from sandbox_clocks where workspace_handle = ${workspace}`;
  return row;
}

/** The time (ms) in the sandbox of a workspace: the moved clock or now, whichever is later. */
export function sandboxTime(clock: SandboxClock | undefined, now: Milliseconds): number {
  return Math.max(now, clock?.at.getTime() ?? 0);
}
