import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Whose keys each script touches, by what it declares and by what it reads besides; docs/deploy.md has the list for people. */
const FOLDER = join(import.meta.dirname, '../../sql/redis');
/** Every name of a key in the scripts' KEYS lines, by the tag that the key carries. */
const OWNERS: Record<string, string> = {
  'amounts': 'campaign', 'answers': 'campaign', 'names': 'campaign', 'bits of epoch 1': 'campaign', 'bits of epoch 2': 'campaign', 'bits of the epoch': 'campaign', 'bits of its epoch': 'campaign',
  'claimed': 'authority', 'waiting': 'authority',
  'epoch': 'epochs', 'live epochs': 'epochs', 'closing epochs': 'epochs', 'campaigns of the epoch': 'epochs', 'campaigns that lapse': 'epochs', 'line': 'epochs',
  'pending': 'queue', 'grouped': 'queue', 'releases': 'queue', 'unsettled': 'queue', 'group': 'queue', 'the new group': 'queue', 'hash of the job': 'queue',
  'windows': 'one API key',
};

function ownersOf(script: string): string[] {
  const text = readFileSync(join(FOLDER, `${script}.lua`), 'utf8');
  const declared = (/KEYS ([^;\n]*)/.exec(text)?.[1] ?? '').split(', ').filter(name => name !== '' && name !== '...');
  const unknown = declared.filter(name => !(name in OWNERS));
  if (unknown.length > 0) throw new Error(`${script} declares ${unknown.join(', ')}, whose tag is not known`);
  const besides = /\bguard\(\)|\bAUTHORITY\b|'authority/.test(text) ? ['authority'] : [];
  return [...new Set([...declared.map(name => OWNERS[name]!), ...besides])].sort();
}

const scripts = readdirSync(FOLDER).filter(name => name.endsWith('.lua')).map(name => name.slice(0, -'.lua'.length))
  .filter(name => !['prelude', 'now'].includes(name)); // no keys of their own

describe('scripts of Redis', () => {
  test('touch the keys that docs/deploy.md says', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/deploy.md'), 'utf8');
    const rows = [...guide.slice(guide.indexOf('### Redis Cluster')).matchAll(/^\| (`.*`) \| (.*) \|$/gm)]
      .flatMap(([, names, owners]) => [...names!.matchAll(/`([a-z-]+)`/g)].map(([, name]) => [name!, owners!.split(', ').sort()]));
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(scripts.map(name => [name, ownersOf(name)])));
  });
});
