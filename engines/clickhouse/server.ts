import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { checkAnalyst, checkAnalystDatabase, checkAnalystSetting } from './analyst.ts';
import { BodyReader } from './body.ts';
import { ANALYST_CONNECTIONS, DEFAULT_CONNECTIONS } from './capacity.ts';
import { type Answer, type Connection, type ConnectionOptions, type Setting, assignments } from './connection.ts';
import { bindParameters } from './parameters.ts';
import { Pool } from './pool.ts';
import { QueryFault, readEngineFault } from './query-fault.ts';
import { sendAnswer, sendFault, sendText } from './reply.ts';
import { composeStatement, readForm, readRequest, type QueryRequest } from './request.ts';
import { readTokens } from './lexer.ts';
import { readStatement, type Statement } from './statement.ts';

/**
 * ClickHouse's HTTP interface in front of the embedded engine. Services and analysts use the same clients as against a
 * server. An answer is complete before its first byte is sent, so a status is always the truth. The engine has no
 * users: `default` may do anything and `analyst` only read, each on connections of its own, so that no analyst's query
 * ever stands before an insert.
 */
const HOST = '127.0.0.1';
// Twice what ten processes with ten sockets each can have outstanding.
const DEFAULT_WAITING_MAX = 200;
// About ten analysts with a dashboard of ten charts.
const ANALYST_WAITING_MAX = 100;
const DRAIN_MS_MAX = 5_000;
// Longer than the 2.5 s after which the JavaScript client drops an idle socket, or it would meet closed ones.
const KEEP_ALIVE_MS = 10_000;
const DEFAULT_SETTINGS: readonly Setting[] = [{ name: 'max_result_bytes', value: String(2 ** 30) }];
const ANALYST_SETTINGS: readonly Setting[] = Object.entries({
  max_execution_time: 60,
  max_memory_usage: 2 * 2 ** 30,
  max_threads: 1,
  max_result_bytes: 256 * 2 ** 20,
}).map(([name, value]) => ({ name, value: String(value) }));

export type ServerOptions = { folder: string; port: number; passwords: { default: string; analyst: string } };

type Users = { default: Pool; analyst: Pool };

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
      default: await Pool.open({ folder, settings: DEFAULT_SETTINGS, isReadonly: false, size: DEFAULT_CONNECTIONS, waitingMax: DEFAULT_WAITING_MAX }),
      analyst: await Pool.open({ folder, settings: ANALYST_SETTINGS, isReadonly: true, size: ANALYST_CONNECTIONS, waitingMax: ANALYST_WAITING_MAX }),
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
      await this.#bodies.read(request, async raw => {
        const body = await readForm(query, { body: raw, contentType: request.headers['content-type'] });
        const { statement, payload } = composeStatement({ query: query.query, body });
        const answer = await this.#run({ user, query, statement, ...(payload && { payload }) });
        const format = statement.kind === 'read' ? statement.format ?? query.defaultFormat : undefined;
        await sendAnswer(response, { answer, queryId, ...(format !== undefined && { format }), ...(query.compression && { compression: query.compression }) });
      });
    } catch (error) {
      // The socket of a request that broke off takes no answer; everything else gets one in ClickHouse's form.
      if (!response.headersSent && !response.destroyed) sendFault(response, { fault: readEngineFault(error), queryId, engineVersion: this.#engine.version });
    }
  }

  async #run(options: { user: keyof Users; query: QueryRequest; statement: Statement; payload?: Buffer }): Promise<Answer> {
    const { user, query, statement } = options;
    if (query.isGet && statement.kind !== 'read') throw new QueryFault(164, 'READONLY', `Cannot execute query in readonly mode. For queries over HTTP, method GET implies readonly. You should use method POST for modifying queries`);
    const bound = query.parameters.size === 0 ? statement : readBound(statement, query.parameters);
    if (user === 'analyst') return this.#runAsAnalyst(query, bound);
    return this.#users.default.run(async connection => {
      if (bound.kind === 'session') connection.isSpoiled = true;
      return options.payload && statement.insert ? runInsert(connection, { query, statement, payload: options.payload }) : runText(connection, query, bound.sql);
    });
  }

  #runAsAnalyst(query: QueryRequest, statement: Statement): Promise<Answer> {
    checkAnalyst(statement, this.#engine.tableFunctions);
    checkAnalystDatabase(query.database);
    for (const { name } of query.settings) checkAnalystSetting(name);
    if (query.settings.length === 0) return this.#users.analyst.run(connection => runText(connection, query, statement.sql));
    // readonly = 1 refuses settings, so these go before it, on a connection that lives for this statement.
    const fresh: ConnectionOptions = { folder: this.#options.folder, settings: [...query.settings, ...ANALYST_SETTINGS], isReadonly: true };
    return this.#users.analyst.runFresh(fresh, connection => runText(connection, { ...query, settings: [] }, statement.sql));
  }

  #authenticate(credentials: QueryRequest['credentials']): keyof Users {
    const { user, password } = credentials;
    const known = user === 'default' || user === 'analyst';
    const matches = isSameText(password, known ? this.#options.passwords[user] : randomUUID());
    if (known && matches) return user;
    throw new QueryFault(516, 'AUTHENTICATION_FAILED', `${user}: Authentication failed: password is incorrect, or there is no user with such name.`);
  }
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
    return await connection.execute({ sql, database: query.database, settings: [], format: query.defaultFormat, payload: data });
  } catch (error) {
    if (error instanceof QueryFault && error.type === 'NO_DATA_TO_INSERT') return { bytes: new Uint8Array(), readRows: 0, readBytes: 0, writtenRows: 0, writtenBytes: 0, elapsedNs: 0 };
    throw error; // an empty body is no fault over HTTP; anything else is
  }
}

function isSameText(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
