/**
 * Starts one set of real engines for the whole run and stops it after the last file. A test file asks for their URLs by
 * `inject('databaseUrl')`.
 */
import type { TestProject } from 'vitest/node';
import { onLostParent } from '../../../cli/instance/interrupt.ts';
import { findFfmpeg } from '../../../engines/ffmpeg.ts';
import { startTestEngines, sweepTestEngines } from '../engines/engines.ts';
import { prepareEngines } from './templates.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string;
    redisUrl: string;
    clickhouseUrl: string;
    /** How an analyst reaches ClickHouse. */
    analyst: { url: string; username: string; password: string };
  }
}

/** One set of real engines for the whole run; a test file asks for their URLs by `inject('databaseUrl')`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  onLostParent(() => process.kill(process.pid, 'SIGTERM'));
  await sweepTestEngines();
  // Installed here on a new machine: tests call it by its name.
  await findFfmpeg();
  // Its data end with the run, so nothing waits for the disk: a database that is dropped would wait for a checkpoint.
  const engines = await startTestEngines({ postgresSettings: { fsync: 'off', full_page_writes: 'off' } });
  await prepareEngines(engines.urls);
  project.provide('databaseUrl', engines.urls.databaseUrl);
  project.provide('redisUrl', engines.urls.redisUrl);
  project.provide('clickhouseUrl', engines.urls.clickhouseUrl);
  project.provide('analyst', engines.clickhouse);
  return () => engines.remove();
}
