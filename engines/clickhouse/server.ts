import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { checkAnalyst, checkAnalystDatabase, checkAnalystSetting } from './analyst.ts';
import { BODY_BYTES_MAX, BodyReader } from './body.ts';
import { createCancellable, type Cancellable } from './cancellation.ts';
import { ANALYST_CONNECTIONS, DEFAULT_CONNECTIONS } from './capacity.ts';
import { type Answer, type Connection, type Setting, assignments } from './connection.ts';
import { bindParameters } from './parameters.ts';
import { Pool } from './pool.ts';
import { QueryFault, readEngineFault } from './query-fault.ts';
import { sendAnswer, sendFault, sendStream, sendText } from './reply.ts';
import { composeStatement, readForm, readRequest, type QueryRequest } from './request.ts';
import { openResultPipe } from './result-pipe.ts';
import { readTokens } from './lexer.ts';
import { readStatement, STATEMENT_BYTES_MAX, type Statement } from './statement.ts';
import { writeTokensThrough } from './token-log.ts';

/**
 * ClickHouse's HTTP interface in front of the embedded engine. Services and analysts use the same clients as against a
 * server. An answer of up to 32 MiB is complete before its first byte is sent, so its status is always the truth; what is larger
 * is begun again as a stream that is never held. A query whose client goes away is ended. The engine has no users:
 * `default` may do anything and `analyst` only read, each on connections of its own, so that no analyst's query ever
 * stands before an insert.
 */
const HOST = '127.0.0.1';
// Twice what ten processes with ten sockets each can have outstanding.
const DEFAULT_WAITING_MAX = 200;
// About ten analysts with a dashboard of ten charts.
const ANALYST_WAITING_MAX = 100;
const DRAIN_MS_MAX = 5_000;
// Longer than the 2.5 s after which the JavaScript client drops an idle socket, or it would meet closed ones.
const KEEP_ALIVE_MS = 10_000;
/** What an answer may hold in memory: a dozen of them at once are well below a gigabyte. */
const HELD_RESULT: Setting = { name: 'max_result_bytes', value: String(32 * 2 ** 20) };
const TOO_MANY_ROWS_OR_BYTES = 396;
/** A client that takes nothing for so long has gone, whatever its socket says; ClickHouse's own patience. */
const SEND_MS_MAX = 30_000;
/** Starting the threads that format in parallel costs a small answer three times what it costs itself (`select 1`: 4.9 ms against 1.4). */
const FORMATTING: Setting = { name: 'output_format_parallel_formatting', value: '0' };
/** Room for what this server puts behind a statement: a mark by which it is ended, the pipe of its answer. */
const PARSED: Setting = { name: 'max_query_size', value: String(STATEMENT_BYTES_MAX + 4_096) };
const DEFAULT_SETTINGS: readonly Setting[] = [FORMATTING, PARSED];
const ANALYST_SETTINGS: readonly Setting[] = Object.entries({
  max_query_size: PARSED.value,
  max_execution_time: 60,
  max_memory_usage: 2 * 2 ** 30,
  max_threads: 1,
}).map(([name, value]) => ({ name, value: String(value) }));

export type ServerOptions = { folder: string; port: number; passwords: { default: string; analyst: string } };

/** `control` ends queries of the others. */
type Users = { default: Pool; analyst: Pool; control: Pool };
type User = 'default' | 'analyst';
type Asked = { user: User; query: QueryRequest; statement: Statement; payload?: Buffer };

/** The running server. */
export class ClickHouseServer {
  readonly #options: ServerOptions;
  readonly #users: Users;
  readonly #engine: { version: string; tableFunctions: ReadonlySet<string> };
  readonly #bodies = new BodyReader();
  readonly #http: Server;
  readonly #running = new Set<Promise<void>>();

  private constructor(options: ServerOptions, users: Users, engine: { version: string; tableFunctions: ReadonlySet<string> }) {
    this.#options = options;
    this.#users = users;
    this.#engine = engine;
    // No time limit on a request: an insert of 256 MiB over a slow line, a query of an hour.
    this.#http = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0, maxHeaderSize: 2 ** 20 }, (request, response) => {
      const handled = this.#handle(request, response);
      this.#running.add(handled);
      void handled.then(() => this.#running.delete(handled));
    });
  }

  /** Opens the engine on `folder` and listens. Throws when the engine cannot open it or the port is taken. */
  static async start(options: ServerOptions): Promise<ClickHouseServer> {
    const { folder } = options;
    const users = {
      default: await Pool.open({ folder, settings: [...DEFAULT_SETTINGS, HELD_RESULT], isReadonly: false, size: DEFAULT_CONNECTIONS, waitingMax: DEFAULT_WAITING_MAX }),
      analyst: await Pool.open({ folder, settings: [...ANALYST_SETTINGS, HELD_RESULT], isReadonly: true, size: ANALYST_CONNECTIONS, waitingMax: ANALYST_WAITING_MAX }),
      control: await Pool.open({ folder, settings: [], isReadonly: false, size: 1, waitingMax: DEFAULT_WAITING_MAX + ANALYST_WAITING_MAX }),
    };
    const ask = async (sql: string) => users.default.run(async connection => Buffer.from((await connection.execute({ sql, database: 'default', settings: [], format: 'TabSeparated' })).bytes).toString().trim());
    await ask('CREATE DATABASE IF NOT EXISTS marquee');
    const tableFunctions = new Set((await ask('SELECT lower(name) FROM system.table_functions')).split('\n'));
    const server = new ClickHouseServer(options, users, { version: await ask('SELECT version()'), tableFunctions });
    server.#http.listen({ host: HOST, port: options.port, exclusive: true });
    await once(server.#http, 'listening');
    return server;
  }

  get port(): number {
    const address = this.#http.address();
    return typeof address === 'object' && address !== null ? address.port : this.#options.port;
  }

  /** Takes no more requests and resolves when the running ones have ended, after 5 s at the latest. */
  async close(): Promise<void> {
    this.#http.close();
    this.#http.closeIdleConnections();
    const bound = new Promise<void>(resolve => { setTimeout(resolve, DRAIN_MS_MAX).unref(); });
    await Promise.race([Promise.allSettled(this.#running), bound]);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let queryId: string = randomUUID();
    try {
      const path = (request.url ?? '/').split('?', 1)[0];
      if (path === '/ping' || path === '/replicas_status') return sendText(response, 200, 'Ok.\n');
      if (path !== '/') return sendText(response, 404, `There is no handle ${path}\n\nUse / or /ping for health checks.\n`);
      const query = readRequest(request);
      queryId = query.queryId;
      const user = this.#authenticate(query.credentials);
      await this.#bodies.read(request, user === 'analyst' ? STATEMENT_BYTES_MAX : BODY_BYTES_MAX, async raw => {
        const body = await readForm(query, { body: raw, contentType: request.headers['content-type'] });
        await this.#answer(response, { user, query, ...composeStatement({ query: query.query, body }) });
      });
    } catch (error) {
      // The socket of a request that broke off takes no answer; everything else gets one in ClickHouse's form.
      if (!response.headersSent && !response.destroyed) sendFault(response, { fault: readEngineFault(error), queryId, engineVersion: this.#engine.version });
    }
  }

  async #answer(response: ServerResponse, { statement: given, ...rest }: Asked): Promise<void> {
    const { query, user } = rest;
    if (query.isGet && given.kind !== 'read') throw new QueryFault(164, 'READONLY', `Cannot execute query in readonly mode. For queries over HTTP, method GET implies readonly. You should use method POST for modifying queries`);
    const statement = query.parameters.size === 0 ? given : readBound(given, query.parameters);
    if (user === 'analyst') this.#checkAnalyst(query, statement);
    const asked = { ...rest, statement };
    const format = statement.kind === 'read' ? statement.format ?? query.defaultFormat : undefined;
    const reply = { queryId: query.queryId, ...(format !== undefined && { format }), ...(query.compression && { compression: query.compression }) };
    if (statement.kind !== 'read') return sendAnswer(response, { ...reply, answer: await this.#write(asked) });
    const cancellable = createCancellable(this.#users.control, goneSignal(response));
    const held = await this.#readHeld(asked, cancellable);
    if (held !== 'too large') return sendAnswer(response, { ...reply, answer: held });
    await this.#stream(response, { asked, reply, cancellable });
  }

  #write({ query, statement, payload }: Asked): Promise<Answer> {
    return this.#users.default.run(async connection => {
      if (statement.kind === 'session') connection.isSpoiled = true;
      if (payload && statement.insert) return runInsert(connection, { query, statement, payload });
      const answer = await runText(connection, query, statement.sql);
      await writeTokensThrough(connection, statement, query.database);
      return answer;
    });
  }

  /** Runs a query whose answer is kept in memory until it is complete; `too large` when it does not fit there. */
  async #readHeld(asked: Asked, cancellable: Cancellable): Promise<Answer | 'too large'> {
    const { query, statement, user } = asked;
    // With `break` a limit cuts the answer off instead of refusing it: ours must not be there then.
    if (query.settings.some(isOverflowMode) || statement.tokens.some(token => token.text.toLowerCase() === OVERFLOW_MODE)) return 'too large';
    try {
      return await this.#connect(asked, HELD_RESULT, connection => cancellable.run(() => runText(connection, user === 'analyst' ? { ...query, settings: [] } : query, statement.sql + cancellable.mark)));
    } catch (error) {
      if (error instanceof QueryFault && error.code === TOO_MANY_ROWS_OR_BYTES) return 'too large'; // or too much for a limit of the query's own, which it meets again
      throw error;
    }
  }

  async #stream(response: ServerResponse, { asked, reply, cancellable }: { asked: Asked; reply: Omit<Parameters<typeof sendStream>[1], 'chunks' | 'outcome' | 'engineVersion'>; cancellable: Cancellable }): Promise<void> {
    const pipe = await openResultPipe(join(dirname(this.#options.folder), 'results'));
    response.setTimeout(SEND_MS_MAX, () => response.destroy());
    try {
      await this.#connect(asked, undefined, async connection => {
        const query = { ...asked.query, settings: [] };
        const outcome = cancellable.run(() => runText(connection, query, pipe.intoPipe(asked.statement, query.defaultFormat) + cancellable.mark))
          .then(answer => answer, (fault: unknown) => readEngineFault(fault)).finally(pipe.end);
        try {
          await sendStream(response, { ...reply, chunks: pipe.readable, outcome, engineVersion: this.#engine.version });
        } finally {
          await outcome; // the connection is free again when the engine has ended
        }
      });
    } finally {
      response.setTimeout(0);
      await pipe.remove();
    }
  }

  /**
   * Lends a connection of the user for a query: one of the pool, or a fresh one in its place where the query brings settings
   * that the pool's connections cannot take. An analyst's may only read, so settings go before `readonly = 1`.
   */
  #connect<T>({ user, query }: Asked, held: Setting | undefined, use: (connection: Connection) => Promise<T>): Promise<T> {
    const pool = this.#users[user];
    if (held && (user === 'default' || query.settings.length === 0)) return pool.run(use);
    const own = user === 'analyst' ? ANALYST_SETTINGS : DEFAULT_SETTINGS;
    return pool.runFresh({ folder: this.#options.folder, settings: [...(held ? [held] : []), ...query.settings, ...own], isReadonly: user === 'analyst' }, use);
  }

  #checkAnalyst(query: QueryRequest, statement: Statement): void {
    checkAnalyst(statement, this.#engine.tableFunctions);
    checkAnalystDatabase(query.database);
    for (const { name } of query.settings) checkAnalystSetting(name);
  }

  #authenticate(credentials: QueryRequest['credentials']): User {
    const { user, password } = credentials;
    const known = user === 'default' || user === 'analyst';
    const matches = isSameText(password, known ? this.#options.passwords[user] : randomUUID());
    if (known && matches) return user;
    throw new QueryFault(516, 'AUTHENTICATION_FAILED', `${user}: Authentication failed: password is incorrect, or there is no user with such name.`);
  }
}

const OVERFLOW_MODE = 'result_overflow_mode';
const isOverflowMode = ({ name }: Setting) => name === OVERFLOW_MODE;

/** Aborts when the client goes before it has its answer. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const tell = () => { if (!response.writableFinished) gone.abort(); };
  if (response.destroyed) tell();
  else response.once('close', tell);
  return gone.signal;
}

function readBound(statement: Statement, parameters: ReadonlyMap<string, string>): Statement {
  if (statement.insert) return statement; // bound in runInsert, which keeps the data apart
  return readStatement(bindParameters(statement.sql, statement.tokens, parameters));
}

function runText(connection: Connection, query: QueryRequest, sql: string): Promise<Answer> {
  return connection.execute({ sql, database: query.database, settings: query.settings, format: query.defaultFormat });
}

/**
 * Settings of an INSERT stand in the statement: the engine takes a deduplication token that was SET for every later
 * insert of the connection. What the statement says itself wins, as in ClickHouse.
 */
async function runInsert(connection: Connection, options: { query: QueryRequest; statement: Statement; payload: Buffer }): Promise<Answer> {
  const { query, statement, payload } = options;
  const insert = statement.insert!;
  const settings = query.settings.filter(({ name }) => !insert.settingNames.has(name));
  const head = statement.sql.slice(0, insert.settingsAt);
  const tail = statement.sql.slice(insert.settingsAt);
  const clause = settings.length === 0 ? '' : insert.hasSettings ? ` ${assignments(settings)},` : ` SETTINGS ${assignments(settings)} `;
  const bind = (text: string) => query.parameters.size === 0 ? text : bindParameters(text, [...readTokens(text)], query.parameters);
  const sql = `${bind(head)}${clause}${bind(tail)}`;
  const data = insert.isValues && query.parameters.size > 0 ? Buffer.from(bind(payload.toString('utf8'))) : payload;
  try {
    const stated = new Set([...insert.settingNames, ...settings.map(({ name }) => name)]);
    return await connection.execute({ sql, database: query.database, settings: [], stated, format: query.defaultFormat, payload: data });
  } catch (error) {
    if (error instanceof QueryFault && error.type === 'NO_DATA_TO_INSERT') return { bytes: new Uint8Array(), readRows: 0, readBytes: 0, writtenRows: 0, writtenBytes: 0, elapsedNs: 0 };
    throw error; // an empty body is no fault over HTTP; anything else is
  }
}

function isSameText(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
