/**
 * The claim of a data folder: a file that names the process whose engines run on it, so that no two sets of engines
 * ever share one. `run.ts` claims the folder before it starts anything and releases it at the end.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endGracefully, type EngineName } from './ending.ts';
import { wardenOfThisProcess } from './owned.ts';
import { type Identity, identify, isAlive, isGoneWithin, isProcess } from './process-identity.ts';

/** The file of a data folder that says whose it is. */
export const CLAIM_FILE = 'engines.owner';

/** Next to the claim: the process that cleans up after its owner (owned.ts). */
const WARDEN_FILE = 'engines.warden';
/** The warden waits for services that drain (12 s at most) and for three engines (10 s each). */
const WARDEN_MS_MAX = 45_000;

/** Folders that this very process has claimed. A claim under its pid that it has not made is one of an earlier boot. */
const claimed = new Set<string>();

/**
 * Claims `dataDir` for this process. Throws when a living process has it: two sets of engines on one folder would ruin
 * it. The claim of a dead process is taken over after its leftovers have been stopped.
 */
export async function claimDataDir(dataDir: string): Promise<void> {
  const file = join(dataDir, CLAIM_FILE);
  const claim = spell((await identify(process.pid))!);
  const warden = await wardenOfThisProcess();
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await writeFile(file, claim, { flag: 'wx' });
      await writeFile(join(dataDir, WARDEN_FILE), spell(warden));
      claimed.add(dataDir);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = await readIdentity(file);
    // A container that boots in the same steps may give the same pid at the same start time again.
    if (owner.pid === process.pid ? claimed.has(dataDir) : await isAlive(owner)) {
      throw new Error(
        `the engines of ${dataDir} belong to the running process ${owner.pid}; stop it first or choose another DATA_DIR`,
      );
    }
    const others = await readIdentity(join(dataDir, WARDEN_FILE));
    if (others.pid !== warden.pid) await isGoneWithin(others, WARDEN_MS_MAX);
    await rm(file, { force: true });
  }
  throw new Error(`another process is taking ${dataDir} at this moment`);
}

const spell = ({ pid, startTime }: Identity): string => `${pid} ${startTime}`;

/** The process in a file; a nonexistent one without a file. */
async function readIdentity(file: string): Promise<Identity> {
  const [pid, ...startTime] = (await readFile(file, 'utf8').catch(() => '')).split(' ');
  return { pid: Number(pid), startTime: startTime.join(' ') };
}

/** Gives `dataDir` back. */
export async function releaseDataDir(dataDir: string): Promise<void> {
  await rm(join(dataDir, WARDEN_FILE), { force: true });
  await rm(join(dataDir, CLAIM_FILE), { force: true });
  claimed.delete(dataDir);
}

/** Remembers the process of an engine, for the next start to end if this one is killed. */
export async function writePidFile(dataDir: string, engine: EngineName, pid: number): Promise<void> {
  await writeFile(join(dataDir, `${engine}.pid`), String(pid));
}

/** Forgets the process of an engine that has ended. */
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
  const identity = pid > 0 ? await identify(pid) : undefined;
  if (identity && (await isProcess(pid, [program, join(dataDir, engine)])))
    await endGracefully({ ...identity, kind: engine });
  await removePidFile(dataDir, engine);
}
