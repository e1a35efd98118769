/**
 * Completes package-lock.json with the optional packages of other platforms. A registry that lacks some of them leaves
 * them out of the lock file, and `npm ci` then refuses on machines where they exist. Run after each change of
 * dependencies: `npx tsx cli/release/complete-lock-file.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Entry = {
  version?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
  dev?: boolean;
};
type LockFile = { packages: Record<string, Entry> };

const PATH = join(import.meta.dirname, '../../package-lock.json');
const OS = ['darwin', 'linux', 'win32', 'android', 'freebsd', 'openbsd', 'netbsd', 'sunos', 'aix', 'openharmony'];
const CPU = ['arm64', 'x64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32'];

/**
 * Optional packages that the lock file's packages name and that it does not hold, with the platform read from their
 * names.
 */
export function missingEntries(lock: LockFile): Record<string, Entry> {
  const missing: Record<string, Entry> = {};
  for (const entry of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`;
      const words = name.split(/[/-]/);
      const os = OS.find(candidate => words.includes(candidate));
      const cpu = CPU.find(candidate => words.includes(candidate));
      if (lock.packages[path] || !os || !cpu || !/^\d/.test(version)) continue;
      missing[path] = { version, ...(entry.dev && { dev: true }), optional: true, os: [os], cpu: [cpu] };
    }
  }
  return missing;
}

if (import.meta.filename === process.argv[1]) {
  const lock = JSON.parse(readFileSync(PATH, 'utf8')) as LockFile;
  const missing = missingEntries(lock);
  const packages = Object.fromEntries(
    Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  writeFileSync(PATH, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
  process.stdout.write(
    `added ${Object.keys(missing).length} entries\n${Object.keys(missing)
      .map(path => `  ${path}\n`)
      .join('')}`,
  );
}
