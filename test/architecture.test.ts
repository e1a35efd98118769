/**
 * The architecture as a program. The import table says what each folder may import: for every source file the rule of
 * the longest fitting prefix is found, and each import that it does not allow is named; a first wrong import fails.
 * Further, no files import each other in a circle, every file begins with a document, no cast is without a reason,
 * every folder is known, small enough to be read and explained by a README, and no transaction waits for anything but
 * itself.
 */
import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unexplainedCasts } from './support/architecture/casts.ts';
import { circlesOf, importGraph, importsOf, ROOT, sourceFiles } from './support/architecture/source-files.ts';
import { foreignWaits } from './support/architecture/unit-waits.ts';

type Rule = {
  /**
   * Doors of package.json `imports`, or folders reached by a relative path, that the files under the prefix may import.
   */
  doors: readonly string[];
  /** Packages: 'any', or the list. `node:` modules count as packages named `node:`. */
  packages: 'any' | readonly string[];
};

/** The folders at the top that hold source. */
const TOP = [
  'domain',
  'runtime',
  'sql',
  'authority',
  'storage',
  'delivery',
  'ingest',
  'workers',
  'api',
  'engines',
  'cli',
  'bench',
  'sdk',
  'test',
  'web',
];

const SQL_PACKAGES = ['node:', 'postgres', '@clickhouse/client', 'ioredis'];
/** What jobs of the queues carry. */
const BATCHES = ['ingest/queue/batch.ts', 'ingest/queue/decision-batch.ts'];
const AUDIT_ENTRY = '#domain/access/audit-entry.ts';
const SQL_ROOMS = ['#sql/', '#authority/', '#books/', '#audit/'];

/** Rooms with the tables of one noun each, and the units of work that change them. */
const SQL_NOUNS = [
  'audit-exports',
  'brand-lift',
  'campaigns',
  'creatives',
  'dead-letters',
  'findings',
  'hindsight',
  'keys',
  'members',
  'names',
  'operator',
  'payments',
  'payouts',
  'people',
  'plan',
  'playlists',
  'sandbox',
  'screens',
  'shared-reports',
  'venues',
  'wallet',
  'webhooks',
  'workspaces',
];
const tablesOf = (noun: string): Rule => ({
  doors: ['#domain/', '#runtime/', '#sql/', '#books/', `sql/${noun}/`],
  packages: SQL_PACKAGES,
});

const RULES: Record<string, Rule> = {
  'domain/': { doors: [], packages: [] },
  'runtime/': { doors: [], packages: 'any' },
  'storage/': { doors: ['#runtime/'], packages: 'any' },
  'engines/': { doors: ['#runtime/'], packages: 'any' },
  'sql/': {
    doors: ['#runtime/', '#domain/id.ts', '#domain/unit.ts', '#domain/access/mail-address.ts'],
    packages: SQL_PACKAGES,
  },
  'authority/': {
    doors: ['#runtime/', '#domain/id.ts', '#domain/unit.ts', '#sql/', 'authority/'],
    packages: SQL_PACKAGES,
  },
  'sql/books/': {
    doors: [
      '#runtime/',
      '#domain/id.ts',
      '#domain/unit.ts',
      '#domain/money/ledger.ts',
      '#domain/refusal.ts',
      '#domain/signing/stable-json.ts',
      '#domain/access/mail-address.ts',
      AUDIT_ENTRY,
      '#sql/',
      'sql/books/',
    ],
    packages: SQL_PACKAGES,
  },
  ...Object.fromEntries(SQL_NOUNS.map(noun => [`sql/${noun}/`, tablesOf(noun)])),
  'sql/invoices/': { doors: ['#domain/', '#sql/', '#books/', 'sql/'], packages: SQL_PACKAGES },
  'sql/alerts/': {
    doors: ['#domain/id.ts', '#domain/unit.ts', '#domain/alerts/', '#domain/access/permission.ts', '#sql/', 'sql/'],
    packages: SQL_PACKAGES,
  },
  'sql/proofs/': { doors: ['#domain/id.ts', '#domain/unit.ts', '#runtime/', '#sql/', 'sql/'], packages: SQL_PACKAGES },
  'sql/audience/': { doors: ['#domain/id.ts', '#domain/audience/', '#sql/', '#books/'], packages: SQL_PACKAGES },
  'sql/figures/': {
    doors: [
      '#domain/id.ts',
      '#domain/unit.ts',
      '#domain/money/',
      '#domain/reporting/',
      '#domain/time/',
      '#sql/',
      'sql/figures/',
    ],
    packages: SQL_PACKAGES,
  },
  'sql/screenshots/': { doors: ['#domain/id.ts', '#sql/'], packages: SQL_PACKAGES },
  'sql/law/': { doors: ['#domain/id.ts', '#sql/', '#books/'], packages: SQL_PACKAGES },
  'sql/preflight/': { doors: ['#runtime/', '#domain/unit.ts', '#sql/', 'sql/preflight/'], packages: SQL_PACKAGES },
  'sql/audit/': {
    doors: ['#runtime/', '#domain/id.ts', '#domain/unit.ts', ...SQL_ROOMS, 'sql/audit/'],
    packages: SQL_PACKAGES,
  },
  'delivery/decision/': { doors: ['#domain/', 'delivery/decision/'], packages: [] },
  'delivery/protocol/': { doors: ['#domain/', 'delivery/protocol/'], packages: ['msgpackr'] },
  'delivery/': {
    doors: [
      '#domain/',
      '#runtime/',
      '#sql/engine-variables.ts',
      '#sql/plan/plan-store.ts',
      '#sql/postgres.ts',
      '#sql/preflight/requirements.ts',
      '#sql/redis.ts',
      '#sql/redis-url.ts',
      '#sql/screens/presence.ts',
      '#authority/',
      '#books/change-log.ts',
      '#ingest/queue/',
      'delivery/',
    ],
    packages: 'any',
  },
  'ingest/steps/': { doors: ['#domain/', ...BATCHES, 'ingest/steps/'], packages: [] },
  'ingest/': { doors: ['#domain/', '#runtime/', ...SQL_ROOMS, 'ingest/'], packages: 'any' },
  'workers/threads/': { doors: ['#domain/', 'workers/threads/'], packages: ['piscina'] },
  'workers/': {
    doors: ['#domain/', '#runtime/', ...SQL_ROOMS, '#storage/', '#ingest/queue/', '#ingest/rows/', 'workers/'],
    packages: 'any',
  },
  'api/forecasts/threads/': { doors: ['#domain/', 'api/forecasts/threads/'], packages: ['piscina'] },
  'api/wire/': {
    doors: ['#domain/', 'api/wire/'],
    packages: ['node:', 'fastify', 'typebox', '@fastify/type-provider-typebox'],
  },
  'api/': {
    doors: [
      '#domain/',
      '#runtime/',
      ...SQL_ROOMS,
      '#storage/',
      '#workers/budgets/hand-budgets.ts',
      '#workers/budgets/take-back.ts',
      '#workers/rounds/job-rounds.ts',
      '#ingest/queue/',
      'api/',
    ],
    packages: 'any',
  },
  // A package of its own: what it imports is in its package.json, and nothing of the services is.
  'sdk/': { doors: ['sdk/'], packages: ['openapi-fetch'] },
  'sdk/typescript/examples/': { doors: [], packages: ['node:', 'undici', '@marquee/sdk', '@marquee/sdk/screen'] },
  // The browser player is built on the SDK's screen, as players of other makers are.
  'web/player/': { doors: ['web/player/', 'web/inter.css', '#sdk/screen/'], packages: ['idb', 'uqr'] },
  'web/player/polyfills.ts': {
    doors: ['web/player/'],
    packages: [
      ...['object/entries', 'object/get-own-property-descriptors', 'array/flat-map', 'string/pad-start'].map(
        name => `core-js/actual/${name}`,
      ),
      ...['promise/finally', 'queue-microtask', 'global-this'].map(name => `core-js/actual/${name}`),
      'abortcontroller-polyfill/dist/polyfill-patch-fetch',
    ],
  },
  'web/console/': {
    // The preview of a playlist weaves and allows ads as delivery does, and takes turns as players do. Areas on the map
    // and names of cities are those of targeting. Currencies are those of the product. A creative in a place has the
    // code that the player draws.
    doors: [
      'web/console/',
      'web/inter.css',
      '#domain/access/mail-address.ts',
      '#domain/geography.ts',
      '#domain/money/money.ts',
      '#domain/plays/decision.ts',
      '#domain/screens/ad-weaving.ts',
      'web/player/display/qr.ts',
      'web/player/plays/turn.ts',
    ],
    packages: [
      '@marquee/sdk',
      '@radix-ui/react-dialog',
      '@tanstack/react-query',
      '@tanstack/react-router',
      '@tanstack/react-virtual',
      'geojson',
      'maplibre-gl',
      'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url',
      'maplibre-gl/dist/maplibre-gl.css',
      'pmtiles',
      'react',
      'react-dom/client',
      'topojson-client',
      'topojson-specification',
      'uplot',
      'uplot/dist/uPlot.min.css',
      'uqr',
      'world-atlas/countries-50m.json?url',
    ],
  },
  'web/': { doors: ['web/'], packages: ['node:', 'vite', 'esbuild'] },
};
const FREE = ['cli/', 'bench/', 'test/'];
const SINGLE_OWNER: Record<string, string> = {
  'uWebSockets.js': 'delivery/sockets/uws-server.ts',
  ws: 'delivery/sockets/ws-server.ts',
};
/**
 * Into how many shards Redis is divided, and what lies in which: others open connections and name campaigns or screens.
 */
const OF_SHARDS = new Set(['#authority/authority-keys.ts', '#authority/shard-calls.ts']);
const KNOW_SHARDS = [
  'authority/',
  'sql/audit/',
  'api/rate-limit/limiter.ts',
  'ingest/queue/stream-keys.ts',
  'bench/',
  'test/',
];
/** Generated files. */
const UNDOCUMENTED = ['sdk/typescript/src/generated/'];
const BANNED_NAMES = /(^|\/)(utils?|helpers?|common|shared|misc|managers?|services?)(\.ts$|\/)/;

function ruleFor(file: string): Rule | undefined {
  const prefix = Object.keys(RULES)
    .filter(p => file.startsWith(p))
    .sort((a, b) => b.length - a.length)[0];
  return prefix === undefined ? undefined : RULES[prefix];
}

/** Says what is wrong with one import, or undefined when it is allowed. */
export function faultOf(file: string, target: string): string | undefined {
  const owner = SINGLE_OWNER[target];
  if (owner && file !== owner && !FREE.some(folder => file.startsWith(folder)))
    return `only ${owner} imports ${target}`;
  if (OF_SHARDS.has(target) && !KNOW_SHARDS.some(place => file.startsWith(place)))
    return `only ${KNOW_SHARDS.join(', ')} import ${target}`;
  if (FREE.some(folder => file.startsWith(folder))) return undefined;
  const rule = ruleFor(file);
  if (!rule) return 'no rule names this folder';
  if (target.startsWith('#'))
    return rule.doors.some(door => target.startsWith(door)) ? undefined : `door ${target} is closed here`;
  if (target.startsWith('.')) {
    const path = relative(ROOT, normalize(join(ROOT, dirname(file), target)));
    if (path.split('/')[0] !== file.split('/')[0]) return `relative import leaves ${file.split('/')[0]}/`;
    if (/^sql\/[^/]+$/.test(file) && /^sql\/(?!migrations\/)[^/]+\//.test(path))
      return 'the files of sql/ know none of its rooms';
    if (file.startsWith('api/') && dirname(file).startsWith(`${dirname(path)}/`))
      return 'the files of api/ know no folder above their own';
    const own = file.split('/')[0] + '/';
    const insiders = rule.doors.filter(door => !door.startsWith('#'));
    return insiders.length === 0
      ? path.startsWith(own)
        ? undefined
        : 'outside'
      : insiders.some(door => path.startsWith(door))
        ? undefined
        : `${path} is not for ${file}`;
  }
  if (rule.packages === 'any') return undefined;
  const name = builtinModules.includes(target.replace(/^node:/, '')) ? 'node:' : target;
  return rule.packages.includes(name) ? undefined : `package ${target} is not allowed here`;
}

const files = TOP.flatMap(folder => sourceFiles(folder));

describe('architecture', () => {
  test('every import is allowed by the table', () => {
    const faults = files.flatMap(file =>
      importsOf(file).flatMap(target =>
        faultOf(file, target) ? [`${file} -> ${target}: ${faultOf(file, target)}`] : [],
      ),
    );
    expect(faults).toEqual([]);
  });

  test('no file is a dumping ground by name', () => {
    expect(files.filter(file => BANNED_NAMES.test(file))).toEqual([]);
  });

  test('every file begins with a comment that says what it contains', () => {
    const judged = files.filter(file => !UNDOCUMENTED.some(folder => file.startsWith(folder)));
    expect(judged.filter(file => !readFileSync(join(ROOT, file), 'utf8').startsWith('/**'))).toEqual([]);
  });

  test('nothing imports cli, bench or test, except the screen swarm', () => {
    const faults = files
      .filter(file => !FREE.some(folder => file.startsWith(folder)))
      .flatMap(file =>
        importsOf(file)
          .filter(target => /(^|\/)(cli|bench|test)\//.test(target))
          .map(target => `${file} -> ${target}`),
      );
    expect(faults).toEqual([]);
  });

  test('the imports of package.json are the closed list', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      imports: Record<string, string>;
    };
    expect(Object.keys(manifest.imports).sort()).toEqual([
      '#audit/*',
      '#authority/*',
      '#books/*',
      '#domain/*',
      '#engines/*',
      '#ingest/queue/*',
      '#ingest/rows/*',
      '#runtime/*',
      '#sdk/screen/*',
      '#sql/*',
      '#storage/*',
      '#workers/budgets/hand-budgets.ts',
      '#workers/budgets/take-back.ts',
      '#workers/rounds/job-rounds.ts',
    ]);
  });

  test.each([
    ['domain/money/money.ts', 'node:crypto', 'package node:crypto is not allowed here'],
    ['domain/money/money.ts', '#runtime/log.ts', 'door #runtime/log.ts is closed here'],
    ['delivery/screens/session.ts', '#sql/clickhouse.ts', 'door #sql/clickhouse.ts is closed here'],
    ['delivery/screens/session.ts', '../../ingest/rows/writer.ts', 'relative import leaves delivery/'],
    ['delivery/decision/engine.ts', 'msgpackr', 'package msgpackr is not allowed here'],
    ['delivery/screens/session.ts', 'uWebSockets.js', 'only delivery/sockets/uws-server.ts imports uWebSockets.js'],
    ['ingest/steps/verify.ts', 'msgpackr', 'package msgpackr is not allowed here'],
    ['api/app.ts', '#engines/run.ts', 'door #engines/run.ts is closed here'],
    ['sql/redis.ts', '#authority/epochs.ts', 'door #authority/epochs.ts is closed here'],
    ['sql/redis.ts', './books/ledger.ts', 'the files of sql/ know none of its rooms'],
    ['api/campaigns/fields.ts', '../routes.ts', 'the files of api/ know no folder above their own'],
    ['api/campaigns/fields.ts', '../schema/bodies.ts', undefined],
    ['cli/demo/demo.ts', '../../api/app.ts', undefined],
    [
      'cli/demo/demo.ts',
      '#authority/authority-keys.ts',
      'only authority/, sql/audit/, api/rate-limit/limiter.ts, ingest/queue/stream-keys.ts, bench/, test/ import #authority/authority-keys.ts',
    ],
  ])('%s importing %s: %s', (file, target, fault) => {
    expect(faultOf(file, target)).toBe(fault);
  });
});

describe('a cast that switches the compiler off', () => {
  test('has a comment that says why', () => {
    expect(files.flatMap(file => unexplainedCasts(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  }, 60_000);

  test.each([
    ['const a = b as never;', 1],
    ['const a = b as any;', 1],
    ['const a = (b as unknown as Log).c;', 1],
    ['const a = b as unknown;', 0],
    ["test('a venue of others is indistinguishable from an unknown one');", 0],
    ['const a = b as never; // the plugin has no type for it', 0],
    ['// The plugin has no type for it.\nconst a = b as never;', 0],
  ])('is found in %j: %i', (text, count) => {
    expect(unexplainedCasts('file.ts', text)).toHaveLength(count);
  });
});

describe('circles', () => {
  const circles = circlesOf(importGraph(files));

  test('no files import each other, including types', () => {
    expect(circles).toEqual([]);
  });

  test.each([
    'authority',
    'delivery',
    'domain',
    'api',
    'ingest',
    'workers',
    'sql',
    'engines',
    'cli',
    'web/console',
    'web/console/pages',
    'web/player',
  ])('no folders of %s import each other, so that it can be read from one end', top => {
    const depth = top.split('/').length;
    const isInFolder = (file: string) => file.startsWith(`${top}/`) && file.split('/').length > depth + 1;
    const folderOf = (file: string) => file.split('/')[depth]!;
    const graph = new Map<string, string[]>();
    for (const [file, targets] of importGraph(files.filter(isInFolder))) {
      const others = targets.filter(isInFolder).map(folderOf);
      graph.set(folderOf(file), [...(graph.get(folderOf(file)) ?? []), ...others.filter(to => to !== folderOf(file))]);
    }
    expect(circlesOf(graph)).toEqual([]);
  });

  test.each<[string, Record<string, string[]>, string[][]]>([
    ['two files', { a: ['b'], b: ['a'], c: ['a'] }, [['a', 'b']]],
    ['a longer way round', { a: ['b'], b: ['c'], c: ['d', 'a'], d: [] }, [['a', 'b', 'c']]],
    [
      'two circles beside each other',
      { a: ['b', 'c'], b: ['a'], c: ['d'], d: ['c'] },
      [
        ['c', 'd'],
        ['a', 'b'],
      ],
    ],
    ['no circle', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, []],
  ])('are found: %s', (_, graph, found) => {
    expect(circlesOf(new Map(Object.entries(graph)))).toEqual(found);
  });
});

describe('folders', () => {
  /** More than this many files beside each other are not read as one subject. */
  const FILES_MAX = 12;
  /** A folder of fewer files is explained by the one above it. */
  const EXPLAINED_FROM = 3;
  /** Folders of tests that are named and divided as the source that they test. */
  const MIRRORS = /^test\/(api|delivery|deploy|domain|ingest|runtime|sdk|sql|storage|workers)(\/|$)/;
  /** Folders of lists: test data, generated files, scenarios. */
  const LISTS = /(^|\/)(fixtures|generated|scenarios)(\/|$)/;
  const folderSizes = new Map<string, number>();
  for (const file of files.filter(file => !LISTS.test(dirname(file))))
    folderSizes.set(dirname(file), (folderSizes.get(dirname(file)) ?? 0) + 1);

  test('with source at the top level are all in the import table', () => {
    const top = new Set(sourceFiles('').flatMap(file => (file.includes('/') ? [file.split('/')[0]!] : [])));
    expect([...top].sort()).toEqual(TOP.slice().sort());
    expect(TOP.filter(folder => !FREE.includes(`${folder}/`) && !ruleFor(`${folder}/a.ts`))).toEqual([]);
  });

  test(`contain at most ${FILES_MAX} source files`, () => {
    expect([...folderSizes].filter(([, size]) => size > FILES_MAX)).toEqual([]);
  });

  test(`with ${EXPLAINED_FROM} source files or more have a README`, () => {
    const lacking = [...folderSizes.keys()].filter(
      folder =>
        folderSizes.get(folder)! >= EXPLAINED_FROM &&
        !MIRRORS.test(folder) &&
        !existsSync(join(ROOT, folder, 'README.md')),
    );
    expect(lacking).toEqual([]);
  });
});

describe('a unit of work', () => {
  /**
   * A backup is one read-only snapshot that goes into files, a restore one transaction that comes from them: nobody
   * waits for either.
   */
  const AS_LONG_AS_ITS_FILES = new Set(['sql/audit/backup.ts']);

  test('waits only for its own transaction', () => {
    const judged = files.filter(
      file =>
        !['bench/', 'test/', 'web/', 'domain/'].some(folder => file.startsWith(folder)) &&
        !AS_LONG_AS_ITS_FILES.has(file),
    );
    expect(judged.flatMap(file => foreignWaits(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  }, 60_000);

  test.each([
    [
      'an engine',
      'await inUnitOfWork(sql, options, async unit => { await unit.tx`select 1`; await authority.hold(1); });',
      2,
    ],
    [
      'something that was handed in',
      'async function write(unit: Unit, parts: Parts) { await write2(unit); await parts.publish(); }',
      1,
    ],
    [
      'something in a function of its own',
      'sql.begin(async tx => { await Promise.all(rows.map(async row => { await tx`select 1`; await say(row); })); });',
      1,
    ],
    [
      'something in a function of its savepoint',
      'async function f({ tx }: { tx: Transaction; other: Other }) { await tx.savepoint(async point => { await point`select 1`; await other(); }); }',
      1,
    ],
    [
      'a stream',
      'async function f(tx: Transaction, lines: Lines) { for await (const line of lines) await tx`select ${line}`; }',
      1,
    ],
    ['an engine that nobody awaits', 'inUnitOfWork(sql, options, unit => clickhouse.query({ unit }));', 1],
  ])('is found waiting for %s', (_, text, count) => {
    expect(foreignWaits('file.ts', text)).toHaveLength(count);
  });

  test.each([
    [
      'its statements, one after the other and side by side',
      'sql.begin(async tx => { await tx`select 1`; await Promise.all([1, 2].map(n => tx`select ${n}`)); });',
    ],
    [
      'what was made from it before',
      'async function f(unit: Unit) { const { tx } = unit; const query = tx`select 1`; await query; await g({ tx }); }',
    ],
    [
      'anything before and after it',
      'async function f() { await other(); await inUnitOfWork(sql, options, unit => g(unit)); await other(); }',
    ],
  ])('may wait for %s', (_, text) => {
    expect(foreignWaits('file.ts', text)).toEqual([]);
  });
});
