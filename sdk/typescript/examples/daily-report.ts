/**
 * What a brand's campaigns did on one day (yesterday, UTC, unless told), as CSV on the output: a line per campaign. Run
 * it with a key of the brand, each morning:
 *
 *   API=https://ads.example.com KEY=... npx tsx sdk/typescript/examples/daily-report.ts 2026-11-22 > yesterday.csv
 */
import { createMarquee } from '@marquee/sdk';

const { API: baseUrl, KEY: key } = process.env;
if (baseUrl === undefined || key === undefined) throw new Error('set API and KEY');
const DAY_MS = 86_400_000;
const day = process.argv[2] ?? new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);

/** One field of a line, as RFC 4180 writes it. */
const field = (value: string | number): string => `"${String(value).replaceAll('"', '""')}"`;

const marquee = createMarquee({ baseUrl, key, sdk: 'daily-report/1' });
console.log(['campaign_id', 'name', 'day', 'plays', 'scans', 'spend', 'currency'].map(field).join(','));
for await (const { id, name } of marquee.list('/v1/campaigns', { query: { limit: '100' } })) {
  const { totals } = await marquee.get('/v1/reporting/campaigns/{id}', { path: { id }, query: { from: day, to: day } });
  const { plays, scans, spend } = totals;
  console.log([id, name, day, plays, scans, spend.amount, spend.currency].map(field).join(','));
}
