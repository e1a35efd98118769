/**
 * `npm run pack -- <folder>` writes what the services need to run on engines of their own: bundles, built pages, SQL
 * and Lua scripts, and the few packages that no bundle can hold. No sources, no build tools, no embedded engines. Run
 * it after `npm ci`, on the platform that the services will run on.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLES, ROOT } from './program.ts';

/** Packages that bundles load by name, and the files of the API's reference. `ws` and the like are in the bundles. */
const PACKAGES = ['uWebSockets.js', 'msgpackr-extract', 'sharp', 'piscina', '@fastify/swagger-ui'];
/** Only the files of these are read. */
const WITHOUT_DEPENDENCIES = new Set(['@fastify/swagger-ui']);
const FILES = [
  'LICENSE',
  'NOTICE',
  'package.json',
  'docs/.vitepress/dist',
  // The fonts of invoices, which pdfkit reads beside itself.
  'node_modules/pdfkit/package.json',
  'node_modules/pdfkit/js/data',
  'node_modules/pdfkit/js/standard-fonts',
  // The font of the API's reference; other pages have it in their builds.
  'node_modules/@fontsource-variable/inter/package.json',
  'node_modules/@fontsource-variable/inter/LICENSE',
  'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  'web/inter.css',
  'web/console/dist',
  'web/player/dist',
  'authority/scripts',
  'sql/migrations',
];
/** Binaries of uWebSockets.js are named for platform, processor and Node's binary interface. */
const OWN_BINARY = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;

export function packServices(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} must be empty`);
  const filter = (path: string) => !path.endsWith('.ts'); // is in the bundles
  for (const file of FILES) cpSync(join(ROOT, file), join(folder, file), { recursive: true, filter });
  packBundles(folder);
  for (const name of closureOf(PACKAGES))
    cpSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
  dropForeignBinaries(join(folder, 'node_modules/uWebSockets.js/dist/bin'));
}

/** The newest build alone: `build.ts` keeps the one before it for programs that still run. */
function packBundles(folder: string): void {
  const manifest = JSON.parse(readFileSync(join(ROOT, BUNDLES, 'manifest.json'), 'utf8')) as Record<
    string,
    { file: string }
  >;
  const [build] = Object.values(manifest)[0]!
    .file.slice(BUNDLES.length + 1)
    .split('/');
  mkdirSync(join(folder, BUNDLES), { recursive: true });
  for (const name of ['manifest.json', 'start.mjs', build!])
    cpSync(join(ROOT, BUNDLES, name), join(folder, BUNDLES, name), { recursive: true });
}

/** Packages with all that they depend on, as far as it is installed: optional ones are of this platform alone. */
function closureOf(names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const manifest = join(ROOT, 'node_modules', name, 'package.json');
    if (found.has(name) || !existsSync(manifest)) return;
    found.add(name);
    if (WITHOUT_DEPENDENCIES.has(name)) return;
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      dependencies?: Record<string, string>;
      optionalDependencies?: Record<string, string>;
    };
    for (const each of [...Object.keys(dependencies), ...Object.keys(optionalDependencies)]) visit(each);
  };
  for (const name of names) visit(name);
  return found;
}

function dropForeignBinaries(folder: string): void {
  for (const name of readdirSync(folder)) if (name !== OWN_BINARY) rmSync(join(folder, name));
}

if (import.meta.filename === process.argv[1]) {
  const [, , folder] = process.argv;
  if (folder === undefined) throw new Error('npm run pack -- <folder>');
  packServices(folder);
}
