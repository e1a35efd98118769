/**
 * The data of one of our ClickHouse servers about its one user: who it is, which statements it may send, within which
 * bounds, and which connections run them. The services' side is `owner-access.ts`, the analysts'
 * `reading/analyst-access.ts`.
 */
import type { Connection, Setting } from './connection.ts';
import type { Pool } from './pool.ts';
import type { QueryFault } from './statements/query-fault.ts';
import type { QueryRequest } from './statements/request.ts';
import { STATEMENT_BYTES_MAX, type Statement } from './statements/statement.ts';

/** The user of a server, and the engine for its statements. */
export type UserAccess = {
  readonly user: 'default' | 'analyst';
  readonly password: string;
  readonly bounds: RequestBounds;
  /** The folder for the pipes of streamed answers. */
  readonly pipesFolder: string;
  /** Version of the engine, for faults; empty until it is open. */
  readonly version: string;
  /** Connections that only end queries of the others. */
  readonly control: Pool;
  /** Called for a request whose user is known, before its body is read. */
  expect(): void;
  /** Returns the statement to run. Throws a refusal if this user may not send it. */
  admit(query: QueryRequest, statement: Statement): Promise<Statement>;
  /** Whether a query that failed with this fault, through no fault of its own, is worth another try. */
  canRepeat(query: QueryRequest, fault: QueryFault): Promise<boolean>;
  /**
   * Lends a connection for one statement. `use` gets with it the settings of the request that the connection does not
   * have yet; one for a held answer refuses an answer over `bounds.heldBytesMax`.
   */
  lend<T>(
    query: QueryRequest,
    answer: 'held' | 'streamed',
    use: (connection: Connection, settings: readonly Setting[]) => Promise<T>,
  ): Promise<T>;
  /** Called when a statement that is not a query has ended, whether it succeeded or not. */
  noteWrite(statement: Statement): void;
  /** The answer at a path besides that of statements, for a client with the password; undefined: there is none. */
  tell(path: string): string | undefined;
};

export type RequestBounds = {
  bodyBytesMax: number;
  /** The buffer of an answer; a larger one is streamed. */
  heldBytesMax: number;
  /** From the start of a streamed answer's query to its last byte; Infinity: as long as the client takes some. */
  answerMsMax: number;
  connectionsMax: number;
  /** For a request to come in whole; 0: none. */
  requestMsMax: number;
};

/** Room for the server's additions after a statement: a mark by which it is canceled, the pipe of its answer. */
const BEHIND_BYTES_MAX = 4_096;

/** Settings of connections of every user. */
export const ENGINE_SETTINGS: readonly Setting[] = [
  // Starting the threads that format in parallel costs a small answer three times what it costs itself (`select 1`: 4.9
  // ms against 1.4).
  { name: 'output_format_parallel_formatting', value: '0' },
  { name: 'max_query_size', value: String(STATEMENT_BYTES_MAX + BEHIND_BYTES_MAX) },
];
