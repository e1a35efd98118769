/**
 * The variables of the environment that say where Postgres and ClickHouse are, as every service and command reads them.
 */
import { optional, parsed, url, type Field } from '#runtime/config.ts';
import { addressOf } from './clickhouse.ts';
import { parseClusterName } from './clickhouse-cluster.ts';
import { parsePostgresUrl } from './tls.ts';

export const postgresVariables = () => ({
  DATABASE_URL: postgresUrl(),
  /** Postgres itself, beside a pooler in transaction mode. */
  DATABASE_DIRECT_URL: optional(postgresUrl()),
});

export const clickhouseVariables = () => ({
  CLICKHOUSE_URL: checked(url('http:', 'https:'), value => addressOf(value, 1)),
  CLICKHOUSE_CLUSTER: optional(parsed('the name of a cluster', parseClusterName)),
});

/** A field of the configuration: the URL as text, once its options of TLS are known to be right. */
export const postgresUrl = (): Field<string> => checked(url('postgres:', 'postgresql:'), parsePostgresUrl);

function checked(field: Field<string>, check: (value: string) => unknown): Field<string> {
  return {
    ...field,
    parse(text) {
      const value = field.parse(text);
      check(value);
      return value;
    },
  };
}
