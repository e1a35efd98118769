import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcess, isProcess, startTimeOf } from './process-identity.ts';

/** The engines that this folder starts. */
export type EngineName = 'postgres' | 'redis' | 'clickhouse';

// How long an orphan gets to write what it holds; the stop of a starter uses the same bound.
const PATIENCE_MS = 10_000;
const OWNER_FILE = 'engines.owner';
// SIGINT is PostgreSQL's fast shutdown (SIGTERM would wait for every client to leave).
const STOP_SIGNAL = { postgres: 'SIGINT', redis: 'SIGTERM', clickhouse: 'SIGTERM' } as const;

/** Folders that this very process has claimed. A claim under its pid that it has not made is one of an earlier boot. */
const claimed = new Set<string>();

/**
 * Claims `dataDir` for this process. Throws when a living process has it: two sets of engines on one folder would ruin
 * it. The claim of a dead process is taken over.
 */
export async function claimDataDir(dataDir: string): Promise<void> {
  const file = join(dataDir, OWNER_FILE);
  const claim = `${process.pid} ${await startTimeOf(process.pid)}`;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await writeFile(file, claim, { flag: 'wx' });
      claimed.add(dataDir);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const [pid, ...startTime] = (await readFile(file, 'utf8').catch(() => '')).split(' ');
    // Started by the same steps, a machine may give the same pid in the same hundredth of a second.
    const isOwn = Number(pid) === process.pid;
    if (isOwn ? claimed.has(dataDir) : Number(pid) > 0 && (await startTimeOf(Number(pid))) === startTime.join(' ')) {
      throw new Error(`the engines of ${dataDir} belong to the running process ${pid}; stop it first or choose another DATA_DIR`);
    }
    await rm(file, { force: true });
  }
  throw new Error(`another process is taking ${dataDir} at this moment`);
}

/** Gives `dataDir` back. */
export async function releaseDataDir(dataDir: string): Promise<void> {
  await rm(join(dataDir, OWNER_FILE), { force: true });
  claimed.delete(dataDir);
}

/** Remembers the process of an engine, for the next start to end if this one is killed. */
export async function writePidFile(dataDir: string, engine: EngineName, pid: number): Promise<void> {
  await writeFile(join(dataDir, `${engine}.pid`), String(pid));
}

/** Forgets it. */
export async function removePidFile(dataDir: string, engine: EngineName): Promise<void> {
  await rm(join(dataDir, `${engine}.pid`), { force: true });
}

/**
 * Ends what a killed earlier run left of `engine` on `dataDir`. Only a process whose command line names both the
 * engine's program and its folder is touched.
 * @param program a word of the command line, such as `postgres`
 */
export async function endOrphan(dataDir: string, engine: EngineName, program: string): Promise<void> {
  const pid = Number(await readFile(join(dataDir, `${engine}.pid`), 'utf8').catch(() => ''));
  if (pid > 0 && (await isProcess(pid, [program, join(dataDir, engine)]))) await stopEngineProcess(pid, engine);
  await removePidFile(dataDir, engine);
}

/** Stops an engine's process in its own graceful way, then by force; resolves when it is gone. */
export function stopEngineProcess(pid: number, engine: EngineName): Promise<void> {
  return endProcess(pid, { signal: STOP_SIGNAL[engine], patienceMs: PATIENCE_MS });
}
