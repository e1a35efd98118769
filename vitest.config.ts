import { defineConfig } from 'vitest/config';

// One set of real engines for the whole run (test/support/engines.ts starts them), a database per test file.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/small-runs.test.ts'], // whole instances under load: npm run test:bench
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
