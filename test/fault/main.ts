/**
 * `npm run test:fault -- --seeds n [--from s]`: the tests of faults with so many seeds; ends as they do. `--nightly`
 * (`npm run test:nightly`) takes a hundred seeds that no other night takes, and adds cuts of 35 s and of 5 minutes.
 * `--search` (`npm run test:search`) runs the search in virtual time alone, its seeds shared out over a process per
 * core; `--only kills` (`npm run test:kills`) the random kills of delivery, `--only model` (`npm run test:model`) the
 * model of the rules, `--only power` (`npm run test:power`) the cuts of power.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { own } from '#engines/processes/owned.ts';
import { endOnInterrupt } from '../../cli/instance/interrupt.ts';

const NIGHTLY_SEEDS = 100;
const SEARCH_SEEDS = 2_000;
/** A cut of power takes most of a minute: of all tests, one in so many seeds. */
const SEEDS_PER_POWER_CUT = 10;
const DAY_MS = 86_400_000;
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string' },
    nightly: { type: 'boolean', default: false },
    search: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const seeds = Number(values.seeds ?? (values.search ? SEARCH_SEEDS : values.nightly ? NIGHTLY_SEEDS : 20));
const from = Number(values.from ?? (values.nightly ? NIGHTLY_SEEDS * Math.floor(Date.now() / DAY_MS) : 1));
if (!Number.isSafeInteger(seeds) || seeds < 1 || !Number.isSafeInteger(from))
  throw new RangeError('--seeds and --from are whole numbers');

async function run({ seeds, from }: { seeds: number; from: number }, files: readonly string[]): Promise<number> {
  const cuts = values.only === 'power' ? seeds : Math.ceil(seeds / SEEDS_PER_POWER_CUT);
  const env = {
    ...process.env,
    FAULT_SEEDS: String(seeds),
    FAULT_FROM: String(from),
    POWER_CUTS: String(cuts),
    ...(values.nightly && { FAULT_LONG: '1' }),
  };
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/support/vitest/fault.config.ts', ...files],
    { stdio: 'inherit', env },
  );
  await own(child, 'program');
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

endOnInterrupt({ byForce: false });
process.stdout.write(`Faults of ${seeds} seeds from ${from}.\n`);
const processes = values.search ? Math.min(availableParallelism(), seeds) : 1;
const firstOf = (share: number): number => Math.floor((seeds * share) / processes);
const began = performance.now();
const codes = await Promise.all(
  Array.from({ length: processes }, (_, share) =>
    run(
      { seeds: firstOf(share + 1) - firstOf(share), from: from + firstOf(share) },
      values.search ? ['test/fault/search.test.ts'] : values.only ? [`test/fault/${values.only}`] : [],
    ),
  ),
);
process.stdout.write(`${seeds} seeds in ${Math.round((performance.now() - began) / 1000)} s.\n`);
process.exitCode = Math.max(...codes);
