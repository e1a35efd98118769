/**
 * The source of this repository as a graph: which `.ts` and `.tsx` files there are, what each imports, and which of
 * them import each other in a circle. `test/architecture.test.ts` judges it. Type-only imports count: two files that
 * need each other's types cannot be read one after the other either.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');

/** Static imports and exports with `from`, bare imports, and `import('...')` of a literal. */
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
/** Folders that hold no source of ours. */
const NOT_SOURCE = new Set(['node_modules', 'dist']);

/** Every source file below a folder of the repository, as paths from its root. */
export function sourceFiles(folder: string): string[] {
  return filesOfKind(folder, /\.tsx?$/);
}

/** Every file of ours below a folder whose path is of that kind. */
export function filesOfKind(folder: string, kind: RegExp): string[] {
  return readdirSync(join(ROOT, folder)).flatMap(name => {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (name.startsWith('.') || NOT_SOURCE.has(name)) return [];
    if (statSync(join(ROOT, path)).isDirectory()) return filesOfKind(path, kind);
    return kind.test(path) ? [path] : [];
  });
}

/** What a file imports, as written in it. */
export function importsOf(file: string): string[] {
  return [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)].map(match => (match[1] ?? match[2])!);
}

/** The `imports` of package.json, as prefixes: `#domain/` stands for `domain/`. */
function doorsOfManifest(): [door: string, folder: string][] {
  const { imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    imports: Record<string, string>;
  };
  return Object.entries(imports).map(([door, path]) => [door.replace('*', ''), normalize(path).replace('*', '')]);
}

/** The file of the repository that an import means; undefined: a package. */
function fileOf(file: string, target: string, doors: readonly [string, string][]): string | undefined {
  if (target.startsWith('.')) return normalize(join(dirname(file), target));
  const door = doors.find(([prefix]) => target.startsWith(prefix));
  return door && door[1] + target.slice(door[0].length);
}

/** By file, the files of the repository that it imports. */
export function importGraph(files: readonly string[]): Map<string, string[]> {
  const doors = doorsOfManifest();
  return new Map(
    files.map(file => [
      file,
      importsOf(file).flatMap(target => {
        const path = fileOf(file, target, doors);
        return path !== undefined && existsSync(join(ROOT, path)) ? [path] : [];
      }),
    ]),
  );
}

/**
 * The circles of a graph: its strongly connected components of more than one file, each sorted. By Tarjan's algorithm
 * (https://en.wikipedia.org/wiki/Tarjan%27s_strongly_connected_components_algorithm).
 */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (path.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const component = path.splice(path.indexOf(file));
    if (component.length > 1) circles.push(component.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}
