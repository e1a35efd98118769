/** A Python for tests of what is written in it, with packages that the standard library lacks. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findOrInstall } from '../../engines/package-manager.ts';

const run = promisify(execFile);
/** Debian's own comes second: its packages are for it alone, and PATH may begin with another. */
const PYTHONS = ['python3', '/usr/bin/python3'];

/** A Python that has the modules; where none has, Debian's packages of them (`python3-...`) are installed. */
export async function findPythonWith(...modules: string[]): Promise<string> {
  await findOrInstall({ programs: ['python3'], debian: 'python3', brew: 'python' });
  const known = await firstWith(modules);
  if (known !== undefined) return known;
  const packages = modules.map(module => `python3-${module}`);
  await run('apt-get', ['install', '-y', '--no-install-recommends', ...packages]);
  const installed = await firstWith(modules);
  if (installed === undefined) throw new Error(`no Python here has ${modules.join(' and ')}`);
  return installed;
}

async function firstWith(modules: readonly string[]): Promise<string | undefined> {
  for (const python of PYTHONS) {
    try {
      await run(python, ['-c', `import ${modules.join()}`]);
      return python;
    } catch {
      // it lacks a module, or is not there: the next one may have it
    }
  }
  return undefined;
}
