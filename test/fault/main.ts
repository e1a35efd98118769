import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

/**
 * `npm run test:fault -- --seeds n [--from s]`: the tests of faults with so many seeds; ends as they do. `--nightly` (`npm run
 * test:nightly`) takes a hundred seeds that no other night takes, and adds cuts of 35 s and of 5 minutes.
 */
const NIGHTLY_SEEDS = 100;
const DAY_MS = 86_400_000;
const { values } = parseArgs({ options: { seeds: { type: 'string' }, from: { type: 'string' }, nightly: { type: 'boolean', default: false } } });
const seeds = values.seeds ?? String(values.nightly ? NIGHTLY_SEEDS : 20);
const from = values.from ?? String(values.nightly ? NIGHTLY_SEEDS * Math.floor(Date.now() / DAY_MS) : 1);
const env = { ...process.env, FAULT_SEEDS: seeds, FAULT_FROM: from, ...(values.nightly && { FAULT_LONG: '1' }) };
process.stdout.write(`Faults of ${seeds} seeds from ${from}.\n`);
const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/support/vitest.fault.config.ts'], { stdio: 'inherit', env });
child.on('exit', code => { process.exitCode = code ?? 1; });
