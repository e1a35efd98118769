/** Commands and programs of the documents that no test runs, each with its reason. */
/** Blocks by how they begin. */
export const NOT_RUN: { page: string; begins: string; why: string }[] = [
  { page: 'CONTRIBUTING.md', begins: 'npm ci', why: '`.ci/run` runs these commands, with fewer seconds of the demo' },
  { page: 'README.md', begins: 'git clone', why: '`.ci/run` runs the two commands after it' },
  { page: 'docs/start.md', begins: 'npm ci && npm run demo', why: '`.ci/run` runs these commands' },
  { page: 'docs/start.md', begins: 'npm start', why: 'runs until somebody ends it; test/cli/first-start.test.ts does' },
  { page: 'bench/README.md', begins: 'npm run bench', why: 'takes minutes; `npm run test:bench` has them with less' },
  {
    page: 'docs/operate/audiences.md',
    begins: 'npm run admin -- audience import',
    why: 'needs a file of 173 columns; test/delivery/slots/audiences.test.ts imports some',
  },
  {
    page: 'docs/operate/audiences.md',
    begins: 'npm run admin -- audience report',
    why: 'needs plays of a campaign; test/api/reporting/audience-report.test.ts has them',
  },
  { page: 'docs/operate/load.md', begins: 'npm run demo', why: '`.ci/run` runs it, with fewer seconds' },
  { page: 'docs/operate/load.md', begins: 'API=', why: 'the test of the lines below sets them' },
  {
    page: 'docs/operate/load.md',
    begins: 'npm run bench',
    why: 'takes minutes; `npm run test:bench` has them with less',
  },
  {
    page: 'docs/performance.md',
    begins: 'npm run bench',
    why: 'takes minutes; `npm run test:bench` has every benchmark with less',
  },
  {
    page: 'docs/operate/capacity.md',
    begins: 'npm run bench',
    why: 'takes minutes; `npm run test:bench` has them with less',
  },
  {
    page: 'docs/operate/engines.md',
    begins: 'npm run migrate',
    why: 'needs engines of its own; test/managed/start-faults.test.ts starts it with those that do not fit',
  },
  {
    page: 'docs/player-check.md',
    begins: 'npm run player-check\n',
    why: 'waits for a player; test/cli/player-check/player-check.test.ts runs it with one',
  },
  {
    page: 'docs/player-check.md',
    begins: 'npm run player-check -- --host',
    why: 'waits for a player at an address of its own network; the same test runs it on another',
  },
  { page: 'docs/console.md', begins: 'npm run demo', why: '`.ci/run` runs this command' },
  {
    page: 'docs/explain.md',
    begins: 'npm run replay',
    why: 'needs decisions of that hour; test/cli/replay.test.ts decides recorded ones again',
  },
  {
    page: 'docs/operate/backup.md',
    begins: 'docker compose exec',
    why: 'needs Docker; npm run test:containers starts the workers from their image',
  },
  {
    page: 'docs/operate/backup.md',
    begins: 'docker compose run',
    why: 'needs Docker; npm run test:containers restores a backup from the container of the workers',
  },
  {
    page: 'docs/operate/backup.md',
    begins: 'mkdir new-data',
    why: 'runs until somebody ends it; test/cli/restored-start.test.ts does the same',
  },
  {
    page: 'docs/operate/deploy.md',
    begins: 'useradd',
    why: 'needs root and a booted systemd; test/deploy/systemd.test.ts reads the units and runs what they start',
  },
  { page: 'docs/operate/security.md', begins: 'npx vitest run', why: 'is a test, which `npm test` runs' },
  {
    page: 'docs/operate/security.md',
    begins: 'unshare -n',
    why: 'needs a network of its own; `npm test` runs the file without the tests of fragments',
  },
  { page: 'docs/operate/security-customers.md', begins: 'npx vitest run', why: 'is a test, which `npm test` runs' },
  {
    page: 'docs/operate/redis.md',
    begins: 'REDIS_URL=rediss',
    why: 'only names a variable; test/managed/tls.test.ts connects over TLS',
  },
  {
    page: 'docs/operate/variables.md',
    begins: 'PORT=99999',
    why: 'ends with 1, as it is meant to; test/runtime/config.test.ts has faults that are named together',
  },
  {
    page: 'docs/operate/engines.md',
    begins: 'DATABASE_REPLICA_URL=',
    why: 'only names a variable; test/deploy/read-replica.test.ts starts an API with one',
  },
  {
    page: 'docs/operate/redis.md',
    begins: 'REDIS_URL=redis+cluster',
    why: 'only names variables; test/deploy/redis-cluster.test.ts starts an installation with such ones',
  },
  {
    page: 'docs/operate/clickhouse.md',
    begins: 'forget-lost-tokens.sh',
    why: 'starts a ClickHouse server, which tests do not have; the embedded engine runs the script at each start',
  },
  {
    page: 'docs/operate/proxies.md',
    begins: 'export COMPOSE_FILE',
    why: 'needs Docker; test/deploy/proxies/haproxy.test.ts runs HAProxy with these settings',
  },
  {
    page: 'docs/operate/proxies.md',
    begins: 'mkdir -p deploy/certificates',
    why: 'writes into the repository; test/deploy/proxies/haproxy.test.ts makes such a file',
  },
  {
    page: 'docs/operate/proxies.md',
    begins: 'PUBLIC_URL=',
    why: 'runs until somebody ends it; test/deploy/proxies/caddy.test.ts runs the Caddyfile',
  },
  {
    page: 'examples/python/README.md',
    begins: 'python3 -m venv',
    why: 'installs from PyPI; test/sdk/python-examples.test.ts runs the player with packages of Debian',
  },
  { page: 'docs/operate/kubernetes.md', begins: 'docker buildx', why: 'needs Docker, which tests do not have' },
  {
    page: 'docs/invoice-proofs.md',
    begins: 'curl',
    why: 'needs an invoiced month; test/flow/month-of-money.test.ts runs the program on the same files',
  },
  {
    page: 'docs/invoice-proofs.md',
    begins: 'npx marquee-verify',
    why: 'needs an invoiced month; test/flow/month-of-money.test.ts runs the program on the same files',
  },
  {
    page: 'docs/operate/kubernetes.md',
    begins: 'helm install ads deploy/helm --values',
    why: 'needs a cluster; test/deploy/chart/chart.test.ts renders the chart',
  },
  {
    page: 'docs/operate/kubernetes.md',
    begins: 'kubectl exec',
    why: 'needs a cluster; test/delivery/screens/shedding.test.ts runs node shed',
  },
  {
    page: 'docs/operate/kubernetes.md',
    begins: 'deploy/make-secrets.sh secrets',
    why: 'needs a cluster; test/deploy/chart/chart.test.ts renders the chart and judges it by the schemas of Kubernetes',
  },
  {
    page: 'docs/operate/first-network.md',
    begins: 'COMPOSE=',
    why: 'needs Docker and a host name; `npm run test:containers` runs the same services, test/docs/operator-examples.test.ts the admin commands',
  },
  {
    page: 'docs/operate/first-network.md',
    begins: 'docker compose up',
    why: 'needs Docker and a host name; `npm run test:containers` runs the same services, test/docs/operator-examples.test.ts the admin commands',
  },
  {
    page: 'docs/operate/first-network.md',
    begins: 'admin()',
    why: 'needs Docker and a host name; `npm run test:containers` runs the same services, test/docs/operator-examples.test.ts the admin commands',
  },
  {
    page: 'docs/operate/first-network.md',
    begins: 'admin operator update',
    why: 'needs Docker and a month that is over; test/api/e-invoices/vat-on-invoices.test.ts issues such invoices',
  },
  {
    page: 'docs/operate/first-network.md',
    begins: '(crontab',
    why: 'needs Docker and a host name; `npm run test:containers` runs the same services, test/docs/operator-examples.test.ts the admin commands',
  },
  {
    page: 'docs/operate/first-network.md',
    begins: 'cd /opt/marquee',
    why: 'needs Docker and a host name; `npm run test:containers` runs the same services, test/docs/operator-examples.test.ts the admin commands',
  },
  {
    page: 'docs/operate/first-network.md',
    begins: 'npm run players',
    why: 'writes below /tmp; test/cli/players/players.test.ts runs it with a folder of its own',
  },
  {
    page: 'docs/operate/engines.md',
    begins: 'DATABASE_URL=postgres',
    why: 'only names variables; test/managed/pgbouncer.test.ts starts an installation with such ones',
  },
  { page: 'docs/analysts.md', begins: 'ssh -N', why: 'needs a server of yours; the query above it is run' },
  { page: 'sdk/python/README.md', begins: 'import os', why: 'the page docs/api/sdk-python.md has the same calls' },
  {
    page: 'sdk/typescript/README.md',
    begins: 'import { createMarquee }',
    why: 'the page docs/api/sdk-typescript.md has the same calls',
  },
];

export const isNotRun = ({ page, text }: { page: string; text: string }): boolean =>
  NOT_RUN.some(listed => listed.page === page && text.startsWith(listed.begins));
