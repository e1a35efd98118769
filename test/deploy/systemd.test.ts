/**
 * The units of deploy/systemd: each starts a file that is there, with the secrets that its configuration reads, and
 * systemd itself finds no fault with them where it is installed.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAMS } from '../../runtime/programs/program.ts';
import { ROOT } from '../support/architecture/source-files.ts';

const FOLDER = join(ROOT, 'deploy/systemd');
const UNITS = readdirSync(FOLDER).filter(name => /\.(service|target|timer)$/.test(name));
const SERVICES = UNITS.filter(name => name.endsWith('.service'));
/** The values of one name in a unit; a name may stand several times. */
const valuesOf = (unit: string, name: string): string[] =>
  [...readFileSync(join(FOLDER, unit), 'utf8').matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(match => match[1]!);

test.each(SERVICES)('%s starts an existing file', unit => {
  const [command] = valuesOf(unit, 'ExecStart');
  expect(command).toMatch(/^\/usr\/bin\/node (--\S+ )*dist\/programs\/start\.mjs /);
  expect(PROGRAMS).toContain(command!.split(' ').find(word => word.endsWith('.ts'))!);
});

test.each(SERVICES)('%s passes each secret as a file, in a variable that the product reads', unit => {
  const secrets = valuesOf(unit, 'LoadCredential').map(value => value.split(':')[0]!);
  expect(secrets.length).toBeGreaterThan(0);
  const variables = new Set(
    [...readFileSync(join(ROOT, 'docs/operate/variables.md'), 'utf8').matchAll(/^\| `([A-Z_]+)`[^|]*\*secret\*/gm)].map(
      match => match[1]!,
    ),
  );
  for (const secret of secrets) {
    expect(valuesOf(unit, 'Environment')).toContain(`${secret.toUpperCase()}_FILE=%d/${secret}`);
    expect(variables).toContain(secret.toUpperCase());
  }
});

test('the target wants every long-running service and every timer, and each timer has its service', () => {
  const timers = UNITS.filter(name => name.endsWith('.timer'));
  const onTime = timers.map(name => name.replace('.timer', '.service'));
  expect(onTime.filter(name => !SERVICES.includes(name))).toEqual([]);
  const stay = SERVICES.filter(name => !onTime.includes(name));
  const wanted = valuesOf('marquee.target', 'Wants')[0]!.split(' ');
  expect(wanted.map(name => name.replace(/@.*\./, '@.')).sort()).toEqual([...stay, ...timers].sort());
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
test.skipIf(!hasSystemd)('systemd accepts all units', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'marquee-units-'));
  try {
    for (const unit of UNITS) copyFileSync(join(FOLDER, unit), join(scratch, unit.replace('@.', '@8081.')));
    const units = UNITS.map(unit => join(scratch, unit.replace('@.', '@8081.')));
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], { encoding: 'utf8' });
    expect(stdout + stderr).toBe(''); // a fault is printed, and does not show in the exit code
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
