/**
 * The variables of the environment that say where Postgres and ClickHouse are, as every service and command reads them.
 */
import { optional, parsed, url } from '#runtime/config.ts';
import { parseClusterName } from './clickhouse-cluster.ts';

export const postgresVariables = () => ({ DATABASE_URL: url('postgres:', 'postgresql:') });

export const clickhouseVariables = () => ({
  CLICKHOUSE_URL: url('http:', 'https:'),
  CLICKHOUSE_CLUSTER: optional(parsed('the name of a cluster', parseClusterName)),
});
