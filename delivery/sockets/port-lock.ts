/**
 * The lock of a port that several processes of one instance share. The system lets any process join, so the first one
 * writes a file with the instance (its data folder); a process of another instance then fails with an error instead of
 * taking half of the screens.
 */
import { mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBootId } from '#runtime/boot.ts';
import { Fault } from '#runtime/fault-error.ts';
import { isRunning } from '#runtime/running-process.ts';

/** @returns a call that releases the lock. @throws Fault `port_taken` if another instance holds the port. */
export function lockPort({ port, dataDir }: { port: number; dataDir: string }): () => void {
  const folder = join(tmpdir(), `marquee-port-${port}`);
  mkdirSync(folder, { recursive: true });
  const boot = readBootId();
  const instance = `${boot} ${realpathSync(dataDir)}`;
  const own = join(folder, String(process.pid));
  writeFileSync(`${own}.new`, instance);
  renameSync(`${own}.new`, own); // no reader finds half of it
  for (const pid of readdirSync(folder).filter(name => /^\d+$/.test(name))) {
    const file = join(folder, pid);
    const holder = isRunning(Number(pid)) ? holderOf(file) : undefined;
    // After a reboot another program may have the pid.
    if (holder === undefined || !holder.startsWith(boot)) rmSync(file, { force: true });
    else if (holder !== instance) {
      rmSync(own, { force: true });
      throw new Fault('port_taken', `port ${port} is shared by another instance (process ${pid})`, {
        retryable: false,
      });
    }
  }
  return () => rmSync(own, { force: true });
}

/** The content of the file; undefined if it has just been removed. */
function holderOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
