import { numberFlag, readArguments, runCommand } from './arguments.ts';
import { startInstance, type Instance } from './instance.ts';
import { readyLine } from './ready-line.ts';
import { listenForInterrupt } from './interrupt.ts';

/** `npm start`: all services in one command on embedded engines, data kept under DATA_DIR (default .data/). */
runCommand(async () => {
  const { values } = readArguments(process.argv.slice(2), {
    'json': { type: 'boolean', default: false },
    'port': { type: 'string' },
    'delivery-port': { type: 'string' },
    'delivery-processes': { type: 'string' },
    'ingest-processes': { type: 'string' },
    'data-dir': { type: 'string' },
  });
  const interruption = listenForInterrupt({ isForReader: false });
  const instance = await startInstance({
    signal: interruption.signal,
    dataDir: values['data-dir'] ?? process.env['DATA_DIR'] ?? '.data',
    port: numberFlag('port', values.port ?? process.env['PORT'], { fallback: 8080, min: 0, max: 65_535 }),
    deliveryPort: numberFlag('delivery-port', values['delivery-port'] ?? process.env['DELIVERY_PORT'], { fallback: 8081, min: 0, max: 65_535 }),
    deliveryProcesses: numberFlag('delivery-processes', values['delivery-processes'], { fallback: 1, min: 1, max: 16 }),
    ingestProcesses: numberFlag('ingest-processes', values['ingest-processes'], { fallback: 1, min: 1, max: 16 }),
    logLevel: process.env['LOG_LEVEL'] ?? (values.json ? 'warn' : 'info'),
    onRestart: (service, pid) => {
      if (values.json) print({ event: 'restarted', service, pid });
    },
  });
  if (values.json) print(readyLine(instance));
  else greet(instance);
  await interruption.happened;
  await instance.stop();
  return 0;
});

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function greet(instance: Instance): void {
  process.stdout.write(`
Marquee runs.
  API          ${instance.apiUrl}/v1
  Screens      ${instance.deliveryUrl}
  ClickHouse   ${instance.clickhouse.url}  user ${instance.clickhouse.username}, password ${instance.clickhouse.password}

First steps
  npm run admin -- workspace create --kind brand --name "My brand" --currency EUR
  npm run admin -- key create --workspace ws_... --surface ads_manager
Ctrl-C stops it.
`);
}
