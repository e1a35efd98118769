import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Answer } from './connection.ts';
import { faultText, statusOf, type QueryFault } from './query-fault.ts';

const zip = promisify(gzip);
const brotli = promisify(brotliCompress);
// What the ClickHouse server and its JavaScript client use: fast rather than small.
const GZIP_LEVEL = 3;
const BROTLI_QUALITY = 4;
const CONTENT_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^JSON.*EachRow/, 'application/x-ndjson; charset=UTF-8'],
  [/^JSON/, 'application/json; charset=UTF-8'],
  [/^(?:TabSeparated|TSV)/, 'text/tab-separated-values; charset=UTF-8'],
  [/^CSV/, 'text/csv; charset=UTF-8'],
  [/^(?:RowBinary|Native|Parquet|Arrow|ORC|Avro|MsgPack|Protobuf)/, 'application/octet-stream'],
];

/** Headers of every answer. */
function baseHeaders(queryId: string): Record<string, string> {
  return { 'X-ClickHouse-Server-Display-Name': 'marquee', 'X-ClickHouse-Query-Id': queryId, 'X-ClickHouse-Timezone': 'UTC' };
}

/** Sends rows, or nothing for a statement without any. `format` is absent then. */
export async function sendAnswer(response: ServerResponse, options: { answer: Answer; queryId: string; format?: string; compression?: 'gzip' | 'br' }): Promise<void> {
  const { answer, format, compression } = options;
  const headers: Record<string, string | number> = { ...baseHeaders(options.queryId), 'X-ClickHouse-Summary': summaryOf(answer), 'Content-Type': contentTypeOf(format) };
  if (format !== undefined) headers['X-ClickHouse-Format'] = format;
  let body: Uint8Array = answer.bytes;
  if (compression !== undefined && body.length > 0) {
    body = compression === 'gzip' ? await zip(body, { level: GZIP_LEVEL }) : await brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
    headers['Content-Encoding'] = compression;
  }
  response.writeHead(200, { ...headers, 'Content-Length': body.length }).end(body);
}

/** Sends an error in ClickHouse's text form, with the status and the header that its clients look at. */
export function sendFault(response: ServerResponse, options: { fault: QueryFault; queryId: string; engineVersion: string }): void {
  const body = Buffer.from(faultText(options.fault, options.engineVersion));
  response.writeHead(statusOf(options.fault.code), {
    ...baseHeaders(options.queryId),
    'X-ClickHouse-Exception-Code': String(options.fault.code),
    'Content-Type': 'text/plain; charset=UTF-8',
    'Content-Length': body.length,
  }).end(body);
}

/** Sends a line of text. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=UTF-8', 'Content-Length': Buffer.byteLength(text) }).end(text);
}

function summaryOf(answer: Answer): string {
  const isRead = answer.writtenRows === 0;
  return JSON.stringify({
    read_rows: String(answer.readRows), read_bytes: String(answer.readBytes),
    written_rows: String(answer.writtenRows), written_bytes: String(answer.writtenBytes), total_rows_to_read: '0',
    result_rows: String(isRead ? answer.readRows : answer.writtenRows), result_bytes: String(isRead ? answer.readBytes : answer.writtenBytes),
    elapsed_ns: String(answer.elapsedNs),
  });
}

function contentTypeOf(format: string | undefined): string {
  return CONTENT_TYPES.find(([pattern]) => pattern.test(format ?? ''))?.[1] ?? 'text/plain; charset=UTF-8';
}
