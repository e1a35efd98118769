/**
 * Transactions under load whose connections are cut between any two of their statements, while others take the
 * connections over. Each statement notes the transaction in which it took effect, so that one that ran outside of its
 * own shows.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgres, type Postgres, type Transaction } from '#sql/postgres.ts';
import { freshPostgres } from '../support/engines/databases.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { createRandom, type Random } from './search/random.ts';

const SEEDS = Math.min(20, Number(process.env['FAULT_SEEDS'] ?? 2));
const FROM = Number(process.env['FAULT_FROM'] ?? 1);
const UNITS = 100;
const AT_ONCE = 8;
const CONNECTIONS = 3;
const CUT_CHANCE = 0.08;
/** A unit is over when its callback is, and no fault keeps a statement waiting. */
const UNIT_MS_MAX = 30_000;
let database: Awaited<ReturnType<typeof freshPostgres>>;
let proxy: TcpProxy;
let url: string;

beforeAll(async () => {
  database = await freshPostgres();
  await database.sql`create table effects (seed int, unit int, step text, xact text default pg_current_xact_id()::text, pid int default pg_backend_pid())`;
  await database.sql`create table owned (seed int, reserver int, owner text default current_setting('marquee.owner'))`;
  const through = new URL(database.url);
  proxy = await TcpProxy.start({ host: through.hostname, port: Number(through.port) });
  [through.hostname, through.port] = ['127.0.0.1', String(proxy.port)];
  url = through.href;
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});

type World = {
  seed: number;
  pool: Postgres;
  random: Random;
  /** What goes on when a unit is over. */
  late: Promise<unknown>[];
  counts: { cuts: number };
};
type Unit = { id: number; step(tx: Transaction, name: string): PromiseLike<unknown>; tx: Transaction } & World;

const pause = (random: Random): Promise<void> => wait(random.pick(6));
/** Noted at once, so that a rejection has a handler. */
const outcomeOf = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => 'done',
    (error: unknown) => error,
  );

/** Now and then connections are cut, just before or shortly after a statement is given to one. */
function perhapsCut({ random, counts, late }: World): void {
  if (!random.chance(CUT_CHANCE)) return;
  const [place, afterMs] = [random.chance(0.3) ? undefined : random.pick(CONNECTIONS), random.pick(4)];
  const cut = (): void => {
    counts.cuts += proxy.sever(place);
  };
  if (random.chance(0.5)) cut();
  else late.push(wait(afterMs).then(cut));
}

/** What a unit may do. Each notes the steps that have to be there when it is committed. */
const KINDS: Record<string, { steps: string[]; work(unit: Unit): Promise<void> }> = {
  'one statement after the other': {
    steps: ['1', '2', '3'],
    async work({ tx, step }) {
      for (const name of ['1', '2', '3']) await step(tx, name);
    },
  },
  'something else between its statements': {
    steps: ['1', '2', '3'],
    async work({ tx, step, random }) {
      for (const name of ['1', '2', '3']) {
        await step(tx, name);
        await wait(random.pick(60)); // long enough for others to have the connection
      }
    },
  },
  'statements side by side': {
    steps: ['1', '2', '3', '4'],
    async work({ tx, step }) {
      await Promise.all(['1', '2', '3', '4'].map(name => step(tx, name)));
    },
  },
  'statements that nobody awaits': {
    steps: ['1', '2', '3'],
    async work({ tx, step, late }) {
      for (const name of ['1', '2']) late.push(outcomeOf(step(tx, name)));
      await step(tx, '3');
    },
  },
  'a savepoint that holds and one that is rolled back': {
    steps: ['1', 'a', '2'],
    async work({ tx, step, random }) {
      await step(tx, '1');
      await tx.savepoint(async point => {
        await step(point, 'a');
      });
      await tx
        .savepoint(async point => {
          await step(point, 'undone');
          await pause(random);
          throw new Error('undo');
        })
        .catch((error: Error) => {
          if (error.message !== 'undo') throw error;
        });
      await step(tx, '2');
    },
  },
  'a cursor': {
    steps: ['1', '2'],
    async work({ tx, step, random }) {
      await step(tx, '1');
      for await (const _ of tx`select generate_series(1, 9)`.cursor(3)) await pause(random);
      await step(tx, '2');
    },
  },
  'a statement larger than a packet': {
    steps: ['1', '2'],
    async work({ tx, step }) {
      await step(tx, '1');
      await tx`select ${'x'.repeat(200_000)}`;
      await step(tx, '2');
    },
  },
  'an error of its own': {
    steps: [],
    async work({ tx, step, random }) {
      await step(tx, 'undone');
      await pause(random);
      throw new Error('on purpose');
    },
  },
  'statements after its end': {
    steps: ['1'],
    async work({ tx, step, random, late }) {
      await step(tx, '1');
      late.push(
        outcomeOf(
          (async () => {
            await wait(random.pick(20));
            await step(tx, 'late');
          })(),
        ),
      );
    },
  },
};

type Outcome = { id: number; kind: string; committed: boolean; error: string };

async function runUnit(world: World, id: number): Promise<Outcome> {
  const { pool, seed, random } = world;
  const kind = random.one(Object.keys(KINDS));
  const step = (tx: Transaction, name: string): PromiseLike<unknown> => {
    perhapsCut(world);
    return tx`insert into effects (seed, unit, step) values (${seed}, ${id}, ${name})`;
  };
  let callback: Promise<void> | undefined;
  try {
    await pool.begin(tx => {
      callback = KINDS[kind]!.work({ ...world, id, tx, step });
      world.late.push(outcomeOf(callback));
      return callback;
    });
    return { id, kind, committed: true, error: '' };
  } catch (error) {
    return { id, kind, committed: false, error: String((error as { code?: string }).code ?? (error as Error).message) };
  }
}

/** A connection taken for several statements: each must run in the session that the first one named. */
async function reserve(world: World, id: number): Promise<void> {
  const { pool, seed, random } = world;
  const connection = await pool.reserve();
  try {
    await connection`select set_config('marquee.owner', ${String(id)}, false)`;
    for (let times = 0; times < 3; times += 1) {
      await pause(random);
      perhapsCut(world);
      await connection`insert into owned (seed, reserver) values (${seed}, ${id})`;
    }
  } finally {
    connection.release();
  }
}

/** A plain query, which must get its own answer. */
async function ask({ pool, random }: World, id: number): Promise<void> {
  const rows = await pool`select ${id}::int as id, ${'y'.repeat(random.pick(3_000))} as filling`;
  expect(rows.map(row => row['id'] as number)).toEqual([id]);
}

const isAway = (error: unknown): boolean =>
  /CONNECTION|ECONNRESET|EPIPE|ECONNREFUSED/.test(String((error as { code?: string }).code));
const ignoreLoss = (error: unknown): void => {
  if (!isAway(error)) throw error;
};

test(`no statement of a transaction takes effect outside of it: ${SEEDS} seeds of ${UNITS} transactions, reservations and queries`, async () => {
  const [outcomesOfAll, counts]: [Outcome[], { cuts: number }] = [[], { cuts: 0 }];
  for (let seed = FROM; seed < FROM + SEEDS; seed += 1) {
    const random = createRandom(seed);
    const pool = openPostgres(url, { connectionsMax: CONNECTIONS, applicationName: 'marquee-test' });
    const world: World = { seed, pool, random, late: [], counts };
    const outcomes: Outcome[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < UNITS) {
        const id = (next += 1);
        await Promise.all([
          within(runUnit(world, id)).then(outcome => outcomes.push(outcome)),
          within(reserve(world, id)).catch(ignoreLoss),
          within(ask(world, id)).catch(ignoreLoss),
        ]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    await within(Promise.all(world.late)); // nothing waits for ever
    await expect
      .poll(() => checkPool(pool).catch((error: unknown) => error), { timeout: UNIT_MS_MAX })
      .toBe(CONNECTIONS);
    await pool.end({ timeout: 1 });
    await checkEffects(seed, outcomes);
    outcomesOfAll.push(...outcomes);
  }
  // It was no walk in the park, and no standstill either.
  const committed = outcomesOfAll.filter(outcome => outcome.committed).length;
  console.log(JSON.stringify({ seeds: SEEDS, cuts: counts.cuts, committed, failed: outcomesOfAll.length - committed }));
  expect(counts.cuts).toBeGreaterThan(20 * SEEDS);
  expect(committed).toBeGreaterThan(20 * SEEDS);
  expect(outcomesOfAll.length - committed).toBeGreaterThan(20 * SEEDS);
}, 300_000);

async function within<T>(work: Promise<T>): Promise<T> {
  const patience = new AbortController();
  const late = wait(UNIT_MS_MAX, undefined, { signal: patience.signal }).then(() => {
    throw new Error(`not over within ${UNIT_MS_MAX} ms`);
  });
  late.catch(() => undefined); // aborted
  return Promise.race([work, late]).finally(() => patience.abort());
}

/**
 * How many connections of the pool are there, each working for itself. @throws while the end of one is not heard of yet
 */
async function checkPool(pool: Postgres): Promise<number> {
  const reserved = await within(Promise.all(Array.from({ length: CONNECTIONS }, () => pool.reserve())));
  try {
    const rows = await within(
      Promise.all(reserved.map(connection => connection<{ pid: number }[]>`select pg_backend_pid() as pid`)),
    );
    return new Set(rows.map(([row]) => row!.pid)).size;
  } finally {
    for (const connection of reserved) connection.release();
  }
}

async function checkEffects(seed: number, outcomes: readonly Outcome[]): Promise<void> {
  const rows = await database.sql<
    { unit: number; step: string; xact: string }[]
  >`select unit, step, xact from effects where seed = ${seed}`;
  const wrong = outcomes.flatMap(({ id, kind, committed, error }) => {
    const own = rows.filter(row => row.unit === id);
    const steps = own.map(row => row.step).sort();
    const xacts = new Set(own.map(row => row.xact));
    const strangers = rows.filter(row => row.unit !== id && xacts.has(row.xact));
    const whole = [...KINDS[kind]!.steps].sort().join() === steps.join();
    // Whose commit was on its way when the connection was cut may be there or not, but never a part of it.
    const isRight =
      xacts.size <= 1 &&
      strangers.length === 0 &&
      (committed ? whole : steps.length === 0 || (whole && isAway({ code: error })));
    return isRight
      ? []
      : [
          `${kind}: ${committed ? 'committed' : error}, has ${steps.join()} in ${xacts.size} transactions, with ${strangers.length} statements of others`,
        ];
  });
  expect(wrong).toEqual([]);
  expect(
    await database.sql`select reserver, owner from owned where seed = ${seed} and owner is distinct from reserver::text`,
  ).toEqual([]);
}
