/** The searches and faults alone, over many seeds: `npm run test:fault -- --seeds n` (test/fault/main.ts). */
import { defineConfig } from 'vitest/config';
import { Skips } from '../reports/skips.ts';

export default defineConfig({
  test: {
    root: '.',
    reporters: ['default', new Skips()],
    include: ['test/fault/**/*.test.ts'],
    globalSetup: ['test/support/vitest/global-setup.ts'],
    setupFiles: ['test/support/vitest/end-with-run.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
