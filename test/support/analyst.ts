/** A client of ClickHouse with the rights and limits of an analyst, for tests of the guide and the dashboards. */
import { type ClickHouseClient, createClient } from '@clickhouse/client';

type OpenAnalystOptions = { url: string; username: string; password: string; database: string };

/** A client of ClickHouse as an analyst has it, on one database. */
export function openAnalyst({ url, username, password, database }: OpenAnalystOptions): ClickHouseClient {
  return createClient({
    url,
    username,
    password,
    database,
    clickhouse_settings: { date_time_output_format: 'iso', output_format_json_quote_64bit_integers: 0 },
  });
}
