/**
 * `npm run migrate`: brings both schemas up to date and ends. A deployment runs it once before its services; `start`
 * and the demo do so themselves. Safe to run again, and from several places at once for Postgres.
 */
import { readConfig } from '#runtime/config.ts';
import { configOrExit } from '#runtime/lifecycle.ts';
import { clickhouseVariables, postgresVariables } from '#sql/engine-variables.ts';
import { migrateClickhouse, migratePostgres } from '#sql/migrate.ts';
import { runCommand } from './arguments.ts';

const config = configOrExit(() => readConfig({ ...postgresVariables(), ...clickhouseVariables() }, process.env));

runCommand(async () => {
  const applied = [
    ...(await migratePostgres(config.DATABASE_URL)),
    ...(await migrateClickhouse(config.CLICKHOUSE_URL, { cluster: config.CLICKHOUSE_CLUSTER })),
  ];
  process.stdout.write(applied.length === 0 ? 'The schemas are up to date.\n' : `Applied ${applied.join(', ')}\n`);
  return 0;
});
