/**
 * What a cluster of Redis asks of keys: all of a shard lie in one slot, and scripts touch no others. The names of keys
 * and the text of the scripts, without a server.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allShards, shardKeys, SHARDS_MAX } from '#authority/authority-keys.ts';
import { tagOf } from '#sql/redis-shards.ts';
import { streamKeys } from '../../ingest/queue/stream-keys.ts';

const FOLDER = join(import.meta.dirname, '../../authority/scripts');
const SLOTS = 16_384;

/** CRC16 (XMODEM) of the text in the first braces, as the cluster specification has it. */
function slotOf(key: string): number {
  const [, tag] = /\{([^}]+)\}/.exec(key) ?? [];
  let crc = 0;
  for (const byte of Buffer.from(tag ?? key)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x80_00) === 0 ? crc << 1 : (crc << 1) ^ 0x10_21;
    crc &= 0xff_ff;
  }
  return crc % SLOTS;
}

/** Every key that a shard has, for some campaign, epoch, job and API key. */
function keysOfShard(shard: number): string[] {
  const { shard: _, tag, ...keys } = shardKeys(shard);
  const { stream: _stream, prefix, ...streams } = streamKeys('plays', shard);
  const made = Object.values(keys).map(key =>
    typeof key === 'string' ? key : (key as (...names: (number | string)[]) => string)(5, 7),
  );
  return [tag, prefix, ...made, ...Object.values(streams)];
}

describe('the keys of a shard', () => {
  test('are in one slot, the slot of its tag', () => {
    for (let shard = 0; shard < SHARDS_MAX; shard += 1) {
      const keys = keysOfShard(shard);
      expect(new Set(keys).size).toBe(keys.length - 1); // BullMQ's prefix is the tag
      expect(new Set(keys.map(slotOf))).toEqual(new Set([slotOf(`{plays:${shard}}`)]));
      expect(new Set(keys.map(tagOf))).toEqual(new Set([shardKeys(shard).tag]));
    }
  });

  test('differ from those of every other shard', () => {
    const all = allShards({ shards: SHARDS_MAX }).flatMap(({ shard }) => keysOfShard(shard));
    expect(new Set(all).size).toBe(all.length - SHARDS_MAX);
    expect(new Set(allShards({ shards: SHARDS_MAX }).map(({ tag }) => slotOf(tag))).size).toBe(SHARDS_MAX);
  });

  test('spread evenly over the number of masters in docs/operate/redis.md', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/operate/redis.md'), 'utf8');
    const rows = [...guide.matchAll(/^\| (\d+) masters \| (\d+) \| ([\d, ]+) \|$/gm)];
    expect(rows.length).toBeGreaterThan(3);
    for (const [, masters, shards, each] of rows) {
      const found = Array.from({ length: Number(masters) }, () => 0);
      for (let shard = 0; shard < Number(shards); shard += 1)
        found[Math.floor((slotOf(shardKeys(shard).tag) * Number(masters)) / SLOTS)]! += 1;
      expect([masters, shards, found.join(', ')]).toEqual([masters, shards, each]);
    }
  });
});

describe('the scripts', () => {
  const scripts = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.lua'));

  test.each(scripts)('%s names every key with the tag of its shard', name => {
    const text = readFileSync(join(FOLDER, name), 'utf8');
    const literal = [...text.matchAll(/call\('([A-Z]+)', '([^']*)'/g)]
      .filter(([, command]) => command !== 'INFO')
      .map(([all]) => all);
    expect(literal).toEqual([]);
  });

  test.each(scripts.filter(name => name !== 'prelude.lua'))(
    '%s is given a key, which has the tag, and says what it takes and returns',
    name => {
      const text = readFileSync(join(FOLDER, name), 'utf8');
      for (const line of [/^-- KEYS \S/m, /^-- ARGV \S/m, /^-- Returns \S/m]) expect(text).toMatch(line);
    },
  );
});
