/**
 * Every benchmark that starts an installation, with a small input: minutes, so it has its own script (`npm run
 * test:bench`).
 */
import { defineConfig } from 'vitest/config';
import { Skips } from '../reports/skips.ts';

export default defineConfig({
  test: {
    root: '.',
    reporters: ['default', new Skips()],
    include: ['test/bench/small-runs.test.ts'],
    setupFiles: ['test/support/vitest/end-with-run.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
