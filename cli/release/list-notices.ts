/**
 * Lists the packages that a running installation loads, with version and license, from the lock file and their
 * manifests: `npm run notices`. NOTICE is written from it.
 */
import { readFileSync } from 'node:fs';

type Locked = { version?: string; license?: string; dev?: boolean; devOptional?: boolean; optional?: boolean };

const ROOT = new URL('../..', import.meta.url);

function main(): void {
  const lock = JSON.parse(readFileSync(new URL('package-lock.json', ROOT), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const lines = Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
    .map(
      ([path, locked]) =>
        `${nameOf(path)}@${locked.version ?? '?'}\t${locked.license ?? licenseOf(path) ?? 'see its own files'}`,
    );
  for (const line of [...new Set(lines)].sort()) console.log(line);
}

/**
 * The name of a package: the path after the last `node_modules`, since a package may be installed in several places.
 */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** The license of a package without one in its lock entry; undefined if it is not installed on this platform. */
function licenseOf(path: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(new URL(`${path}/package.json`, ROOT), 'utf8')) as { license?: string }).license;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}

main();
