/**
 * The schema of ClickHouse for a cluster, rendered from the statements for one server: each table becomes a replicated one
 * on every shard (`<name>_local`) under a distributed one of the old name, so that every query and every insert of the
 * product stays as it is. Rows are sharded by campaign, thus a campaign's rollups are whole on its shard. Without a
 * cluster nothing is rendered.
 *
 * A shard drops a repeated insert by itself: the distributed table sends the same rows to the same shards, under the token
 * of the insert. That needs inserts to be answered after the shards have them (`CLUSTER_SETTINGS`).
 */
export type ClusterTarget = { cluster: string; database: string };

/**
 * What every connection asks for on a cluster. An insert is answered when the shards have it, and a majority of each
 * shard's replicas; a read never misses what such an insert has written, which as_of and a writer's look for its rows rely
 * on; and a report of one campaign reads one shard.
 */
export const CLUSTER_SETTINGS = {
  distributed_foreground_insert: 1,
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  select_sequential_consistency: '1',
  optimize_skip_unused_shards: 1,
} as const;

/** Where Keeper has a table; `shard` and `replica` are macros of each server, the other two ClickHouse knows. */
const REPLICA = `'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'`;
/** As long as a group of reports may be repeated; the number of tokens bounds what Keeper holds. */
const WINDOW_SECONDS = 30 * 86_400;
/**
 * What a table is sharded by, the first of these that its sorting key has. It never changes for a row, so that a repeated
 * row meets the first one; plays_raw sorts by the handle of the campaign.
 */
const SHARD_KEYS: readonly [sortedBy: string, shardedBy: string][] = [
  ['campaign_id', 'campaign_id'],
  ['campaign_handle', 'campaign_id'],
  ['screen_id', 'screen_id'],
  ['workspace_handle', 'workspace_handle'],
  ['venue_handle', 'venue_handle'],
  ['node_epoch', 'node_epoch'],
];

/** What analysts read: the same on every server, and no table behind. */
const VIEWS = new Set(['plays', 'plays_by_hour', 'scans']);

/** @throws RangeError for what cannot be the name of a cluster */
export function parseClusterName(value: string): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(value)) throw new RangeError(`'${value}' is no name for a cluster`);
  return value;
}

/** Where statements go that change the stored tables; undefined without a cluster. @param url of ClickHouse; its path names the database */
export function clusterTarget(url: string, cluster: string | undefined): ClusterTarget | undefined {
  return cluster === undefined ? undefined : { cluster, database: new URL(url).pathname.slice(1) };
}

/**
 * The statements for a cluster that one statement of a migration stands for, in their order.
 * @throws RangeError for a statement of a kind that no migration has used so far, or a table that nothing shards
 */
export function renderForCluster(statement: string, { cluster, database }: ClusterTarget): string[] {
  const onCluster = `on cluster '${cluster}'`;
  const [head = '', kind, name = ''] =
    /^(create table|create materialized view|create view|alter table|insert into) (\w+)/.exec(statement) ?? [];
  const rest = statement.slice(head.length);
  switch (kind) {
    case 'create table':
      return [
        `create table ${name}_local ${onCluster}${replicated(rest)}`,
        `create table ${name} ${onCluster} as ${name}_local engine = Distributed('${cluster}', '${database}', '${name}_local', cityHash64(${shardKeyOf(name, rest)}))`,
      ];
    case 'create materialized view': {
      const target = /^ to (\w+)/.exec(rest)?.[1];
      const source = /\bfrom (\w+)/.exec(rest)?.[1];
      if (target === undefined || source === undefined)
        throw new RangeError(`the view ${name} has no table that it reads or writes`);
      return [
        `create materialized view ${name} ${onCluster}${withWords(rest, { [source]: `${source}_local`, [target]: `${target}_local` })}`,
      ];
    }
    case 'create view':
      return [`create view ${name} ${onCluster}${rest}`];
    case 'alter table': {
      if (VIEWS.has(name)) return [`alter table ${name} ${onCluster}${rest}`];
      const local = `alter table ${name}_local ${onCluster}${windowed(rest)}`;
      // Columns are the business of both; parts, indices and settings are the stored table's alone.
      return /^ (?:add|modify|drop|rename|comment) column /.test(rest)
        ? [local, `alter table ${name} ${onCluster}${rest}`]
        : [local];
    }
    case 'insert into':
      return [`${statement}\nsettings distributed_foreground_insert = 1`];
    default:
      throw new RangeError(`no rule renders for a cluster: ${statement.slice(0, 80)}`);
  }
}

/** The table of what was applied: one for the whole cluster, so that it is applied once. */
export function migrationsForCluster(statement: string, { cluster }: ClusterTarget): string {
  return statement
    .replace('migrations (', `migrations on cluster '${cluster}' (`)
    .replace(
      'engine = MergeTree',
      `engine = ReplicatedMergeTree('/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}')`,
    );
}

function replicated(definition: string): string {
  const [found, variant] = /engine = (\w*)MergeTree/.exec(definition) ?? [];
  if (found === undefined)
    throw new RangeError(`a table without an engine that can be replicated: ${definition.slice(0, 80)}`);
  const after = definition.indexOf(found) + found.length;
  const taken = definition[after] === '(' ? argumentsAt(definition, after) : '';
  const args = taken === '' ? REPLICA : `${REPLICA}, ${taken.slice(1, -1)}`;
  return windowed(
    `${definition.slice(0, after - found.length)}engine = Replicated${variant}MergeTree(${args})${definition.slice(after + taken.length)}`,
  );
}

function windowed(text: string): string {
  return text.replace(
    /non_replicated_deduplication_window = (\d+)/,
    `replicated_deduplication_window = $1, replicated_deduplication_window_seconds = ${WINDOW_SECONDS}`,
  );
}

/** From an opening parenthesis to the one that closes it. */
function argumentsAt(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(start, at + 1);
  }
  throw new RangeError('a parenthesis is never closed');
}

function shardKeyOf(table: string, definition: string): string {
  const sorted =
    /\border by \(([^)]*)\)/
      .exec(definition)?.[1]
      ?.split(',')
      .map(column => column.trim()) ?? [];
  const key = SHARD_KEYS.find(([column]) => sorted.includes(column));
  if (!key) throw new RangeError(`${table} is sorted by nothing that could shard it`);
  return key[1];
}

/** The text with other words, outside its strings. */
function withWords(text: string, words: Record<string, string>): string {
  return text
    .split(/('(?:[^'\\]|\\.|'')*')/)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replace(/\w+/g, word => words[word] ?? word)))
    .join('');
}
