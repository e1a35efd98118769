/**
 * The tests of `npm test`. The whole run has one set of real engines (test/support/engines/engines.ts starts them),
 * with a database per test file. Most files share a process with others, which loads the modules once; the files of
 * test/support/vitest/alone-tests.ts have a process each.
 */
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { ALONE_TESTS } from './test/support/vitest/alone-tests.ts';
import { LONG_TESTS } from './test/support/vitest/long-tests.ts';
import { Skips } from './test/support/reports/skips.ts';

/** For `npm run test:mutations`, which wants to know what each file calls. */
const RECORDING = process.env['RECORD_FUNCTIONS'] === undefined ? [] : ['test/mutations/record-functions.ts'];
const SMALL_BENCHES = 'test/bench/small-runs.test.ts';

function project(name: string, options: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      setupFiles: ['test/support/vitest/end-with-run.ts', ...RECORDING],
      pool: 'forks',
      // One more than two cores: many tests wait for processes, polls and clocks.
      maxWorkers: 3,
      // Far above what a test takes on a quiet machine: on a busy one it is slower, and not wrong.
      testTimeout: 60_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 10_000 } },
      ...options,
    },
  };
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/vitest/global-setup.ts'],
    reporters: ['default', new Skips()],
    projects: [
      project('alone', { include: ALONE_TESTS }),
      project('shared', {
        include: ['test/**/*.test.ts'],
        // npm run test:bench, test:containers and test:long
        exclude: [SMALL_BENCHES, 'test/containers/**', ...LONG_TESTS, ...ALONE_TESTS],
        isolate: false,
      }),
    ],
  },
});
