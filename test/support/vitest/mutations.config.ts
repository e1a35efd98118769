/** Files of one mutation, on engines that `test/mutations/main.ts` keeps for all of them. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['test/support/vitest/given-engines.ts'],
    setupFiles: ['test/support/vitest/end-with-run.ts'],
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
