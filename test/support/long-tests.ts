/**
 * Files that take ten seconds to a minute each: browsers, encodings, engines that are killed and started, long answers,
 * real time-outs, models with many runs. They have a script of their own (`npm run test:long`), so that `npm test` stays
 * under five minutes on two cores.
 */
export const LONG_TESTS = [
  'test/api/audit-export.test.ts',
  'test/api/campaign-model.test.ts',
  'test/api/creatives.test.ts',
  'test/api/hygiene-drain.test.ts',
  'test/api/uploads.test.ts',
  'test/bench/forecast.test.ts',
  'test/cli/operator-of-keys.test.ts',
  'test/cli/replay.test.ts',
  'test/deploy/alerts.test.ts',
  'test/deploy/compose.test.ts',
  'test/deploy/many.test.ts',
  'test/deploy/read-replica.test.ts',
  'test/deploy/redis-failover.test.ts',
  'test/engines/clickhouse-streams.test.ts',
  'test/engines/clickhouse.test.ts',
  'test/engines/run.test.ts',
  'test/fault/processes.test.ts',
  'test/fault/webhook-dispatch.test.ts',
  'test/flow/month-of-money.test.ts',
  'test/flow/operations.test.ts',
  'test/ingest/crash.test.ts',
  'test/sql/verify.test.ts',
  'test/web/player-in-browser.test.ts',
  'test/web/player-pages.test.ts',
  'test/workers/media.test.ts',
  'test/workers/rebuild-authority.test.ts',
  'test/workers/webhooks.test.ts',
];
