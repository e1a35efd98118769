/**
 * The chart of deploy/helm as Helm renders it: objects that Kubernetes takes, pods without rights, within bounds and
 * with health checks, and what they start and mount is there.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../../support/architecture/source-files.ts';
import { findHelm, helm, renderChart, type Manifest } from '../../support/kubernetes/helm.ts';
import { faultsOf } from '../../support/kubernetes/judge.ts';
import { EVERYTHING, REQUIRED } from './values.ts';

type Container = {
  name: string;
  image: string;
  command: string[];
  env: { name: string; value?: string; valueFrom?: object }[];
  resources: { limits: object; requests: object };
  volumeMounts: { name: string; mountPath: string }[];
  securityContext: object;
  readinessProbe?: object;
  livenessProbe?: object;
  startupProbe?: object;
};
type Pod = {
  containers: [Container];
  securityContext: object;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds?: number;
  volumes: { name: string; secret?: { items: { key: string }[] } }[];
};
type Workload = Manifest & {
  spec: { replicas?: number; template: { spec: Pod }; volumeClaimTemplates?: { metadata: { name: string } }[] };
};
type CronJob = Manifest & { spec: { jobTemplate: { spec: Workload['spec'] } } };

const path = await findHelm();
const why = path === undefined ? ' (skipped: no Helm for this machine)' : '';

describe.skipIf(path === undefined)(`the chart${why}`, () => {
  let rendered: Manifest[];
  let workloads: Workload[];
  const containerOf = (workload: Workload): Container => workload.spec.template.spec.containers[0];
  beforeAll(async () => {
    rendered = await renderChart(path!, EVERYTHING);
    const onTime = rendered.filter(({ kind }) => kind === 'CronJob') as CronJob[];
    workloads = [
      ...(rendered.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind)) as Workload[]),
      ...onTime.map(cronJob => ({ ...cronJob, kind: 'Job', spec: cronJob.spec.jobTemplate.spec })),
    ];
  });

  test('passes the checks of Helm', async () => {
    const set = Object.entries(REQUIRED).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    expect(await helm(path!, 'lint', '--strict', join(ROOT, 'deploy/helm'), ...set)).toContain('0 chart(s) failed');
  });

  test('renders valid Kubernetes objects with few values and with all values', async () => {
    const little = await renderChart(path!, REQUIRED);
    expect(little.map(({ kind }) => kind).toSorted()).toEqual([
      'Deployment',
      'Deployment',
      'Job',
      'PodDisruptionBudget',
      'PodDisruptionBudget',
      'Service',
      'Service',
      'StatefulSet',
      'StatefulSet',
    ]);
    const added = rendered.map(({ kind }) => kind).filter(kind => !little.some(one => one.kind === kind));
    expect(added.toSorted()).toEqual([
      'CronJob',
      'HTTPRoute',
      'HTTPRoute',
      'HorizontalPodAutoscaler',
      'HorizontalPodAutoscaler',
      'HorizontalPodAutoscaler',
      'NetworkPolicy',
      'NetworkPolicy',
      'NetworkPolicy',
      'NetworkPolicy',
      'PodMonitor',
    ]);
    expect(faultsOf([...little, ...rendered])).toEqual([]);
  }, 60_000);

  test.each([
    [{ 'routes.parentRefs[0].name': '' }, { 'routes.parentRefs': 'null' }, 'routes.parentRefs are missing'],
    [{ 'routes.socketHost': '' }, {}, 'routes.apiHost and routes.socketHost are missing'],
    [{ 'backup.claim': '' }, {}, 'backup.claim is missing'],
  ])('names the missing values of an optional part: %j', async (without, instead, named) => {
    const [name] = Object.keys(without);
    const { [name as keyof typeof EVERYTHING]: _, ...rest } = EVERYTHING;
    await expect(renderChart(path!, { ...rest, ...instead })).rejects.toThrow(named);
  });

  test('routes one host to the API and the socket path of the other to delivery, through existing Services', () => {
    type Route = Manifest & {
      spec: { hostnames: string[]; rules: { matches: object[]; backendRefs: { name: string; port: number }[] }[] };
    };
    const routes = (rendered.filter(({ kind }) => kind === 'HTTPRoute') as Route[]).map(({ spec }) => [
      spec.hostnames[0],
      spec.rules[0]!.matches,
      spec.rules[0]!.backendRefs[0],
    ]);
    expect(routes).toEqual([
      ['ads.example', [{ path: { type: 'PathPrefix', value: '/' } }], { name: 'ads-api', port: 80 }],
      [
        'screens.example',
        [{ path: { type: 'Exact', value: '/v1/screens/socket' } }],
        { name: 'ads-delivery', port: 80 },
      ],
    ]);
    const services = rendered.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
    expect(services.toSorted()).toEqual(['ads-api', 'ads-delivery']);
  });

  test('scales existing workloads without a fixed replica count, by a metric of delivery', () => {
    type Scaler = Manifest & {
      spec: { scaleTargetRef: { kind: string; name: string }; metrics: { pods?: { metric: { name: string } } }[] };
    };
    const scalers = rendered.filter(({ kind }) => kind === 'HorizontalPodAutoscaler') as Scaler[];
    for (const { spec } of scalers) {
      const { kind, name } = spec.scaleTargetRef;
      const target = workloads.find(workload => workload.kind === kind && workload.metadata.name === name);
      expect([name, target?.spec]).toEqual([name, expect.not.objectContaining({ replicas: expect.anything() })]);
    }
    const metrics = scalers.flatMap(({ spec }) => spec.metrics.flatMap(({ pods }) => pods?.metric.name ?? []));
    expect(metrics).toEqual(['delivery_sessions']);
    expect(readFileSync(join(ROOT, 'delivery/gauges.ts'), 'utf8')).toContain(`name: '${metrics[0]}'`);
  });

  test.each<[string, (workload: Workload) => void, string]>([
    [
      'a field that is misspelt',
      ({ spec }) => Object.assign(spec.template.spec, { automountServiceAcountToken: false }),
      'automountServiceAcountToken',
    ],
    ['a value of another type', ({ spec }) => Object.assign(spec, { replicas: 'two' }), 'replicas'],
    [
      'another version of its kind',
      workload => Object.assign(workload, { apiVersion: 'apps/v1beta1' }),
      'apps/v1beta1',
    ],
  ])('is refused with %s', (_fault, spoil, named) => {
    const spoilt = structuredClone(workloads.find(({ kind }) => kind === 'Deployment')!);
    spoil(spoilt);
    expect(faultsOf([spoilt]).join()).toContain(named);
  });

  test.each(Object.keys(REQUIRED))('is not rendered without %s', async name => {
    await expect(renderChart(path!, { ...REQUIRED, [name]: '' })).rejects.toThrow(`${name} is missing`);
  });

  test('gives every pod no privileges, limits, and a read-only file system', () => {
    expect(workloads.length).toBe(6);
    for (const { spec } of workloads) {
      const { containers, securityContext, automountServiceAccountToken } = spec.template.spec;
      expect(automountServiceAccountToken).toBe(false);
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(containers[0]).toMatchObject({
        securityContext: {
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        },
        resources: { limits: { cpu: expect.any(String), memory: expect.any(String) } },
      });
    }
  });

  test('probes every long-running service for readiness and liveness, and gives it time to drain', () => {
    for (const { spec } of workloads.filter(one => one.kind !== 'Job')) {
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(15);
      expect(spec.template.spec.containers[0]).toMatchObject({
        startupProbe: { httpGet: { path: '/readyz', port: 'ops' } },
        readinessProbe: { httpGet: { path: '/readyz', port: 'ops' } },
        livenessProbe: { httpGet: { path: '/livez', port: 'ops' } },
      });
    }
  });

  test('starts existing files, with the secrets and variables of the compose file', () => {
    const compose = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
      services: Record<string, { command: string[]; secrets: string[]; environment: Record<string, string> }>;
    };
    const documented = new Set(
      readFileSync(join(ROOT, 'docs/operate/variables.md'), 'utf8')
        .match(/`[A-Z][A-Z_]+`/g)!
        .map(name => name.slice(1, -1)),
    ).add('NODE_ENV');
    for (const workload of workloads.filter(one => containerOf(one).name !== 'backup')) {
      const { name, command, env } = containerOf(workload);
      const same = compose.services[name === 'delivery' ? 'delivery-1' : name]!;
      expect(command).toEqual(same.command);
      expect(existsSync(join(ROOT, command.at(-1)!))).toBe(true);
      const files = workload.spec.template.spec.volumes.find(volume => volume.name === 'secrets')!.secret!.items;
      expect(files.map(({ key }) => key).toSorted()).toEqual(same.secrets.toSorted());
      for (const { key } of files)
        expect(env).toContainEqual({ name: `${key.toUpperCase()}_FILE`, value: `/run/secrets/${key}` });
      expect(env.map(one => one.name).filter(variable => !documented.has(variable.replace(/_FILE$/, '')))).toEqual([]);
      const missing = Object.keys(same.environment).filter(variable => !env.some(one => one.name === variable));
      expect(missing.filter(variable => !OPTIONAL.has(variable))).toEqual([]);
    }
  });

  test('takes backups with the command of the systemd unit, into a volume', () => {
    const backup = containerOf(workloads.find(workload => containerOf(workload).name === 'backup')!);
    const unit = readFileSync(join(ROOT, 'deploy/systemd/marquee-backup.service'), 'utf8');
    const [, command] = /^ExecStart=\/usr\/bin\/(.*)$/m.exec(unit)!;
    expect(backup.command.join(' ')).toBe(command);
    expect(backup.volumeMounts).toContainEqual({ name: 'backups', mountPath: '/var/lib/marquee/backups' });
  });

  test('mounts each of its volumes, and defines each mounted one', () => {
    for (const workload of workloads) {
      const { volumes } = workload.spec.template.spec;
      const claims = workload.spec.volumeClaimTemplates?.map(({ metadata }) => metadata.name) ?? [];
      const mounted = containerOf(workload).volumeMounts.map(({ name }) => name);
      expect([...volumes.map(({ name }) => name), ...claims].toSorted()).toEqual(mounted.toSorted());
    }
  });

  test('names each delivery process after its pod, which keeps its folder', () => {
    const delivery = workloads.find(workload => containerOf(workload).name === 'delivery')!;
    expect(delivery.kind).toBe('StatefulSet');
    expect(containerOf(delivery).env).toContainEqual({
      name: 'DELIVERY_NODE',
      valueFrom: { fieldRef: { fieldPath: 'metadata.name' } },
    });
  });

  test('migrates before pods of the new version start', () => {
    const job = rendered.find(({ kind }) => kind === 'Job')!;
    expect(job.metadata).toMatchObject({ annotations: { 'helm.sh/hook': 'pre-install,pre-upgrade' } });
  });
});

/** Variables of the compose file that the chart leaves at their defaults, or takes from `environment`. */
const OPTIONAL = new Set([
  'LOG_LEVEL',
  'EARNINGS_HOLD_DAYS',
  'SIGN_UP',
  'PAYOUT_ACCOUNT_PAUSE_HOURS',
  'CORS_ORIGINS',
  'DATABASE_REPLICA_URL',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
]);
