/**
 * How a service runs as a process: started, watched on its ops port, and drained within a bound at the end.
 */
import { ConfigError, oneOf, port, text, withDefault, type Config } from './config.ts';
import { Fault } from './fault-error.ts';
import { createLog, LOG_LEVELS, type Log } from './log.ts';
import { startOpsServer, type OpsServer } from './ops-server.ts';

/** A started service: the port of its public face, if it has one, and how it drains. */
export type Running = { port?: number; close(): Promise<void> };

export type ReadyMessage = { ready: { service: string; port?: number; opsPort: number } };

/** Ten seconds: an orchestrator's usual patience is 30 s, and a screen that waits longer has gone elsewhere. */
const DRAIN_MS_MAX = 10_000;

/** The variables of every service: where its ops port is, and how much it logs. */
export const processVariables = () => ({
  OPS_PORT: withDefault(port(), 0),
  OPS_HOST: withDefault(text(), '127.0.0.1'),
  LOG_LEVEL: withDefault(oneOf(...LOG_LEVELS), 'info'),
});

type ProcessConfiguration = Config<ReturnType<typeof processVariables>>;

export type Service<C extends ProcessConfiguration> = {
  name: string;
  /** @throws ConfigError naming every missing or malformed variable at once. */
  readConfiguration(environment: NodeJS.ProcessEnv): C;
  /** @throws Fault that names what the operator has to change */
  start(config: C, log: Log): Promise<Running>;
};

/**
 * Runs one service as this process: reads its configuration, starts it, serves its ops port, reports to the parent that
 * it is ready (over the IPC channel, if there is one) and drains on SIGTERM, SIGINT or when the parent's channel
 * closes. A fault at the start is logged in one line, without a stack. An uncaught error is a bug: it is logged with
 * its stack. Both end the process with 1.
 */
export async function runService<C extends ProcessConfiguration>(service: Service<C>): Promise<void> {
  const { name } = service;
  const config = configOrExit(() => service.readConfiguration(process.env));
  const log = createLog(name, config.LOG_LEVEL);
  let running: Running | undefined;
  let ops: OpsServer | undefined;
  let draining = false;
  const fail = (error: unknown) => {
    log.fatal({ err: error }, `${name} ends on an error that nobody caught`);
    log.flush();
    process.exit(1);
  };
  // Node would write a plain line between the JSON lines, which a collector of logs cannot read.
  process.removeAllListeners('warning');
  process.on('warning', ({ name: kind, message: text }) =>
    log.warn({ kind, text }, 'a warning of Node or of a library'),
  );
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);

  const drain = async (reason: string) => {
    if (draining) return;
    draining = true;
    log.info({ reason }, `${name} drains`);
    const timer = setTimeout(() => {
      log.error(`${name} did not drain within ${DRAIN_MS_MAX} ms`);
      process.exit(1);
    }, DRAIN_MS_MAX);
    await running?.close();
    await ops?.close();
    clearTimeout(timer);
    log.flush();
    process.exit(0);
  };
  process.on('SIGTERM', () => void drain('SIGTERM'));
  process.on('SIGINT', () => void drain('SIGINT'));
  process.on('disconnect', () => void drain('the parent is gone'));
  if (hasLostParent()) await drain('the parent is gone');

  ops = await startOpsServer({
    port: config.OPS_PORT,
    host: config.OPS_HOST,
    isReady: () => running !== undefined && !draining,
  });
  try {
    running = await service.start(config, log);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // One line for the person who configured it: a stack names no variable.
    log.fatal({ code: error.code }, `${name} cannot start: ${error.message}`);
    log.flush();
    process.exit(1);
  }
  const message: ReadyMessage = {
    ready: { service: name, opsPort: ops.port, ...(running.port !== undefined && { port: running.port }) },
  };
  if (process.connected) process.send?.(message);
  log.info(message.ready, `${name} is ready`);
}

/**
 * Whether this process was forked by one that ended while the modules were loaded: then nothing has received the
 * closing of the channel.
 */
function hasLostParent(): boolean {
  return process.send !== undefined && !process.connected;
}

/** Reads the configuration or ends the process with all its faults on standard error. */
export function configOrExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}
