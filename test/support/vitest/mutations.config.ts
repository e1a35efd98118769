/** Files of one mutation, in the order in which `test/mutations/main.ts` names them, on engines of its own. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';

class AsGiven extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
  }
}

export default defineConfig({
  test: {
    setupFiles: ['test/support/vitest/end-with-run.ts'],
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    bail: 1,
    sequence: { sequencer: AsGiven },
    // A mutation often makes a test wait forever. A slow test is recognized by running it on the source as it is.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 5_000 } },
  },
});
