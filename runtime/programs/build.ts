/**
 * Bundles each program with its packages into one folder of `dist/programs/`, and then says in the manifest that these
 * bundles are to be used. `npm ci` (its `prepare` step) and `npm run build` run it. Nothing is done when nothing has
 * changed.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { bundleOf, BUNDLES, hashOf, MANIFEST, type Manifest, PROGRAMS, ROOT, STARTER } from './program.ts';

/** Packages that load a binary, or a program of theirs, by its path: they stay where they are. */
const NOT_BUNDLED = ['uWebSockets.js', 'lz4-napi', 'msgpackr-extract', 'sharp', 'chdb', 'piscina', 'vite'];
/** The build before the last stays: a program that runs from it may not have loaded all of its parts yet. */
const BUILDS_KEPT = 2;
/**
 * At the head of each file of a bundle: where the repository is, which may be moved, and `require` for the packages
 * that are not written as modules. No source has names like these.
 */
const HEAD = `import { createRequire as bundle$requireOf } from 'node:module';
import { pathToFileURL as bundle$urlOf } from 'node:url';
const bundle$root = import.meta.dirname.slice(0, import.meta.dirname.lastIndexOf('/${BUNDLES}/'));
const require = bundle$requireOf(import.meta.url);`;

/** Builds all programs unless each of them has a bundle that is made of the sources that are there. */
export async function buildPrograms(root = ROOT, programs: readonly string[] = PROGRAMS): Promise<void> {
  if (programs.every(source => bundleOf(source, root) !== undefined)) return;
  const folder = `${BUNDLES}/${randomUUID()}`;
  const { build } = await import('esbuild'); // a tenth of a second, which a start without a change must not cost
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: programs.map(source => ({ in: source, out: source.replace(/\.ts$/, '') })),
    outdir: join(root, folder),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Constants of other files stand where they are used: each would be loaded and checked for each use, which was a
    // fourteenth of all instructions of a slot.
    minifySyntax: true,
    sourcemap: 'linked',
    sourcesContent: false,
    external: NOT_BUNDLED,
    banner: { js: HEAD },
    plugins: [pathsOfSources(root)],
    metafile: true,
    logLevel: 'warning',
  });
  /** Atomically: a program that starts meanwhile reads the old file or this one. */
  const replace = (path: string, text: string): void => {
    const written = join(root, folder, 'written');
    writeFileSync(written, text);
    renameSync(written, join(root, path));
  };
  const manifest = manifestOf(metafile, root);
  replace(MANIFEST, JSON.stringify(manifest));
  const starter = manifest['runtime/programs/start.ts'];
  if (starter !== undefined) replace(STARTER, `import './${relative(BUNDLES, starter.file)}';\n`);
  removeOldBuilds(root);
}

/** A bundled file is in another place than its source, which finds adjacent files by its own path. */
function pathsOfSources(root: string): Plugin {
  return {
    name: 'paths of sources',
    setup(build) {
      build.onLoad({ filter: /\.(ts|js|cjs|mjs)$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (!/__dirname|__filename|import\.meta\.(dirname|url)/.test(text)) return undefined;
        const folder = `(bundle$root + ${JSON.stringify(`/${relative(root, dirname(path))}`)})`;
        const file = `(bundle$root + ${JSON.stringify(`/${relative(root, path)}`)})`;
        const contents = /\bimport\.meta\b/.test(text)
          ? text.replaceAll('import.meta.dirname', folder).replaceAll('import.meta.url', `bundle$urlOf(${file}).href`)
          : `var __dirname = ${folder}, __filename = ${file}; ${text}`;
        return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
      });
    },
  };
}

/** The parts of each program: its own part, and all parts that this loads. Packages are known from their list. */
function manifestOf({ outputs }: Metafile, root: string): Manifest {
  const inputsOf = (output: string, seen = new Set<string>()): string[] => {
    const part = outputs[output];
    if (part === undefined || seen.has(output)) return []; // a package that stays where it is, or a part met before
    seen.add(output);
    return [...Object.keys(part.inputs), ...part.imports.flatMap(({ path }) => inputsOf(path, seen))];
  };
  const programs = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint !== undefined);
  return Object.fromEntries(
    programs.map(([file, { entryPoint }]) => {
      const inputs = inputsOf(file).filter(input => !input.includes('node_modules/'));
      return [entryPoint!, { file, inputs, hash: hashOf(inputs, root)! }];
    }),
  );
}

function removeOldBuilds(root: string): void {
  const builds = readdirSync(join(root, BUNDLES), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => join(root, BUNDLES, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const build of builds.slice(BUILDS_KEPT)) rmSync(build, { recursive: true, force: true });
}

if (import.meta.filename === process.argv[1]) await buildPrograms();
