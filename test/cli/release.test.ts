/**
 * A release raises the version in every file that names it, and moves what was unreleased under a version with a date.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freezeMigrations, hashOf, raiseVersion, RELEASED_MIGRATIONS, type Files } from '../../cli/release/release.ts';
import { ROOT } from '../support/architecture/source-files.ts';

const { version: current } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const next = current.replace(/\d+$/, last => String(Number(last) + 1));

/** The repository with what was written over it. */
function repository(over: Record<string, string> = {}): Files & { written: Map<string, string> } {
  const written = new Map<string, string>();
  return {
    written,
    read: path => written.get(path) ?? over[path] ?? readFileSync(join(ROOT, path), 'utf8'),
    write: (path, text) => void written.set(path, text),
  };
}
const changelog = (...sections: string[]): Record<string, string> => ({
  'CHANGELOG.md': `# Changelog\n\n${sections.join('\n')}`,
});
const UNRELEASED = '## Unreleased\n\n### Features\n- A thing.\n';
const OLDER = '## 0.0.1 (2026-01-01)\n\n### Features\n- An older thing.\n';

describe('a release', () => {
  test('raises the version in all its places, and nowhere else', () => {
    const files = repository(changelog(UNRELEASED));
    raiseVersion(files, next, '2026-11-23');
    expect([...files.written.keys()].toSorted()).toEqual([
      'CHANGELOG.md',
      'deploy/helm/Chart.yaml',
      'docker-compose.yml',
      'package-lock.json',
      'package.json',
      'sdk/python/marquee/version.py',
      'sdk/python/pyproject.toml',
      'sdk/typescript/package.json',
      'sdk/typescript/src/version.ts',
    ]);
    const lock = JSON.parse(files.read('package-lock.json')) as {
      version: string;
      packages: Record<string, { version: string }>;
    };
    expect([lock.version, lock.packages['']!.version]).toEqual([next, next]);
    for (const [path, text] of files.written) {
      if (path === 'CHANGELOG.md') continue;
      const before = readFileSync(join(ROOT, path), 'utf8').split('\n');
      const changed = text.split('\n').filter((line, index) => line !== before[index]);
      expect(changed.every(line => line.includes(next))).toBe(true);
      expect(changed.length).toBe(/docker-compose|package-lock|Chart/.test(path) ? 2 : 1);
    }
  });

  test('adds a dated section to the top of the changelog, and returns it as release notes', () => {
    const files = repository(changelog(UNRELEASED, OLDER));
    const notes = raiseVersion(files, next, '2026-11-23');
    expect(files.read('CHANGELOG.md')).toBe(
      `# Changelog\n\n## Unreleased\n\n## ${next} (2026-11-23)\n\n### Features\n- A thing.\n\n${OLDER}`,
    );
    expect(notes).toBe(`# Marquee ${next}\n\n### Features\n- A thing.\n`);
  });

  test('can follow a release', () => {
    const files = repository(changelog(UNRELEASED, OLDER));
    raiseVersion(files, next, '2026-11-23');
    files.write('CHANGELOG.md', files.read('CHANGELOG.md').replace('## Unreleased\n', UNRELEASED));
    raiseVersion(files, `${Number(next.split('.')[0]) + 1}.0.0`, '2026-12-01');
    expect(files.read('CHANGELOG.md').match(/^## .*$/gm)).toEqual([
      '## Unreleased',
      `## ${Number(next.split('.')[0]) + 1}.0.0 (2026-12-01)`,
      `## ${next} (2026-11-23)`,
      '## 0.0.1 (2026-01-01)',
    ]);
  });

  test.each([
    ['a version that is not above', current, changelog(UNRELEASED), /is not above/],
    ['a version below', '0.0.1', changelog(UNRELEASED), /is not above/],
    ['nothing changed', next, changelog('## Unreleased\n', OLDER), /says of no change/],
    ['a changelog without the section', next, changelog(OLDER), /no section/],
    [
      'a file that names another version',
      next,
      { ...changelog(UNRELEASED), 'sdk/python/pyproject.toml': '\nversion = "7.7.7"' },
      /pyproject.toml does not say/,
    ],
  ])('is refused for %s, and writes nothing', (_, version, over, message) => {
    const files = repository(over as Record<string, string>);
    expect(() => raiseVersion(files, version, '2026-11-23')).toThrow(message);
    expect(files.written.size).toBe(0);
  });
});

describe('migrations', () => {
  test('are recorded with the first version that releases them, and never again', () => {
    const files = repository({ [RELEASED_MIGRATIONS]: '{}', 'a.sql': 'create table a ();', 'b.sql': 'drop table a;' });
    freezeMigrations(files, ['a.sql']);
    files.write('a.sql', 'create table b ();');
    freezeMigrations(files, ['a.sql', 'b.sql']);
    expect(JSON.parse(files.read(RELEASED_MIGRATIONS))).toEqual({
      'a.sql': hashOf('create table a ();'),
      'b.sql': hashOf('drop table a;'),
    });
  });

  test('that were released never change: a schema change is a new migration', () => {
    const released = JSON.parse(readFileSync(join(ROOT, RELEASED_MIGRATIONS), 'utf8')) as Record<string, string>;
    for (const [path, hash] of Object.entries(released))
      expect(hashOf(readFileSync(join(ROOT, path), 'utf8')), `${path} was changed after its release`).toBe(hash);
  });
});
