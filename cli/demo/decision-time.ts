import { request } from 'undici';

/** The 99th percentile of the decision time over all delivery processes, in microseconds, from their histograms. */
export async function decisionP99Us(opsUrls: readonly string[]): Promise<number> {
  const buckets = new Map<number, number>();
  for (const url of opsUrls) {
    const response = await request(`${url}/metrics`);
    for (const match of (await response.body.text()).matchAll(
      /^delivery_decision_seconds_bucket\{[^}]*le="([^"]+)"[^}]*\} (\d+)/gm,
    )) {
      const bound = match[1] === '+Inf' ? Infinity : Number(match[1]);
      buckets.set(bound, (buckets.get(bound) ?? 0) + Number(match[2]));
    }
  }
  const total = buckets.get(Infinity) ?? 0;
  const bounds = [...buckets.keys()].sort((a, b) => a - b);
  const bound = bounds.find(candidate => buckets.get(candidate)! >= total * 0.99) ?? 0;
  return Math.round(bound * 1e6);
}
