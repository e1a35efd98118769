/** A whole installation for one test file, engines and services on a fresh folder and free ports. */
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { startInstance, type Instance, type InstanceOptions } from '../../../cli/instance/instance.ts';
import { makeDataDir, removeDataDir } from './engines.ts';

export type TestInstance = Instance & {
  dataDir: string;
  /** Reads and writes its Postgres beside the services. */
  sql: Postgres;
  /** Stops it, and deletes its folder. */
  remove(): Promise<void>;
};

/** Starts one, with one process of each service where the options do not say otherwise. */
export async function startTestInstance(
  options: Partial<Omit<InstanceOptions, 'dataDir'>> = {},
): Promise<TestInstance> {
  const dataDir = makeDataDir();
  const instance = await startInstance({
    dataDir,
    port: 0,
    deliveryPort: 0,
    deliveryProcesses: 1,
    ingestProcesses: 1,
    logLevel: 'error',
    onRestart: () => undefined,
    ...options,
  });
  const sql = openPostgres(instance.urls.databaseUrl, { connectionsMax: 2, applicationName: 'marquee-test' });
  return {
    ...instance,
    dataDir,
    sql,
    remove: async () => {
      await sql.end({ timeout: 5 });
      await instance.stop();
      await removeDataDir(dataDir);
    },
  };
}
