/** Tables as CSV for calls whose `Accept` prefers `text/csv`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type, type TSchema } from 'typebox';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { writeCsv, type CsvRows } from '#runtime/csv.ts';
import { sendRefusal } from '../wire/reply.ts';

const CSV = 'text/csv';
const JSON_TYPE = 'application/json';
/** The media types that request CSV, with parameters that match the answer (RFC 7111). */
const PLAIN_TYPES = [CSV, `${CSV}; charset=utf-8`, `${CSV}; header=present`];
/** Those that request a byte order mark, without which Excel reads UTF-8 as the code page of the machine. */
const MARKED_TYPES = [`${CSV}; bom=1`, `${CSV}; charset=utf-8; bom=1`, `${CSV}; header=present; bom=1`];
export const BYTE_ORDER_MARK = '\ufeff';

/** A table as a CSV file. What does not fit into rows is sent in headers. */
export type CsvTable = CsvRows & { name: string; headers?: Record<string, string> };

/** The answers of a route in both forms, for its schema. */
export function jsonOrCsv<T extends TSchema>(record: T) {
  return {
    description:
      'The answer; as CSV where `Accept` prefers `text/csv`, with a byte order mark (for Excel) where it says `text/csv; bom=1`.',
    content: {
      [JSON_TYPE]: { schema: record },
      [CSV]: { schema: Type.String({ description: 'RFC 4180: a line of names, then the rows.' }) },
    },
  };
}

/** The media type of CSV that `Accept` prefers to JSON. If it takes both, or neither, the answer is JSON. */
function wantedCsv(request: FastifyRequest): string | undefined {
  const preferred = request.accepts().type([JSON_TYPE, ...PLAIN_TYPES, ...MARKED_TYPES]);
  return typeof preferred === 'string' && preferred.startsWith(CSV) ? preferred : undefined;
}

/** Sends the refusal, or 200 with the record, or with its table if the caller prefers CSV. */
export function answerTable<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  { result, tableOf }: { result: T | Refusal; tableOf: (record: T) => CsvTable },
): FastifyReply {
  void reply.header('vary', 'accept');
  if (isRefusal(result)) return sendRefusal(reply, result);
  const wanted = wantedCsv(request);
  if (wanted === undefined) return reply.code(200).send(result);
  const { name, columns, rows, headers = {} } = tableOf(result);
  void reply.headers({ ...headers, 'content-disposition': `attachment; filename="${name}.csv"` });
  return reply
    .code(200)
    .type(`${CSV}; charset=utf-8`)
    .send(writeCsv({ columns, rows }, { isMarked: MARKED_TYPES.includes(wanted) }));
}
