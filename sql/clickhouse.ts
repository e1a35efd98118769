/** Connections to ClickHouse. */
import { Agent } from 'node:https';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient, ClickHouseClientConfigOptions, QueryParams } from '@clickhouse/client';
import { ConfigError } from '#runtime/config.ts';
import { CLUSTER_SETTINGS } from './clickhouse-cluster.ts';
import { tlsOf, VERIFY } from './tls.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** `insertHops`: how many servers an insert runs on, one after the other. */
export type Clickhouse = ClickHouseClient & { readonly insertHops: number };

/** On a cluster, the server that was asked and then a shard: each counts `max_execution_time` for itself. */
const CLUSTER_HOPS = 2;

/** JSON answers with dates in ISO 8601 and 64-bit integers as numbers (all of ours stay below 2^53). */
const JSON_SETTINGS = { date_time_output_format: 'iso', output_format_json_quote_64bit_integers: 0 } as const;

type ClientOptions = {
  application: string;
  connectionsMax: number;
  requestTimeoutMs?: Milliseconds;
  cluster?: string | undefined;
};

/**
 * A client of ClickHouse. Inserts are synchronous (`async_insert=0`): an answer means that the rows are in the table
 * and in every view, which acknowledgement and settlement rely on; and an asynchronous insert would ignore its token.
 * @param cluster name of the cluster that the server belongs to; asks for its settings.
 */
export function openClickhouse(
  url: string,
  { application, connectionsMax, requestTimeoutMs = 30_000, cluster }: ClientOptions,
): Clickhouse {
  const client = createClient({
    ...addressOf(url, connectionsMax),
    application,
    max_open_connections: connectionsMax,
    request_timeout: requestTimeoutMs,
    // The server closes idle sockets after 3 s; a socket reused in that moment fails with an unknown outcome.
    keep_alive: { enabled: true, idle_socket_ttl: 2_000 },
    clickhouse_settings: { async_insert: 0, ...JSON_SETTINGS, ...(cluster !== undefined && CLUSTER_SETTINGS) },
    log: { level: ClickHouseLogLevel.OFF }, // every error is thrown as well; the caller says what it means
  });
  return Object.assign(client, { insertHops: cluster === undefined ? 1 : CLUSTER_HOPS });
}

/** The rows of a query. */
export async function queryRows<Row>(
  clickhouse: Pick<ClickHouseClient, 'query'>,
  params: Omit<QueryParams, 'format'>,
): Promise<Row[]> {
  const result = await clickhouse.query({ ...params, format: 'JSONEachRow' });
  return result.json<Row>();
}

/** The URL, whose path names the database, without its options of TLS. @throws ConfigError naming the option */
export function addressOf(text: string, connectionsMax: number): ClickHouseClientConfigOptions {
  const url = new URL(text);
  const { ca, rejectUnauthorized } = url.protocol === 'https:' ? tlsOf(url.searchParams) : {};
  for (const name of ['ca', VERIFY]) {
    if (!url.searchParams.has(name)) continue;
    if (url.protocol !== 'https:') throw new ConfigError([`${name} is for https:// alone`]);
    url.searchParams.delete(name);
  }
  return {
    url: url.href,
    ...(ca !== undefined && { tls: { ca_cert: Buffer.from(ca) } }),
    // The library has no option for this. It keeps no idle sockets of an agent that is not its own.
    ...(rejectUnauthorized === false && { http_agent: new Agent({ rejectUnauthorized, maxSockets: connectionsMax }) }),
  };
}
