/** docker-compose.yml as a program reads it: merges resolved, variables put in. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** docker-compose.yml as a program reads it: merges resolved, variables put in. */
type Service = {
  image: string;
  user?: string;
  command?: string[];
  environment?: Record<string, string>;
  profiles?: string[];
  secrets?: (string | { source: string; target: string })[];
  volumes?: string[];
  tmpfs?: string[];
  ports?: string[];
  networks?: string[];
  healthcheck?: { test?: string[]; disable?: boolean };
  build?: { context: string; target: string };
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  deploy?: { replicas?: number; resources: { limits: { cpus: string; memory: string } } };
};
export type Compose = {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
};

export const ROOT = join(import.meta.dirname, '../../..');

/** The file as it stands, for a schema. */
export function parseCompose(): unknown {
  return parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true });
}

/**
 * With `${NAME}` put in from `environment`. @throws an Error with the file's own words when a required one is missing.
 */
export function readCompose(environment: Record<string, string>): Compose {
  return interpolate(parseCompose(), environment) as Compose;
}

function interpolate(value: unknown, environment: Record<string, string>): unknown {
  if (typeof value === 'string') return interpolateText(value, environment);
  if (Array.isArray(value)) return value.map(item => interpolate(item, environment));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, interpolate(item, environment)]));
}

/** Of the Compose specification's forms those that the file uses: $$, ${NAME:-default} and ${NAME:?message}. */
function interpolateText(text: string, environment: Record<string, string>): string {
  return text.replace(
    /\$\$|\$\{([A-Z_]+)(:[-?])([^}]*)\}/g,
    (found, name: string | undefined, kind: string, rest: string) => {
      if (name === undefined) return found.slice(1);
      const value = environment[name];
      if (value) return value;
      if (kind === ':?') throw new Error(`${name} is missing: ${rest}`);
      return rest;
    },
  );
}

/** Runs deploy/make-secrets.sh into a folder. */
export function makeSecrets(folder: string): void {
  execFileSync('sh', [join(ROOT, 'deploy/make-secrets.sh'), folder]);
}
