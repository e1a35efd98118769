/**
 * The alert rules, judged by Prometheus' own tool: half an hour in which all is well, a quarter in which what one group
 * of rules watches is wrong, and an hour in which it is well again. Exactly the alerts of that group fire, and none
 * before or after.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../support/compose/compose.ts';
import {
  findPrometheus,
  queriesOf,
  readAlerts,
  readDashboards,
  RULES_PATH,
  selectorsOf,
  type AlertGroup,
} from '../support/engines/prometheus.ts';

type Values = number | { perMinute: number };
/** What each series is while all is well; `perMinute` for what only rises. */
const WELL: Record<string, Values> = {
  'up{job="api",instance="a"}': 1,
  'up{job="delivery",instance="d"}': 1,
  'up{job="ingest",instance="i"}': 1,
  'up{job="workers",instance="w"}': 1,
  'workers_freshness_seconds{job="workers"}': 0.4,
  'workers_as_of_waits_for{job="workers"}': 0,
  'ingest_group_retries_total{job="ingest"}': { perMinute: 0 },
  'ingest_insert_unknown_total{job="ingest"}': { perMinute: 0 },
  'ingest_dead_letters_total{job="ingest",step="verify"}': { perMinute: 0 },
  'ingest_unbacked_plays_total{job="ingest"}': { perMinute: 0 },
  'workers_dead_letters_waiting{job="workers"}': 0,
  'workers_queue_failed_batches{job="workers",queue="plays"}': 0,
  'workers_queue_pending_batches{job="workers",queue="plays"}': 2,
  'delivery_refused_plays_total{job="delivery",reason="too_short"}': { perMinute: 1 },
  'delivery_reports_total{job="delivery",outcome="accepted"}': { perMinute: 1_000 },
  'delivery_reports_total{job="delivery",outcome="refused"}': { perMinute: 1 },
  'delivery_batch_copies_dropped{job="delivery"}': { perMinute: 0 },
  'delivery_batch_retries{job="delivery"}': { perMinute: 0 },
  'delivery_outbox_waiting_events{job="delivery"}': 20,
  'workers_overspent_campaigns{job="workers"}': 0,
  'workers_findings_open_seconds{job="workers"}': 0,
  'workers_payment_cases_open_seconds{job="workers"}': 0,
  'workers_verify_breaches{job="workers"}': 0,
  'workers_verify_unchecked{job="workers"}': 0,
  'workers_verified_at_seconds{job="workers"}': { perMinute: 60 },
  'workers_unsettled_seconds{job="workers"}': 1,
  'workers_authority_answers{job="workers"}': 1,
  'delivery_fill_seconds_left{job="delivery",instance="d"}': 97,
  'delivery_no_fills{job="delivery",reason="no_lease"}': { perMinute: 1 },
  'delivery_no_fills{job="delivery",reason="budget_exhausted"}': { perMinute: 10 },
  'delivery_slots{job="delivery"}': { perMinute: 1_000 },
  'delivery_grants_failed{job="delivery"}': { perMinute: 0 },
  'workers_day_delivered_ratio{job="workers"}': 0.98,
  'delivery_plan_age_seconds{job="delivery"}': 30,
  'delivery_sockets{job="delivery",instance="d"}': 900,
  'delivery_screens_max{job="delivery",instance="d"}': 15_000,
  'delivery_refused_connections_total{job="delivery",reason="full"}': { perMinute: 0 },
  'delivery_changes_age_seconds{job="delivery"}': 0.6,
  'delivery_decision_seconds_bucket{job="delivery",le="0.0005"}': { perMinute: 1_000 },
  'delivery_decision_seconds_bucket{job="delivery",le="0.01"}': { perMinute: 1_000 },
  'delivery_decision_seconds_bucket{job="delivery",le="+Inf"}': { perMinute: 1_000 },
  'api_request_seconds_count{job="api",route="/v1/campaigns",method="GET",status="2xx"}': { perMinute: 500 },
  'api_request_seconds_count{job="api",route="/v1/campaigns",method="GET",status="5xx"}': { perMinute: 0 },
  'api_request_seconds_bucket{job="api",route="/v1/campaigns",le="0.05"}': { perMinute: 500 },
  'api_request_seconds_bucket{job="api",route="/v1/campaigns",le="5"}': { perMinute: 500 },
  'api_request_seconds_bucket{job="api",route="/v1/campaigns",le="+Inf"}': { perMinute: 500 },
  'api_rate_limit_local{job="api"}': 0,
  'api_call_log_dropped_total{job="api"}': { perMinute: 0 },
  'api_scans_dropped_total{job="api"}': { perMinute: 0 },
  'workers_job_faults_total{job="workers",name="settle-spend"}': { perMinute: 0 },
  'workers_measured_at_seconds{job="workers",what="freshness"}': { perMinute: 60 },
  'workers_measured_at_seconds{job="workers",what="backlog"}': { perMinute: 60 },
  'workers_outbox_seconds{job="workers"}': 0,
  'workers_webhook_due_seconds{job="workers"}': 0,
  'workers_uploads_waiting_seconds{job="workers"}': 0,
  'workers_uploads_waiting{job="workers"}': 0,
  'workers_redis_used_bytes{job="workers"}': 1e9,
  'workers_redis_max_bytes{job="workers"}': 3e9,
  'workers_clickhouse_disk_free_ratio{job="workers"}': 0.6,
  'nodejs_eventloop_lag_p99_seconds{job="delivery",instance="d"}': 0.012,
  'nodejs_eventloop_lag_p99_seconds{job="api",instance="a"}': 0.02,
  'process_open_fds{job="delivery",instance="d"}': 950,
  'process_max_fds{job="delivery",instance="d"}': 20_000,
};

/** By alert: what is wrong, by the begin of a series' name. */
const WRONG: Record<string, Record<string, Values>> = {
  FreshnessSlow: { workers_freshness_seconds: 12 },
  FreshnessLost: { workers_freshness_seconds: 90 },
  AsOfHeld: { workers_as_of_waits_for: 1 },
  GroupsRetried: { ingest_insert_unknown_total: { perMinute: 6 } },
  DeadLetters: { workers_dead_letters_waiting: 3 },
  UnbackedPlays: { ingest_unbacked_plays_total: { perMinute: 1 } },
  FailedBatches: { workers_queue_failed_batches: 1 },
  QueueGrows: { workers_queue_pending_batches: 400 },
  PlaysRefused: { delivery_refused_plays_total: { perMinute: 200 } },
  CopiesDropped: { delivery_batch_copies_dropped: { perMinute: 1 } },
  ReportsNotStored: { delivery_batch_retries: { perMinute: 20 } },
  Overspend: { workers_overspent_campaigns: 1 },
  FindingsWait: { workers_findings_open_seconds: 3 * 86_400 },
  PaymentsWait: { workers_payment_cases_open_seconds: 2 * 86_400 },
  InvariantBroken: { workers_verify_breaches: 2 },
  InvariantsUnchecked: { workers_verify_unchecked: 1 },
  SettlementBehind: { workers_unsettled_seconds: 90 },
  AuthorityDown: { workers_authority_answers: 0 },
  FillsEnding: { delivery_fill_seconds_left: 20 },
  NoLeaseJump: { 'delivery_no_fills{job="delivery",reason="no_lease"': { perMinute: 100 } },
  BudgetExhaustedJump: { 'delivery_no_fills{job="delivery",reason="budget_exhausted"': { perMinute: 300 } },
  GrantsUnanswered: { delivery_grants_failed: { perMinute: 10 } },
  DeliveryBelowBound: { workers_day_delivered_ratio: 0.8 },
  PlanTooOld: { delivery_plan_age_seconds: 900 },
  ScreensNearLimit: { delivery_sockets: 14_000 },
  ScreensRefused: { delivery_refused_connections_total: { perMinute: 600 } },
  ChangesNotRead: { delivery_changes_age_seconds: 90 },
  DecisionsSlow: { 'delivery_decision_seconds_bucket{job="delivery",le="0.0005"': { perMinute: 900 } },
  ApiErrors: {
    'api_request_seconds_count{job="api",route="/v1/campaigns",method="GET",status="5xx"': { perMinute: 20 },
  },
  ApiSlow: { 'api_request_seconds_bucket{job="api",route="/v1/campaigns",le="0.05"': { perMinute: 450 } },
  LimitsLocal: { api_rate_limit_local: 1 },
  CallLogDropped: { api_call_log_dropped_total: { perMinute: 5 } },
  ScansDropped: { api_scans_dropped_total: { perMinute: 5 } },
  JobsFailing: { workers_job_faults_total: { perMinute: 8 } },
  MeasurementStale: { 'workers_measured_at_seconds{job="workers",what="freshness"': { perMinute: 0 } },
  OutboxOld: { workers_outbox_seconds: 120 },
  WebhooksLate: { workers_webhook_due_seconds: 300 },
  UploadsLate: { workers_uploads_waiting_seconds: 900 },
  RedisMemoryHigh: { workers_redis_used_bytes: 2.6e9 },
  RedisMemoryFull: { workers_redis_used_bytes: 2.9e9 },
  ClickhouseDiskLow: { workers_clickhouse_disk_free_ratio: 0.04 },
  ServiceDown: { 'up{job="delivery"': 0 },
  ServiceAbsent: { 'up{job="ingest"': 0 },
  EventLoopSlow: { 'nodejs_eventloop_lag_p99_seconds{job="delivery"': 0.2 },
  DescriptorsNearLimit: { process_open_fds: 19_000 },
};

const WELL_MINUTES = 30;
const WRONG_MINUTES = 15;
/** The longest look back is an hour. */
const END_MINUTES = WELL_MINUTES + WRONG_MINUTES + 65;
const groups = readAlerts();
const rules = groups.flatMap(group => group.rules);
let promtool: string;
let folder: string;

beforeAll(async () => {
  promtool = await findPrometheus('promtool');
  folder = mkdtempSync(join(tmpdir(), 'marquee-alerts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A value a minute, in promtool's notation. */
function valuesOf(well: Values, wrong: Values): string {
  const values: number[] = [];
  let total = 0;
  for (let minute = 0; minute <= END_MINUTES; minute += 1) {
    const now = minute >= WELL_MINUTES && minute < WELL_MINUTES + WRONG_MINUTES ? wrong : well;
    // A time that stood still is right again when it goes on.
    if (typeof now === 'object')
      total = well === now && typeof well === 'object' && well.perMinute === 60 ? minute * 60 : total + now.perMinute;
    values.push(typeof now === 'object' ? total : now);
  }
  return values.join(' ');
}

/**
 * All that a group of rules watches goes wrong at once; of two rules about one series the later, graver one says how.
 */
function testOf({ name, rules: members }: AlertGroup): object {
  const series = members.flatMap(rule => Object.entries(WRONG[rule.alert]!)).reverse();
  const wrongOf = (full: string) =>
    series.find(([start]) => full.startsWith(start.includes('{') ? start : `${start}{`))?.[1];
  const firing = (minute: number, names: readonly string[]) => ({
    eval_time: `${minute}m`,
    expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
    exp_samples: names.map(alert => ({ labels: `{alertname="${alert}"}`, value: 1 })),
  });
  const expected = members.map(rule => rule.alert).sort();
  return {
    name,
    interval: '1m',
    input_series: Object.entries(WELL).map(([full, well]) => ({
      series: full,
      values: valuesOf(well, wrongOf(full) ?? well),
    })),
    promql_expr_test: [
      firing(WELL_MINUTES - 1, []),
      firing(WELL_MINUTES + WRONG_MINUTES - 1, expected),
      firing(END_MINUTES, []),
    ],
  };
}

function runPromtool(args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(promtool, args, { encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

describe('the configuration of Prometheus', () => {
  test('is valid for Prometheus, with its rules', () => {
    const { status, output } = runPromtool(['check', 'config', join(ROOT, 'deploy/prometheus/prometheus.yml')]);
    expect([status, output]).toEqual([0, expect.stringContaining(`${rules.length} rules found`)]);
  });

  test('has each rule tested below, and each series of a rule among the healthy ones', () => {
    expect(Object.keys(WRONG).sort()).toEqual(rules.map(rule => rule.alert).sort());
    const known = new Set(Object.keys(WELL).map(series => series.slice(0, series.indexOf('{'))));
    expect(rules.flatMap(rule => selectorsOf(rule.expr)).filter(({ name }) => !known.has(name))).toEqual([]);
  });
});

describe('each alert', () => {
  test('fires on its problem, without alerts of other groups, and ends when all is well', () => {
    const path = join(folder, 'alerts.test.json');
    writeFileSync(
      path,
      JSON.stringify({ rule_files: [RULES_PATH], evaluation_interval: '1m', tests: groups.map(testOf) }),
    );
    const { status, output } = runPromtool(['test', 'rules', path]);
    expect(output).toContain('SUCCESS');
    expect(status).toBe(0);
  }, 120_000);

  test('describes its evidence', () => {
    const path = join(folder, 'summary.test.json');
    const rule = rules.find(({ alert }) => alert === 'FreshnessLost');
    writeFileSync(
      path,
      JSON.stringify({
        rule_files: [RULES_PATH],
        evaluation_interval: '1m',
        tests: [
          {
            interval: '1m',
            input_series: [{ series: 'workers_freshness_seconds{job="workers"}', values: '90x20' }],
            alert_rule_test: [
              {
                eval_time: '10m',
                alertname: 'FreshnessLost',
                exp_alerts: [
                  {
                    exp_labels: { severity: 'critical' },
                    exp_annotations: {
                      summary: 'Reports are 1m 30s behind what screens were acknowledged.',
                      runbook: rule!.annotations.runbook,
                    },
                  },
                ],
              },
            ],
          },
        ],
      }),
    );
    expect(runPromtool(['test', 'rules', path])).toMatchObject({ status: 0 });
  });
});

describe('the dashboards of Grafana', () => {
  const dashboards = [...readDashboards()];

  test('contain only queries that Prometheus parses', () => {
    const path = join(folder, 'queries.json');
    const queries = dashboards.flatMap(([, dashboard]) => queriesOf(dashboard));
    writeFileSync(
      path,
      JSON.stringify({
        groups: [
          {
            name: 'queries',
            rules: queries.map((expr, index) => ({
              record: `query:${index}`,
              expr: expr.replaceAll('$__rate_interval', '1m'),
            })),
          },
        ],
      }),
    );
    const { status, output } = runPromtool(['check', 'rules', path]);
    expect([status, output]).toEqual([0, expect.stringContaining(`${queries.length} rules found`)]);
  });

  test.each(dashboards)(
    'the dashboard of %s is valid for Grafana, and its panels do not overlap',
    (service, { uid, title, schemaVersion, time, templating, panels }) => {
      expect({ uid, title }).toEqual({ uid: `marquee-${service}`, title: expect.stringMatching(/^Marquee /) });
      expect(schemaVersion).toBeGreaterThanOrEqual(36);
      expect(time).toEqual({ from: expect.stringMatching(/^now-/), to: 'now' });
      expect(templating.list).toMatchObject([{ name: 'datasource', type: 'datasource', query: 'prometheus' }]);
      expect(new Set(panels.map(panel => panel.id)).size).toBe(panels.length);
      const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
        Array.from({ length: h * w }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
      );
      expect(new Set(cells).size).toBe(cells.length);
      for (const { type, title: name, description, datasource, fieldConfig, targets = [], gridPos } of panels) {
        expect(name).toMatch(/\S/);
        expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
        if (type === 'row') continue;
        expect(type).toMatch(/^(stat|timeseries)$/);
        expect(description).toMatch(/\.$/);
        expect(fieldConfig?.defaults.unit).toMatch(/^(none|s|ops|bytes|percentunit)$/);
        expect(datasource).toEqual({ type: 'prometheus', uid: '${datasource}' });
        expect(targets.map(target => target.refId)).toEqual(['A', 'B', 'C', 'D', 'E'].slice(0, targets.length));
        expect(targets.length).toBeGreaterThan(0);
      }
    },
  );
});

describe('docs/operate/runbook.md', () => {
  const text = readFileSync(join(ROOT, 'docs/operate/runbook.md'), 'utf8');
  const sections = new Map(
    text
      .split(/^### /m)
      .slice(1)
      .map(section => [section.slice(0, section.indexOf('\n')), section]),
  );

  test('has a section for every alert, which its link points to, and no others', () => {
    expect([...sections.keys()]).toEqual(rules.map(rule => rule.alert));
    expect(rules.map(rule => rule.annotations.runbook)).toEqual(
      rules.map(rule => `docs/operate/runbook.md#${rule.alert.toLowerCase()}`),
    );
  });

  test.each([...sections])(
    'says for %s what it means, how to see it, what to do and how to know that it has ended',
    (_, section) => {
      expect([...section.matchAll(/^- \*\*(\w+)\*\* \S.*[.?]\)?$/gm)].map(match => match[1])).toEqual([
        'Means',
        'See',
        'Do',
        'Over',
      ]);
    },
  );
});
