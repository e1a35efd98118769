/**
 * `npm run migrate`: brings both schemas up to date and ends. A deployment runs it once before its services; `start`
 * and the demo do so themselves. Safe to run again, and from several places at once for Postgres.
 */
import { readConfig } from '#runtime/config.ts';
import { configOrExit } from '#runtime/lifecycle.ts';
import { clickhouseVariables, postgresVariables } from '#sql/engine-variables.ts';
import { checkEngines, sessionsOf } from '#sql/preflight/requirements.ts';
import { faultIfKnown, type Named } from '#sql/preflight/sentence.ts';
import { migrateClickhouse, migratePostgres } from '#sql/migrate.ts';
import { runCommand } from './arguments.ts';

const config = configOrExit(() => readConfig({ ...postgresVariables(), ...clickhouseVariables() }, process.env));

runCommand(async () => {
  const { CLICKHOUSE_URL, CLICKHOUSE_CLUSTER: cluster } = config;
  const { variable, url } = sessionsOf(config);
  await checkEngines(config, { needs: 'schema' });
  const applied = [
    ...(await migratePostgres(url).catch(named({ engine: 'Postgres', variable, url }))),
    ...(await migrateClickhouse(CLICKHOUSE_URL, { cluster }).catch(
      named({ engine: 'ClickHouse', variable: 'CLICKHOUSE_URL', url: CLICKHOUSE_URL }),
    )),
  ];
  process.stdout.write(applied.length === 0 ? 'The schemas are up to date.\n' : `Applied ${applied.join(', ')}\n`);
  return 0;
});

/** Names the engine and its variable in an error that a setting mends: a full disk, a missing right. */
function named(engine: Named): (error: unknown) => never {
  return error => {
    throw faultIfKnown(error, engine);
  };
}
