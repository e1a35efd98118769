/**
 * ClickHouse's HTTP interface in front of an embedded engine, for one user: services and analysts use the same clients
 * as against a server, each on a server, an engine and a process of their own. An answer up to a bound is complete
 * before its first byte is sent, so its status is always the truth; what is larger is begun again as a stream that is
 * never held. A query whose client goes away is ended.
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { BodyReader } from './statements/body.ts';
import { endsAsText } from './statements/insert-file.ts';
import { createCancellable, type Cancellable } from './statements/cancellation.ts';
import { type Answer, type Connection, type Setting, assignments } from './connection.ts';
import type { UserAccess } from './access.ts';
import { bindParameters } from './statements/parameters.ts';
import { QueryFault, readEngineFault } from './statements/query-fault.ts';
import { sendAnswer, sendFault, sendStream, sendText } from './statements/reply.ts';
import { composeStatement, readForm, readRequest, type QueryRequest } from './statements/request.ts';
import { openResultPipe } from './statements/result-pipe.ts';
import { readTokens } from './statements/lexer.ts';
import { readStatement, type Statement } from './statements/statement.ts';
import { writeTokensThrough } from './token-log.ts';

const HOST = '127.0.0.1';
const DRAIN_MS_MAX = 5_000;
// Longer than the 2.5 s after which the JavaScript client drops an idle socket, or it would meet closed ones.
const KEEP_ALIVE_MS = 10_000;
const HEADERS_BYTES_MAX = 2 ** 20;
const TOO_MANY_ROWS_OR_BYTES = 396;
/** Each try reads the newest parts, of which merges take away none for minutes. */
const REPEATS_MAX = 2;
/** A client that reads nothing for this time has gone, whatever its socket says; ClickHouse's own timeout. */
const SEND_MS_MAX = 30_000;

/** A statement with the request that brought it; `payload` is the data of an insert. */
type StatementRequest = { query: QueryRequest; statement: Statement; payload?: Buffer };

type StreamOptions = {
  request: StatementRequest;
  reply: Omit<Parameters<typeof sendStream>[1], 'chunks' | 'outcome' | 'engineVersion'>;
  cancellable: Cancellable;
};

/** The running server. */
export class ClickHouseServer {
  readonly #access: UserAccess;
  readonly #bodies = new BodyReader();
  readonly #http: Server;
  readonly #running = new Set<Promise<void>>();

  private constructor(access: UserAccess) {
    this.#access = access;
    const { requestMsMax, connectionsMax } = access.bounds;
    this.#http = createServer(
      { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: requestMsMax, maxHeaderSize: HEADERS_BYTES_MAX },
      (request, response) => {
        const handled = this.#handle(request, response);
        this.#running.add(handled);
        void handled.then(() => this.#running.delete(handled));
      },
    );
    this.#http.maxConnections = connectionsMax;
  }

  /** Listens for the statements of a user. Throws when the port is taken. */
  static async start(access: UserAccess, port: number): Promise<ClickHouseServer> {
    const server = new ClickHouseServer(access);
    server.#http.listen({ host: HOST, port, exclusive: true });
    await once(server.#http, 'listening');
    return server;
  }

  get port(): number {
    const address = this.#http.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Takes no more requests and resolves when the running ones have ended, after 5 s at the latest. */
  async close(): Promise<void> {
    this.#http.close();
    this.#http.closeIdleConnections();
    const bound = new Promise<void>(resolve => {
      setTimeout(resolve, DRAIN_MS_MAX).unref();
    });
    await Promise.race([Promise.allSettled(this.#running), bound]);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let queryId: string = randomUUID();
    try {
      const [path = '/'] = (request.url ?? '/').split('?', 1);
      if (path === '/ping' || path === '/replicas_status') return sendText(response, 200, 'Ok.\n');
      const told = this.#access.tell(path);
      if (path !== '/' && told === undefined)
        return sendText(response, 404, `There is no handle ${path}\n\nUse / or /ping for health checks.\n`);
      const query = readRequest(request);
      queryId = query.queryId;
      this.#authenticate(query.credentials);
      if (told !== undefined) return sendText(response, 200, told);
      this.#access.expect();
      await this.#bodies.read(request, this.#access.bounds.bodyBytesMax, async raw => {
        const body = await readForm(query, { body: raw, contentType: request.headers['content-type'] });
        await this.#answer(response, { query, ...composeStatement({ query: query.query, body }) });
      });
    } catch (error) {
      // The socket of a request that broke off takes no answer; everything else gets one in ClickHouse's form.
      if (!response.headersSent && !response.destroyed)
        sendFault(response, { fault: readEngineFault(error), queryId, engineVersion: this.#access.version });
    }
  }

  async #answer(response: ServerResponse, { statement: given, ...rest }: StatementRequest): Promise<void> {
    const { query } = rest;
    if (query.isGet && given.kind !== 'read')
      throw new QueryFault(
        164,
        'READONLY',
        `Cannot execute query in readonly mode. For queries over HTTP, method GET implies readonly. You should use method POST for modifying queries`,
      );
    const bound = query.parameters.size === 0 ? given : readBound(given, query.parameters);
    const statement = await this.#access.admit(query, bound);
    const request = { ...rest, statement };
    const format = statement.kind === 'read' ? (statement.format ?? query.defaultFormat) : undefined;
    const reply = {
      queryId: query.queryId,
      ...(format !== undefined && { format }),
      ...(query.compression && { compression: query.compression }),
    };
    if (statement.kind !== 'read') return sendAnswer(response, { ...reply, answer: await this.#write(request) });
    for (let repeats = 0; ; repeats += 1) {
      try {
        return await this.#read(response, request, reply);
      } catch (error) {
        const fault = readEngineFault(error);
        if (response.headersSent || repeats >= REPEATS_MAX || !(await this.#access.canRepeat(query, fault)))
          throw fault;
      }
    }
  }

  async #read(response: ServerResponse, request: StatementRequest, reply: StreamOptions['reply']): Promise<void> {
    const cancellable = createCancellable(this.#access.control, goneSignal(response));
    const held = await this.#readHeld(request, cancellable);
    if (held === 'too large') return this.#stream(response, { request, reply, cancellable });
    response.setTimeout(SEND_MS_MAX, () => response.destroy());
    await sendAnswer(response, { ...reply, answer: held });
  }

  async #write({ query, statement, payload }: StatementRequest): Promise<Answer> {
    try {
      return await this.#access.lend(query, 'held', async connection => {
        if (statement.kind === 'session') connection.isSpoiled = true;
        if (payload && statement.insert) return runInsert(connection, { query, statement, payload });
        const answer = await runText(connection, query, { sql: statement.sql, settings: query.settings });
        await writeTokensThrough(connection, statement, query.database);
        return answer;
      });
    } finally {
      this.#access.noteWrite(statement);
    }
  }

  /** Runs a query whose answer is kept in memory until it is complete; `too large` when it does not fit there. */
  async #readHeld({ query, statement }: StatementRequest, cancellable: Cancellable): Promise<Answer | 'too large'> {
    // With `break` a limit cuts the answer off instead of refusing it: ours must not be there then.
    if (
      query.settings.some(isOverflowMode) ||
      statement.tokens.some(token => token.text.toLowerCase() === OVERFLOW_MODE)
    )
      return 'too large';
    try {
      return await this.#access.lend(query, 'held', (connection, settings) =>
        cancellable.run(() => runText(connection, query, { sql: statement.sql + cancellable.mark, settings })),
      );
    } catch (error) {
      // Or too much for a limit of the query's own, which it meets again.
      if (error instanceof QueryFault && error.code === TOO_MANY_ROWS_OR_BYTES) return 'too large';
      throw error;
    }
  }

  async #stream(
    response: ServerResponse,
    { request: { query, statement }, reply, cancellable }: StreamOptions,
  ): Promise<void> {
    const pipe = await openResultPipe(this.#access.pipesFolder);
    const { answerMsMax } = this.#access.bounds;
    response.setTimeout(SEND_MS_MAX, () => response.destroy());
    let overdue: NodeJS.Timeout | undefined;
    try {
      await this.#access.lend(query, 'streamed', async (connection, settings) => {
        if (Number.isFinite(answerMsMax)) overdue = setTimeout(() => response.destroy(), answerMsMax);
        const outcome = cancellable
          .run(() =>
            runText(connection, query, {
              sql: pipe.intoPipe(statement, query.defaultFormat) + cancellable.mark,
              settings,
            }),
          )
          .then(
            answer => answer,
            (fault: unknown) => readEngineFault(fault),
          )
          .finally(pipe.end);
        try {
          await sendStream(response, { ...reply, chunks: pipe.readable, outcome, engineVersion: this.#access.version });
        } finally {
          await outcome; // the connection is free again when the engine has ended
        }
      });
    } finally {
      clearTimeout(overdue);
      response.setTimeout(0);
      await pipe.remove();
    }
  }

  #authenticate({ user, password }: QueryRequest['credentials']): void {
    const isKnown = user === this.#access.user;
    if (isSameText(password, isKnown ? this.#access.password : randomUUID()) && isKnown) return;
    throw new QueryFault(
      516,
      'AUTHENTICATION_FAILED',
      `${user}: Authentication failed: password is incorrect, or there is no user with such name.`,
    );
  }
}

const OVERFLOW_MODE = 'result_overflow_mode';
const isOverflowMode = ({ name }: Setting) => name === OVERFLOW_MODE;

/** Aborts when the client goes before it has its answer. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const tell = () => {
    if (!response.writableFinished) gone.abort();
  };
  if (response.destroyed) tell();
  else response.once('close', tell);
  return gone.signal;
}

function readBound(statement: Statement, parameters: ReadonlyMap<string, string>): Statement {
  if (statement.insert) return statement; // bound in runInsert, which keeps the data apart
  return readStatement(bindParameters(statement.sql, statement.tokens, parameters));
}

function runText(
  connection: Connection,
  { database, defaultFormat }: QueryRequest,
  { sql, settings }: { sql: string; settings: readonly Setting[] },
): Promise<Answer> {
  return connection.execute({ sql, database, settings, format: defaultFormat });
}

/**
 * Settings of an INSERT are in the statement: the engine takes a deduplication token that was SET for every later
 * insert of the connection. Settings of the statement itself win, as in ClickHouse.
 */
async function runInsert(
  connection: Connection,
  options: { query: QueryRequest; statement: Statement; payload: Buffer },
): Promise<Answer> {
  const { query, statement, payload } = options;
  const insert = statement.insert!;
  const settings = query.settings.filter(({ name }) => !insert.settingNames.has(name));
  const target = statement.sql.slice(0, insert.dataClauseAt);
  const head = statement.sql.slice(insert.dataClauseAt, insert.settingsAt);
  const tail = statement.sql.slice(insert.settingsAt);
  const clause =
    settings.length === 0
      ? ''
      : insert.hasSettings
        ? ` ${assignments(settings)},`
        : ` SETTINGS ${assignments(settings)} `;
  const bind = (text: string) =>
    query.parameters.size === 0 ? text : bindParameters(text, [...readTokens(text)], query.parameters);
  const data = insert.isValues && query.parameters.size > 0 ? Buffer.from(bind(payload.toString('utf8'))) : payload;
  // Rows of VALUES may be expressions, which the engine reads from the statement's own text alone.
  const isInFile = !insert.isValues && endsAsText(data);
  const source = isInFile ? connection.dataClause : '';
  const sql = `${bind(target)}${source}${bind(head)}${clause}${bind(tail)}`;
  try {
    const stated = new Set([...insert.settingNames, ...settings.map(({ name }) => name)]);
    return await connection.execute({
      sql,
      database: query.database,
      settings: [],
      stated,
      format: query.defaultFormat,
      payload: { data, isInFile },
    });
  } catch (error) {
    if (error instanceof QueryFault && error.type === 'NO_DATA_TO_INSERT')
      return { bytes: new Uint8Array(), readRows: 0, readBytes: 0, writtenRows: 0, writtenBytes: 0, elapsedNs: 0 };
    throw error; // an empty body is no fault over HTTP; anything else is
  }
}

function isSameText(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
