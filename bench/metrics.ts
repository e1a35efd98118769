/** Reads the metrics that the services publish for Prometheus. */
import { request } from 'undici';

/** The metrics of processes in Prometheus's text format, one text each. */
export async function readMetrics(opsUrls: readonly string[]): Promise<string[]> {
  return Promise.all(opsUrls.map(async url => (await request(`${url}/metrics`)).body.text()));
}

/** The sum of a metric over texts, labels and processes. */
export function sumOf(texts: readonly string[], name: string): number {
  const line = new RegExp(`^${name}(?:\\{[^}]*\\})? ([0-9.e+-]+)$`, 'gm');
  return texts.flatMap(text => [...text.matchAll(line)]).reduce((sum, match) => sum + Number(match[1]), 0);
}
