import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

/** `npm run test:fault -- --seeds n [--from s]`: the tests of faults with so many seeds; ends as they do. */
const { values } = parseArgs({ options: { seeds: { type: 'string', default: '20' }, from: { type: 'string', default: '1' } } });
const env = { ...process.env, FAULT_SEEDS: values.seeds, FAULT_FROM: values.from };
const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/support/vitest.fault.config.ts'], { stdio: 'inherit', env });
child.on('exit', code => { process.exitCode = code ?? 1; });
