/** A Python for tests of what is written in it, with a package that the standard library lacks. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findOrInstall } from '../../engines/package-manager.ts';

const run = promisify(execFile);
/** Debian's own comes second: its packages are for it alone, and PATH may begin with another. */
const PYTHONS = ['python3', '/usr/bin/python3'];

/** A Python that has the module; where none has, Debian's package of it is installed. */
export async function findPythonWith(module: string, debianPackage: string): Promise<string> {
  await findOrInstall({ programs: ['python3'], debian: 'python3', brew: 'python' });
  const known = await firstWith(module);
  if (known !== undefined) return known;
  await run('apt-get', ['install', '-y', '--no-install-recommends', debianPackage]);
  const installed = await firstWith(module);
  if (installed === undefined) throw new Error(`no Python here has the module ${module}`);
  return installed;
}

async function firstWith(module: string): Promise<string | undefined> {
  for (const python of PYTHONS) {
    try {
      await run(python, ['-c', `import ${module}`]);
      return python;
    } catch {
      // it lacks the module, or is not there: the next one may have it
    }
  }
  return undefined;
}
