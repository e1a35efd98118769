/**
 * The tests of `npm test`. The whole run has one set of real engines (test/support/engines/engines.ts starts them),
 * with a database per test file.
 */
import { defineConfig } from 'vitest/config';
import { LONG_TESTS } from './test/support/vitest/long-tests.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/small-runs.test.ts', ...LONG_TESTS], // npm run test:bench and test:long
    globalSetup: ['test/support/vitest/global-setup.ts'],
    setupFiles: ['test/support/vitest/end-with-run.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Far above what a test takes on a quiet machine: on a busy one it is slower, and not wrong.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
