/**
 * Writes answers and refusals as ClickHouse's HTTP interface does: headers, content type, compression, the summary of
 * what was read and written.
 */
import type { ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import type { Answer } from '../connection.ts';
import { faultText, statusOf, type QueryFault } from './query-fault.ts';
import { NativeBlocks } from '../native-compression/native-blocks.ts';
import type { Codec } from './request.ts';

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
  return {
    'X-ClickHouse-Server-Display-Name': 'marquee',
    'X-ClickHouse-Query-Id': queryId,
    'X-ClickHouse-Timezone': 'UTC',
  };
}

type Reply = { queryId: string; format?: string; compression?: Codec };

function headersOf({ queryId, format, compression }: Reply): Record<string, string> {
  return {
    ...baseHeaders(queryId),
    'Content-Type': contentTypeOf(format),
    ...(format !== undefined && { 'X-ClickHouse-Format': format }),
    ...(compression && compression !== 'native' && { 'Content-Encoding': compression }),
  };
}

/** Sends rows, or nothing for a statement without any. `format` is absent then. */
export async function sendAnswer(
  response: ServerResponse,
  { answer, ...reply }: Reply & { answer: Answer },
): Promise<void> {
  const { compression, ...plain } = reply;
  const isCompressed = compression !== undefined && answer.bytes.length > 0;
  const body = isCompressed ? await buffer(compressorOf(compression).end(answer.bytes)) : answer.bytes;
  response
    .writeHead(200, {
      ...headersOf(isCompressed ? reply : plain),
      'X-ClickHouse-Summary': summaryOf(answer),
      'Content-Length': body.length,
    })
    .end(body);
}

/**
 * Sends rows as they come. The status has gone by the time a query fails: then the fault follows the rows, as in
 * ClickHouse, and the connection breaks, so that no client takes the rows for all of them. Chunks for a disconnected
 * client are read to their end all the same: the engine would otherwise wait forever to open a pipe without a reader,
 * out of reach of a KILL, and its connection with it.
 * @param chunks end when the statement has; @param outcome is its answer or its fault. A fault before the first row is
 *   thrown.
 */
export async function sendStream(
  response: ServerResponse,
  {
    chunks,
    outcome,
    engineVersion,
    ...reply
  }: Reply & { chunks: AsyncIterable<Uint8Array>; outcome: Promise<Answer | QueryFault>; engineVersion: string },
): Promise<void> {
  const compressor = reply.compression === undefined ? undefined : compressorOf(reply.compression);
  const sink = compressor ?? response;
  const closed = new Promise<void>(resolve => {
    response.once('close', resolve);
  });
  for await (const chunk of chunks) {
    if (response.destroyed) continue;
    if (!response.headersSent) {
      response.writeHead(200, headersOf(reply));
      compressor?.pipe(response);
    }
    if (!sink.write(chunk))
      await Promise.race([
        new Promise<void>(resolve => {
          sink.once('drain', resolve);
        }),
        closed,
      ]);
  }
  const end = await outcome;
  if (response.destroyed) return;
  if (!(end instanceof Error)) {
    if (response.headersSent) sink.end();
    else await sendAnswer(response, { ...reply, answer: end });
    return;
  }
  if (!response.headersSent) throw end;
  if (compressor) response.destroy();
  else response.write(`\r\n${faultText(end, engineVersion)}`, () => response.destroy());
}

function compressorOf(codec: Codec): Transform {
  if (codec === 'native') return new NativeBlocks();
  if (codec === 'gzip') return createGzip({ level: GZIP_LEVEL });
  if (codec === 'deflate') return createDeflate({ level: GZIP_LEVEL });
  return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}

/** Sends an error in ClickHouse's text form, with the status and the header that its clients look at. */
export function sendFault(
  response: ServerResponse,
  options: { fault: QueryFault; queryId: string; engineVersion: string },
): void {
  const body = Buffer.from(faultText(options.fault, options.engineVersion));
  response
    .writeHead(statusOf(options.fault.code), {
      ...baseHeaders(options.queryId),
      'X-ClickHouse-Exception-Code': String(options.fault.code),
      'Content-Type': 'text/plain; charset=UTF-8',
      'Content-Length': body.length,
    })
    .end(body);
}

/** Sends a line of text. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { 'Content-Type': 'text/html; charset=UTF-8', 'Content-Length': Buffer.byteLength(text) })
    .end(text);
}

function summaryOf(answer: Answer): string {
  const isRead = answer.writtenRows === 0;
  return JSON.stringify({
    read_rows: String(answer.readRows),
    read_bytes: String(answer.readBytes),
    written_rows: String(answer.writtenRows),
    written_bytes: String(answer.writtenBytes),
    total_rows_to_read: '0',
    result_rows: String(isRead ? answer.readRows : answer.writtenRows),
    result_bytes: String(isRead ? answer.readBytes : answer.writtenBytes),
    elapsed_ns: String(answer.elapsedNs),
  });
}

function contentTypeOf(format: string | undefined): string {
  return CONTENT_TYPES.find(([pattern]) => pattern.test(format ?? ''))?.[1] ?? 'text/plain; charset=UTF-8';
}
