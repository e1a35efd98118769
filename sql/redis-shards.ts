/**
 * How keys are divided into shards. Every key carries the tag of its shard in braces, which is the part that a cluster
 * of Redis hashes: keys with one tag are on one master. `authority/authority-keys.ts` says which key belongs to which
 * shard.
 */

/** A connection, which knows the number of shards. */
export type Sharded = { readonly shards: number };

/** The tag of a shard, with which all of its keys begin. */
export const shardTag = (shard: number): string => `{plays:${shard}}`;

/** The tag that a key carries. */
export const tagOf = (key: string): string => key.slice(0, key.indexOf('}') + 1);
