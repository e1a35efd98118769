/** The images and their containers: `npm run test:containers`. */
import { defineConfig } from 'vitest/config';
import { Skips } from '../support/reports/skips.ts';

export default defineConfig({
  test: {
    root: '.',
    reporters: ['default', new Skips()],
    include: ['test/containers/*.test.ts'],
    globalSetup: ['test/support/vitest/global-setup.ts'],
    setupFiles: ['test/support/vitest/end-with-run.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 240_000,
  },
});
