import { defineConfig } from 'vitest/config';

// One set of real engines for the whole run (test/support/engines.ts starts them), a database per test file.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
