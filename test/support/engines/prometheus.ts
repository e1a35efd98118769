/**
 * The alert rules of deploy/prometheus and the dashboards of deploy/grafana as a program reads them, and Debian's
 * package of Prometheus that judges them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { findOrInstall } from '../../../engines/package-manager.ts';
import { ROOT } from '../compose/compose.ts';

/** The alert rules of deploy/prometheus, and Debian's package that judges them. */
type AlertRule = {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
};

export type AlertGroup = { name: string; rules: AlertRule[] };

export const RULES_PATH = join(ROOT, 'deploy/prometheus/alerts.yml');

export function readAlerts(): AlertGroup[] {
  return (parse(readFileSync(RULES_PATH, 'utf8')) as { groups: AlertGroup[] }).groups;
}

/**
 * The path of a program of Debian's `prometheus`, installed where apt-get works. @throws an Error with the command to
 * run
 */
export function findPrometheus(program: 'promtool' | 'prometheus'): Promise<string> {
  return findOrInstall({ programs: [program], debian: 'prometheus', brew: 'prometheus' });
}

export type Selector = { name: string; labels: string[] };

/** The series that an expression of ours asks for, with the labels that it matches or sums by. */
export function selectorsOf(expression: string): Selector[] {
  const summedBy = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(match => match[1]!.split(/,\s*/));
  const text = expression.replaceAll(/\bby \([^)]*\)/g, '');
  return [...text.matchAll(/\b((?:api|delivery|ingest|workers|process|nodejs)_[a-z0-9_]+|up)\b(?:\{([^}]*)\})?/g)].map(
    ([, name, matchers = '']) => ({
      name: name!,
      labels: [...[...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(match => match[1]!), ...summedBy],
    }),
  );
}

type DashboardPanel = {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: { h: number; w: number; x: number; y: number };
  datasource?: { type: string; uid: string };
  fieldConfig?: { defaults: { unit: string } };
  targets?: { refId: string; expr: string; legendFormat: string }[];
};
export type Dashboard = {
  uid: string;
  title: string;
  schemaVersion: number;
  time: { from: string; to: string };
  templating: { list: { name: string; type: string; query: string }[] };
  panels: DashboardPanel[];
};

/** The dashboards of deploy/grafana by the service that they show. */
export function readDashboards(): Map<string, Dashboard> {
  const folder = join(ROOT, 'deploy/grafana/dashboards');
  return new Map(
    ['api', 'delivery', 'ingest', 'workers'].map(service => [
      service,
      JSON.parse(readFileSync(join(folder, `${service}.json`), 'utf8')) as Dashboard,
    ]),
  );
}

export function queriesOf({ panels }: Dashboard): string[] {
  return panels.flatMap(panel => panel.targets ?? []).map(target => target.expr);
}
