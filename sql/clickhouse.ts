import { createClient, type ClickHouseClient } from '@clickhouse/client';

export type Clickhouse = ClickHouseClient;

/**
 * A client of ClickHouse. Inserts are synchronous (`async_insert=0`): an answer means that the rows are in the table and
 * in every view, which acknowledgement and settlement rely on; and an asynchronous insert would ignore its token.
 */
export function openClickhouse(url: string, { application, connectionsMax, requestTimeoutMs = 30_000 }: { application: string; connectionsMax: number; requestTimeoutMs?: number }): Clickhouse {
  return createClient({
    url, // its path names the database
    application,
    max_open_connections: connectionsMax,
    request_timeout: requestTimeoutMs,
    // The server closes idle sockets after 3 s; a socket reused in that moment fails with an unknown outcome.
    keep_alive: { enabled: true, idle_socket_ttl: 2_000 },
    clickhouse_settings: { async_insert: 0, date_time_output_format: 'iso', output_format_json_quote_64bit_integers: 0 },
  });
}
