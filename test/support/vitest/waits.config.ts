/** A run of tests that does not end by itself, for a test of how runs are ended. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: '.',
    include: ['test/support/vitest/waits.ts'],
    globalSetup: ['test/support/vitest/global-setup.ts'],
    setupFiles: ['test/support/vitest/end-with-run.ts'],
    pool: 'forks',
    maxWorkers: 1,
  },
});
