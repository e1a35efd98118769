/**
 * Reads a request as ClickHouse's HTTP interface defines it (https://clickhouse.com/docs/interfaces/http): credentials,
 * settings, parameters and the query, everything but the body.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Setting } from '../connection.ts';
import { QueryFault } from './query-fault.ts';
import { checkLength, readStatement, STATEMENT_BYTES_MAX, type Statement } from './statement.ts';

export type QueryRequest = {
  isGet: boolean;
  credentials: { user: string; password: string };
  query: string;
  database: string;
  queryId: string;
  defaultFormat: string;
  settings: Setting[];
  parameters: Map<string, string>;
  /** Codec of the answer, if the client asks for compression: ClickHouse's own, or one that it accepts of HTTP. */
  compression?: Codec;
};

export type Codec = 'native' | 'gzip' | 'deflate' | 'br';

const DATABASE = 'marquee';
// Parameters of the HTTP layer: they are no settings of the engine, and where they ask for something the answer, which
// is always complete before its first byte is sent, already has it. session_id: no state is kept between requests.
const HTTP_ONLY = new Set([
  'query',
  'database',
  'query_id',
  'default_format',
  'user',
  'password',
  'quota_key',
  'session_id',
  'session_timeout',
  'session_check',
  'close_session',
  'stacktrace',
  'wait_end_of_query',
  'buffer_size',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'http_response_buffer_size',
  'http_write_exception_in_output_format',
  'add_http_cors_header',
  'enable_http_compression',
  'http_zlib_compression_level',
  'http_native_compression_disable_checksumming_on_decompress',
  'http_make_head_request',
  'cancel_http_readonly_queries_on_client_close',
  'client_protocol_version',
  'role',
  'compress',
  'decompress',
]);
// It goes back in a header.
const QUERY_ID = /^[\x21-\x7e]{1,200}$/;
const SETTING_NAME = /^[a-z][a-z0-9_]*$/;

/**
 * Reads URL and headers. Throws a QueryFault for a bad setting name, a second way of authentication, an unknown role.
 */
export function readRequest(request: IncomingMessage): QueryRequest {
  const search = new URL(request.url ?? '/', 'http://localhost').searchParams;
  if (search.get('decompress') === '1')
    throw new QueryFault(
      48,
      'NOT_IMPLEMENTED',
      'Bodies in the native compression are not supported; use Content-Encoding',
    );
  const role = search.get('role');
  if (role !== null) throw new QueryFault(511, 'UNKNOWN_ROLE', `There is no role \`${role}\` in user directories`);
  const compression = codecFor(search, String(request.headers['accept-encoding'] ?? ''));
  return {
    isGet: request.method !== 'POST',
    credentials: readCredentials(request, search),
    query: search.get('query') ?? '',
    database: search.get('database') || String(request.headers['x-clickhouse-database'] ?? DATABASE),
    queryId: QUERY_ID.exec(search.get('query_id') ?? '')?.[0] ?? randomUUID(),
    defaultFormat: formatName(
      search.get('default_format') ?? String(request.headers['x-clickhouse-format'] ?? 'TabSeparated'),
    ),
    settings: readSettings(search),
    parameters: readParameters(search),
    ...(compression && { compression }),
  };
}

/**
 * Takes `query` and `param_*` out of a multipart form: the client's way to send parameters that are too long for a URL.
 * Returns the body that is left.
 */
export async function readForm(
  request: QueryRequest,
  options: { body: Buffer; contentType: string | undefined },
): Promise<Buffer> {
  if (!options.contentType?.startsWith('multipart/form-data')) return options.body;
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(options.body), {
      headers: { 'content-type': options.contentType },
    }).formData();
  } catch (error) {
    throw new QueryFault(36, 'BAD_ARGUMENTS', `The multipart body cannot be read: ${(error as Error).message}`);
  }
  for (const [name, value] of form) {
    if (typeof value !== 'string')
      throw new QueryFault(48, 'NOT_IMPLEMENTED', `External data (${name}) is not supported`);
    if (name === 'query') request.query += value;
    else if (name.startsWith('param_')) request.parameters.set(name.slice('param_'.length), value);
  }
  return Buffer.alloc(0);
}

/**
 * The statement of a request, and for an INSERT its data. ClickHouse reads the parameter `query`, then the body. Throws
 * the refusal of a statement that is too long, before it is read.
 */
export function composeStatement(options: { query: string; body: Buffer }): { statement: Statement; payload?: Buffer } {
  const { query, body } = options;
  if (query.trim() === '') return splitBody(body);
  checkLength(query);
  const statement = readStatement(query);
  if (statement.insert) {
    const inline = query.slice(statement.insert.dataAt).trimStart();
    return { statement, payload: inline === '' ? body : Buffer.concat([Buffer.from(inline), body]) };
  }
  return body.length === 0 ? { statement } : splitBody(Buffer.concat([Buffer.from(`${query}\n`), body]));
}

function splitBody(body: Buffer): { statement: Statement; payload?: Buffer } {
  const isWhole = body.length <= STATEMENT_BYTES_MAX;
  const head = body.toString('utf8', 0, STATEMENT_BYTES_MAX);
  if (!isWhole && !/^\s*insert\b/i.test(head)) checkLength(body);
  const statement = readStatement(head);
  // A name at the end of the head may continue after it.
  if (!isWhole && !(statement.insert && statement.insert.dataAt < head.length)) checkLength(body);
  return split(statement, { text: head, body });
}

function split(
  statement: Statement,
  options: { text: string; body: Buffer },
): { statement: Statement; payload?: Buffer } {
  if (!statement.insert) return { statement };
  const data = options.text.slice(statement.insert.dataAt);
  const dataAt = statement.insert.dataAt + (/^[ \t\r]*\n?/.exec(data)?.[0].length ?? 0);
  return { statement, payload: options.body.subarray(Buffer.byteLength(options.text.slice(0, dataAt))) };
}

function readCredentials(request: IncomingMessage, search: URLSearchParams): { user: string; password: string } {
  const { authorization } = request.headers;
  const user = request.headers['x-clickhouse-user'];
  const key = request.headers['x-clickhouse-key'];
  const ways = [
    authorization !== undefined,
    user !== undefined || key !== undefined,
    search.has('user') || search.has('password'),
  ];
  if (ways.filter(Boolean).length > 1)
    throw new QueryFault(
      516,
      'AUTHENTICATION_FAILED',
      'Invalid authentication: it is not allowed to use several methods of authentication simultaneously',
    );
  if (ways[1]) return { user: String(user ?? 'default'), password: String(key ?? '') };
  if (authorization === undefined)
    return { user: search.get('user') ?? 'default', password: search.get('password') ?? '' };
  const encoded = /^basic\s+(\S+)$/i.exec(authorization)?.[1];
  if (encoded === undefined)
    throw new QueryFault(
      516,
      'AUTHENTICATION_FAILED',
      'Invalid authentication: only the Basic HTTP scheme is supported',
    );
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0
    ? { user: text, password: '' }
    : { user: text.slice(0, colon) || 'default', password: text.slice(colon + 1) };
}

function readSettings(search: URLSearchParams): Setting[] {
  const values = new Map<string, string>();
  for (const [name, value] of search) {
    if (HTTP_ONLY.has(name) || name.startsWith('param_')) continue;
    if (!SETTING_NAME.test(name)) throw new QueryFault(115, 'UNKNOWN_SETTING', `Unknown setting '${name}'`);
    values.set(name, value);
  }
  return [...values].map(([name, value]) => ({ name, value }));
}

function readParameters(search: URLSearchParams): Map<string, string> {
  return new Map(
    [...search]
      .filter(([name]) => name.startsWith('param_'))
      .map(([name, value]) => [name.slice('param_'.length), value]),
  );
}

function formatName(name: string): string {
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name)) throw new QueryFault(73, 'UNKNOWN_FORMAT', `Unknown format ${name}`);
  return name;
}

function codecFor(search: URLSearchParams, accepted: string): Codec | undefined {
  if (search.get('compress') === '1') return 'native';
  if (search.get('enable_http_compression') !== '1') return undefined;
  return (['gzip', 'br', 'deflate'] as const).find(codec =>
    new RegExp(`\\b${codec}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(accepted),
  );
}
