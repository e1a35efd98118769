/** What takes too long for `npm test`, one file at a time: `npm run test:long`. */
import { defineConfig } from 'vitest/config';
import { LONG_TESTS } from './long-tests.ts';
import { Skips } from '../reports/skips.ts';

export default defineConfig({
  test: {
    root: '.',
    reporters: ['default', new Skips()],
    include: LONG_TESTS,
    globalSetup: ['test/support/vitest/global-setup.ts'],
    setupFiles: ['test/support/vitest/end-with-run.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
