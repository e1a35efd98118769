/** Gives a run the engines that the process before it started: `TEST_ENGINES` has their URLs. */
import type { TestProject } from 'vitest/node';
import type { EngineUrls } from '../../../engines/run.ts';

type Given = { urls: EngineUrls; analyst: { url: string; username: string; password: string } };

export default function setup(project: TestProject): void {
  const { urls, analyst } = JSON.parse(process.env['TEST_ENGINES']!) as Given;
  project.provide('databaseUrl', urls.databaseUrl);
  project.provide('redisUrl', urls.redisUrl);
  project.provide('clickhouseUrl', urls.clickhouseUrl);
  project.provide('analyst', analyst);
}
