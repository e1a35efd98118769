/**
 * How the parts of an instance are stopped: services first, which pass on their data, then ClickHouse, Redis, which has
 * the data missing in ClickHouse, and PostgreSQL. `program` is anything else, which receives no data.
 */
import { rm } from 'node:fs/promises';
import { endProcess, type Identity } from './process-identity.ts';

export type EngineName = 'postgres' | 'redis' | 'clickhouse' | 'clickhouse_analysts';
export type Kind = EngineName | 'service' | 'program';

type Way = { signal: NodeJS.Signals; patienceMs: number; turn: number };

/** The time for an engine to write its data. */
const PATIENCE_MS = 10_000;
/** Services drain within 10 s by themselves. */
const DRAIN_MS = 12_000;
/** An immediate shutdown of PostgreSQL waits 5 s for its children; unwritten data are in its log. */
const FORCED_MS = 6_000;

const WAYS: Record<Kind, Way> = {
  program: { signal: 'SIGTERM', patienceMs: 2_000, turn: 0 },
  service: { signal: 'SIGTERM', patienceMs: DRAIN_MS, turn: 0 },
  clickhouse_analysts: { signal: 'SIGTERM', patienceMs: 2_000, turn: 0 }, // it only reads
  clickhouse: { signal: 'SIGTERM', patienceMs: PATIENCE_MS, turn: 1 },
  redis: { signal: 'SIGTERM', patienceMs: PATIENCE_MS, turn: 2 },
  // SIGINT is PostgreSQL's fast shutdown (SIGTERM would wait for every client to leave).
  postgres: { signal: 'SIGINT', patienceMs: PATIENCE_MS, turn: 3 },
};

export type OwnedProcess = Identity & { kind: Kind };
/** The processes and files of a process, which end with it. */
export type Belongings = { processes: readonly OwnedProcess[]; paths: readonly string[] };

/**
 * Stops all of them and removes the files and folders; resolves when they are gone. `byForce`: at once, for a person
 * who does not want to wait. Acknowledged data are on disk in either case.
 */
export async function endAll(belongings: Belongings, { byForce }: { byForce: boolean }): Promise<void> {
  const turns = byForce ? [belongings.processes] : inTurns(belongings.processes);
  const end = byForce ? endByForce : endGracefully;
  for (const processes of turns) await Promise.all(processes.map(end));
  await Promise.all(belongings.paths.map(removePath));
}

/** Ends one process in the graceful way of its kind, then by force; resolves when it is gone. */
export function endGracefully(owned: OwnedProcess): Promise<void> {
  return endProcess(owned, WAYS[owned.kind]);
}

function inTurns(processes: readonly OwnedProcess[]): OwnedProcess[][] {
  const turns = [...new Set(processes.map(({ kind }) => WAYS[kind].turn))].sort((one, other) => one - other);
  return turns.map(turn => processes.filter(({ kind }) => WAYS[kind].turn === turn));
}

function endByForce(owned: OwnedProcess): Promise<void> {
  // After SIGKILL, PostgreSQL's children and its shared memory would be left behind for a while.
  return endProcess(owned, { signal: owned.kind === 'postgres' ? 'SIGQUIT' : 'SIGKILL', patienceMs: FORCED_MS });
}

/** Removes a file, or a folder in which a last writer may still be at work. */
export async function removePath(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
