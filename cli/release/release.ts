/**
 * Makes a version of the work tree: `npm run release -- 0.2.0`. It writes the version into every file that names it,
 * gives the changelog a section with a date, notes the hashes of the migrations, which no later version may change, and
 * writes the notes and the list of parts (SBOM, in CycloneDX) to `release/`. The commit, the tag and the images are
 * left to the person who releases: it prints those commands, and runs none of them.
 */
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, InvalidArgumentError } from '@commander-js/extra-typings';
import { commandLine, runCommand, UsageError } from '../arguments.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The places that name the version, with the text around it. */
const PLACES: readonly { file: string; before: string; after: string }[] = [
  { file: 'package.json', before: '  "version": "', after: '"' },
  { file: 'package-lock.json', before: '  "version": "', after: '",\n  "lockfileVersion"' },
  { file: 'package-lock.json', before: '      "name": "marquee",\n      "version": "', after: '"' },
  { file: 'sdk/typescript/package.json', before: '  "version": "', after: '"' },
  { file: 'sdk/typescript/src/version.ts', before: "VERSION = '", after: "'" },
  { file: 'sdk/python/marquee/version.py', before: 'VERSION = "', after: '"' },
  { file: 'sdk/python/pyproject.toml', before: '\nversion = "', after: '"' },
  { file: 'deploy/helm/Chart.yaml', before: '\nversion: ', after: '\n' },
  { file: 'deploy/helm/Chart.yaml', before: '\nappVersion: ', after: '\n' },
  { file: 'docker-compose.yml', before: 'image: marquee:${MARQUEE_VERSION:-', after: '}' },
  { file: 'docker-compose.yml', before: 'image: marquee-workers:${MARQUEE_VERSION:-', after: '}' },
];
const UNRELEASED = '## Unreleased\n';
/** The migrations that some version has released, with their hashes (SHA-256). A test compares. */
export const RELEASED_MIGRATIONS = 'sql/released-migrations.json';

/** A file by its path from the root of the repository. */
export type Files = { read(path: string): string; write(path: string, text: string): void };

/**
 * Writes a version into every file that names it, and into the changelog, and returns the notes of the version.
 *
 * @throws a UsageError, before anything is written, when the version is not above today's, a place is not found or
 *   nothing has changed since the last version
 */
export function raiseVersion(files: Files, version: string, date: string): string {
  const { version: current } = JSON.parse(files.read('package.json')) as { version: string };
  if (compareVersions(version, current) <= 0) throw new UsageError(`${version} is not above ${current}.`);
  const changed = new Map<string, string>();
  for (const { file, before, after } of PLACES) {
    const text = changed.get(file) ?? files.read(file);
    const parts = text.split(before + current + after);
    if (parts.length !== 2) throw new UsageError(`${file} does not say ${current} where it should.`);
    changed.set(file, parts.join(before + version + after));
  }
  const { changelog, notes } = releasedChangelog(files.read('CHANGELOG.md'), version, date);
  changed.set('CHANGELOG.md', changelog);
  for (const [file, text] of changed) files.write(file, text);
  return notes;
}

/** Records the migrations released with this version, in addition to earlier ones. */
export function freezeMigrations(files: Files, paths: readonly string[]): void {
  const released = JSON.parse(files.read(RELEASED_MIGRATIONS)) as Record<string, string>;
  for (const path of paths) released[path] ??= hashOf(files.read(path));
  files.write(RELEASED_MIGRATIONS, `${JSON.stringify(released, null, 2)}\n`);
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Moves unreleased entries under a version and its date. Returns the changelog, and that section alone. */
function releasedChangelog(text: string, version: string, date: string): { changelog: string; notes: string } {
  const [head, rest, ...others] = text.split(UNRELEASED);
  if (head === undefined || rest === undefined || others.length > 0)
    throw new UsageError('CHANGELOG.md has no section "Unreleased", or two.');
  const next = rest.search(/^## /m);
  const section = (next < 0 ? rest : rest.slice(0, next)).trim();
  if (!section.includes('\n- ')) throw new UsageError('CHANGELOG.md says of no change since the last version.');
  const older = next < 0 ? '' : `\n${rest.slice(next)}`;
  const title = `## ${version} (${date})`;
  return {
    changelog: `${head}${UNRELEASED}\n${title}\n\n${section}\n${older}`,
    notes: `# Marquee ${version}\n\n${section}\n`,
  };
}

/** Below 0: the first is the lower one. Both are three numbers with dots. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  const at = left.findIndex((number, index) => number !== right[index]);
  return at < 0 ? 0 : left[at]! - right[at]!;
}

function versionOf(text: string): string {
  if (!/^(0|[1-9]\d{0,5})(\.(0|[1-9]\d{0,5})){2}$/.test(text))
    throw new InvalidArgumentError('It takes three numbers with dots, as 0.2.0.');
  return text;
}

/**
 * Peers are not judged: the search of the documentation's site asks for an older React than the console has, and uses
 * none.
 */
const SBOM = ['sbom', '--omit=dev', '--package-lock-only', '--sbom-format=cyclonedx', '--legacy-peer-deps'];

/** Runs a program in the repository and returns its output. */
const outputOf = (program: string, ...given: string[]): string =>
  execFileSync(program, given, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

async function main(): Promise<number> {
  const [version] = commandLine('release')
    .description('Makes a release of the work tree.')
    .addArgument(new Argument('<version>', 'version, such as 1.2.3').argParser(versionOf))
    .parse().processedArgs;
  if (outputOf('git', 'status', '--porcelain') !== '') throw new UsageError('Commit or remove what is not committed.');
  const files: Files = {
    read: path => readFileSync(join(ROOT, path), 'utf8'),
    write: (path, text) => writeFileSync(join(ROOT, path), text),
  };
  outputOf('npm', ...SBOM); // fails here, before any file is changed, if packages do not fit
  const notes = raiseVersion(files, version, new Date().toISOString().slice(0, 10));
  freezeMigrations(files, ['sql/migrations/postgres', 'sql/migrations/clickhouse'].flatMap(migrationsIn));
  mkdirSync(join(ROOT, 'release'), { recursive: true });
  files.write(`release/marquee-${version}.md`, notes);
  files.write(`release/marquee-${version}.cdx.json`, outputOf('npm', ...SBOM));
  process.stdout.write(nextSteps(version));
  return Promise.resolve(0);
}

const migrationsIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter(name => name.endsWith('.sql'))
    .map(name => `${folder}/${name}`);

const nextSteps = (version: string): string => `The files say ${version} now; notes and SBOM are in release/. Next:

  npm run check && npm test
  git commit -am "Release ${version}" && git tag -a v${version} -F release/marquee-${version}.md
  docker buildx build --platform linux/amd64,linux/arm64 --target service -t marquee:${version} --sbom=true .
  docker buildx build --platform linux/amd64,linux/arm64 --target workers -t marquee-workers:${version} --sbom=true .
`;

if (import.meta.filename === process.argv[1]) runCommand(main);
