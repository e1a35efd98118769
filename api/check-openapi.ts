/** `npm run check:openapi`: lints the OpenAPI document with redocly's recommended rules. Needs no network. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { documentOffline } from './offline.ts';

const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'marquee-openapi-'));
try {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(await documentOffline(), null, 2));
  const { status } = spawnSync(
    process.execPath,
    [
      join(dirname(require.resolve('@redocly/cli/package.json')), 'bin/cli.js'),
      'lint',
      '--config',
      resolve(import.meta.dirname, '../redocly.yaml'),
      file,
    ],
    { stdio: 'inherit', env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
