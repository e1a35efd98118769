/** deploy/haproxy.cfg for processes of this machine: the file as it stands, with other addresses. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../compose/compose.ts';

/** A process behind the balancer: where it serves, and where it says that it is ready. */
type Backend = { name: string; port: number; opsPort: number };

type WriteBalancerConfigOptions = {
  api: readonly Backend[];
  delivery: readonly Backend[];
  ports: { api: number; sockets: number; numbers: number; tls?: number };
  /** Port of the ACME client. */
  acme?: number;
};

/**
 * Writes deploy/haproxy.cfg into a folder, for processes and ports of this machine, with the servers' options as they
 * are. Answers its path.
 */
export function writeBalancerConfig(
  folder: string,
  { api, delivery, ports, acme }: WriteBalancerConfigOptions,
): string {
  const lines = (backends: readonly Backend[], options: (opsPort: number) => string) =>
    backends.map(({ name, port, opsPort }) => `    server ${name} 127.0.0.1:${port} ${options(opsPort)}`).join('\n');
  const text = readFileSync(join(ROOT, 'deploy/haproxy.cfg'), 'utf8')
    .replace(/^ +server delivery-1 \S+\n +server delivery-2 \S+$/m, () => lines(delivery, opsPort => `port ${opsPort}`))
    .replace(/^ +server-template api- \d+ api:8080 check port 9100 (.*)$/m, (_, options: string) =>
      lines(api, opsPort => `check port ${opsPort} ${options}`),
    )
    .replace('bind :8080', `bind 127.0.0.1:${ports.api}`)
    .replace('bind :8443', `bind 127.0.0.1:${ports.tls}`)
    .replaceAll('bind :8081', `bind 127.0.0.1:${ports.sockets}`)
    .replace('server acme acme:8080', `server acme 127.0.0.1:${acme}`)
    .replace('bind :8404', `bind 127.0.0.1:${ports.numbers}`);
  const path = join(folder, 'haproxy.cfg');
  writeFileSync(path, text);
  return path;
}
