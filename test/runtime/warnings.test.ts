/**
 * Warnings are lines of JSON in the log as everything else is. A real process (`warned-service.ts`) whose output is a
 * pipe.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** From this version on the SDK of AWS has nothing to say. */
const AWS_SILENT_FROM = 22;

test('warnings of Node, libraries and the AWS SDK are JSON lines if the output is a pipe, like all other output', async () => {
  const child = fork(join(import.meta.dirname, 'warned-service.ts'), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  await once(child, 'message');
  child.kill('SIGTERM');
  await once(child, 'close');
  const lines = output
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { msg: string; text?: string; kind?: string });
  const warnings = lines.filter(({ msg }) => msg === 'a warning of Node or of a library');
  expect(warnings).toContainEqual(
    expect.objectContaining({ kind: 'DeprecationWarning', text: 'a thing is old\nand over two lines' }),
  );
  const major = Number(process.versions.node.split('.')[0]);
  expect(warnings.some(({ text }) => text?.includes('AWS SDK') === true)).toBe(major < AWS_SILENT_FROM);
});
