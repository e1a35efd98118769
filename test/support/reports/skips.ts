/**
 * Names every test that was skipped and prints their count. With `REQUIRED=1` a skip fails the run: CI must not pass
 * because a machine lacks a program.
 */
import type { Reporter, TestModule } from 'vitest/node';

export class Skips implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap(module =>
      [...module.children.allTests('skipped')].map(test => `${module.relativeModuleId} > ${test.fullName}`),
    );
    if (skipped.length === 0) return;
    const isRefused = process.env['REQUIRED'] === '1';
    const heading = `${skipped.length} skipped${isRefused ? ', and REQUIRED=1 allows none' : ''}`;
    process.stderr.write(`\n${[`${heading}:`, ...skipped].join('\n  ')}\n`);
    if (isRefused) process.exitCode = 1;
  }
}
