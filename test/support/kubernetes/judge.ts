/**
 * Judges objects of Kubernetes by its own schemas, as `kubernetes-models` and `@kubernetes-models/*` have them: values
 * by the JSON schemas, and names of fields by the types, since the schemas let any further field pass.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { CronJob } from 'kubernetes-models/batch/v1/CronJob';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { ROOT } from '../architecture/source-files.ts';
import type { Manifest } from './helm.ts';

/** Each kind, with the module that has its type. */
const KINDS = {
  Deployment: { model: Deployment, module: 'kubernetes-models/apps/v1' },
  StatefulSet: { model: StatefulSet, module: 'kubernetes-models/apps/v1' },
  HorizontalPodAutoscaler: { model: HorizontalPodAutoscaler, module: 'kubernetes-models/autoscaling/v2' },
  CronJob: { model: CronJob, module: 'kubernetes-models/batch/v1' },
  Job: { model: Job, module: 'kubernetes-models/batch/v1' },
  HTTPRoute: { model: HTTPRoute, module: '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1' },
  PodMonitor: { model: PodMonitor, module: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1' },
  NetworkPolicy: { model: NetworkPolicy, module: 'kubernetes-models/networking.k8s.io/v1' },
  PodDisruptionBudget: { model: PodDisruptionBudget, module: 'kubernetes-models/policy/v1' },
  Service: { model: Service, module: 'kubernetes-models/v1' },
} as const;

/** What is wrong with these objects; nothing where a server would take them all. */
export function faultsOf(manifests: readonly Manifest[]): string[] {
  return [...manifests.flatMap(valueFaults), ...nameFaults(manifests)];
}

function kindOf({ kind }: Manifest): (typeof KINDS)[keyof typeof KINDS] {
  if (kind in KINDS) return KINDS[kind as keyof typeof KINDS]; // `in` does not narrow a string
  throw new Error(`judge.ts does not know ${kind}`);
}

function valueFaults(manifest: Manifest): string[] {
  const { model: Model } = kindOf(manifest);
  if (Model.apiVersion !== manifest.apiVersion) return [`${manifest.kind} is not of ${manifest.apiVersion}`];
  try {
    // The schema decides whether this is one.
    new Model(manifest as never).validate();
    return [];
  } catch (error) {
    return [`${manifest.kind} ${manifest.metadata.name}: ${(error as Error).message}`];
  }
}

/**
 * Writes the objects as literals of their types, and lets the compiler of TypeScript say which fields it does not know.
 */
function nameFaults(manifests: readonly Manifest[]): string[] {
  const source = manifests
    .map((manifest, index) => {
      const type = `import('${kindOf(manifest).module}').I${manifest.kind}`;
      return `export const object${index}: ${type} = ${JSON.stringify(manifest, undefined, 1)};`;
    })
    .join('\n');
  const path = join(ROOT, 'manifests.ts'); // read by the compiler alone
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version) =>
    name === path ? ts.createSourceFile(name, source, version) : read(name, version);
  const program = ts.createProgram([path], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
