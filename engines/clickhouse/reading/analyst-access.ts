/**
 * The user `analyst`, who may only read: people and their tools. Their statements are checked before the engine sees
 * them, run within limits of time and memory, and all together within an hourly quota.
 */
import { join } from 'node:path';
import { checkAnalyst, checkAnalystDatabase, checkAnalystSetting, LIMIT_BOUNDS } from './analyst.ts';
import { asAnalyst } from './as-analyst.ts';
import type { Connection, Setting } from '../connection.ts';
import { type UserAccess, type RequestBounds, ENGINE_SETTINGS } from '../access.ts';
import type { Pool } from '../pool.ts';
import { yieldToOthers } from './priority.ts';
import { Quota } from './quota.ts';
import { type Owner, Reader } from './reader.ts';
import type { QueryFault } from '../statements/query-fault.ts';
import type { QueryRequest } from '../statements/request.ts';
import { STATEMENT_BYTES_MAX, type Statement } from '../statements/statement.ts';

export type AnalystOptions = { folder: string; password: string; owner: Owner };

const QUERY_SECONDS_MAX = LIMIT_BOUNDS.max_execution_time;
// About ten analysts with a dashboard of ten charts.
const WAITING_MAX = 100;
/** An hour of one core, as in deploy/clickhouse/users.xml. */
const SECONDS_PER_HOUR_MAX = 3_600;
/**
 * A function that works on one large value does not check the time limit. A statement that is over its limit for so
 * long ends this process.
 */
const OVERDUE_MS = (QUERY_SECONDS_MAX + 20) * 1_000;

const BOUNDS: RequestBounds = {
  bodyBytesMax: STATEMENT_BYTES_MAX,
  heldBytesMax: 4 * 2 ** 20, // a hundred clients that do not take their answers hold 400 MB
  answerMsMax: (QUERY_SECONDS_MAX + 5) * 1_000,
  connectionsMax: 200, // more than those who run and wait
  requestMsMax: 60_000,
};
const LIMITS: readonly Setting[] = Object.entries(LIMIT_BOUNDS).map(([name, value]) => ({
  name,
  value: String(value),
}));
const SETTINGS: readonly Setting[] = [...ENGINE_SETTINGS, ...LIMITS];
/** The error of a query whose parts were merged into others, and deleted, while it read them. */
const MOVED: ReadonlySet<string> = new Set(['FILE_DOESNT_EXIST', 'CANNOT_OPEN_FILE', 'NO_SUCH_DATA_PART']);
const HELD: Setting = { name: 'max_result_bytes', value: String(BOUNDS.heldBytesMax) };

/** The engine is opened for the first statement: an installation without analysts does not pay for it. */
export class AnalystAccess implements UserAccess {
  readonly user = 'analyst';
  readonly bounds = BOUNDS;
  readonly password: string;
  readonly pipesFolder: string;
  readonly #options: AnalystOptions;
  readonly #quota = new Quota(SECONDS_PER_HOUR_MAX, Date.now);
  #opening: Promise<Reader> | undefined;
  #reader: Reader | undefined;

  constructor(options: AnalystOptions) {
    this.#options = options;
    this.password = options.password;
    this.pipesFolder = join(options.folder, 'results');
  }

  get version(): string {
    return this.#reader?.version ?? '';
  }

  /** The engine must be open: a statement is admitted first. */
  get control(): Pool {
    return this.#reader!.control;
  }

  expect(): void {
    void this.#open().catch(() => undefined); // `admit` throws it
  }

  async admit(query: QueryRequest, statement: Statement): Promise<Statement> {
    checkAnalystDatabase(query.database);
    for (const setting of query.settings) checkAnalystSetting(setting);
    const reader = await this.#open();
    checkAnalyst(statement, reader.tableFunctions);
    this.#quota.check();
    await reader.fresh(query.database);
    return asAnalyst(statement);
  }

  async canRepeat({ database }: QueryRequest, fault: QueryFault): Promise<boolean> {
    if (!MOVED.has(fault.type)) return false;
    await this.#reader!.renewed(database);
    return true;
  }

  /**
   * Settings of a request go before `readonly = 1`, so they need a connection of their own. A request may set a tighter
   * limit, which therefore comes after ours.
   */
  lend<T>(
    query: QueryRequest,
    answer: 'held' | 'streamed',
    use: (connection: Connection, settings: readonly Setting[]) => Promise<T>,
  ): Promise<T> {
    const reader = this.#reader!;
    const run = (connection: Connection) => this.#watch(() => use(connection, []));
    const own = query.settings.filter(({ name }) => name !== 'readonly'); // every connection of theirs is
    if (answer === 'held' && own.length === 0) return reader.pool.run(run);
    return reader.runFresh([...LIMITS, ...(answer === 'held' ? [HELD] : []), ...own, ...ENGINE_SETTINGS], run);
  }

  noteWrite(): void {
    // none is admitted
  }

  tell(): undefined {
    // nothing but statements
  }

  #open(): Promise<Reader> {
    this.#opening ??= this.#openReader().catch((error: unknown) => {
      this.#opening = undefined; // the next statement tries again
      throw error;
    });
    return this.#opening;
  }

  async #openReader(): Promise<Reader> {
    const { folder, owner } = this.#options;
    const reader = await Reader.open({ folder, owner, settings: [...SETTINGS, HELD], waitingMax: WAITING_MAX });
    yieldToOthers(); // now that it has its threads: to open is half a second's work, and no statement's
    this.#reader = reader;
    return reader;
  }

  async #watch<T>(use: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    const overdue = setTimeout(endThisProcess, OVERDUE_MS);
    try {
      return await use();
    } finally {
      clearTimeout(overdue);
      this.#quota.spend(performance.now() - startedMs);
    }
  }
}

/** At once: a graceful end would wait for the statement. The parent process starts this process again. */
function endThisProcess(): void {
  process.stderr.write(
    `a statement of an analyst ran for ${OVERDUE_MS / 1_000} s and could not be ended: its process is\n`,
  );
  process.kill(process.pid, 'SIGKILL');
}
