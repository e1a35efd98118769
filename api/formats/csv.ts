/**
 * Tables as CSV (RFC 4180), for calls whose `Accept` prefers `text/csv`. A text that a spreadsheet would take for a
 * formula gets an apostrophe before it, because names come from people.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { stringify } from 'csv-stringify/sync';
import { Type, type TSchema } from 'typebox';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { sendRefusal } from '../reply.ts';

const CSV = 'text/csv';
const JSON_TYPE = 'application/json';
/** The media types that ask for CSV: those with parameters that are true of the answer (RFC 7111). */
const CSV_TYPES = [CSV, `${CSV}; charset=utf-8`, `${CSV}; header=present`];

/** A table as a CSV file. What does not fit into rows is sent in headers. */
export type CsvTable = {
  name: string;
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
  headers?: Record<string, string>;
};

/** The answers of a route in both forms, for its schema. */
export function jsonOrCsv<T extends TSchema>(record: T) {
  return {
    description: 'The answer; as CSV where `Accept` prefers `text/csv`.',
    content: {
      [JSON_TYPE]: { schema: record },
      [CSV]: { schema: Type.String({ description: 'RFC 4180: a line of names, then the rows.' }) },
    },
  };
}

/** Whether `Accept` prefers CSV to JSON. Where it takes both, or neither, the answer is JSON. */
function wantsCsv(request: FastifyRequest): boolean {
  const preferred = request.accepts().type([JSON_TYPE, ...CSV_TYPES]);
  return typeof preferred === 'string' && preferred.startsWith(CSV);
}

/** Answers the refusal, or 200 with the record, or with its table where the caller prefers CSV. */
export function answerTable<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  { result, tableOf }: { result: T | Refusal; tableOf: (record: T) => CsvTable },
): FastifyReply {
  void reply.header('vary', 'accept');
  if (isRefusal(result)) return sendRefusal(reply, result);
  if (!wantsCsv(request)) return reply.code(200).send(result);
  const { name, columns, rows, headers = {} } = tableOf(result);
  void reply.headers({ ...headers, 'content-disposition': `attachment; filename="${name}.csv"` });
  return reply
    .code(200)
    .type(`${CSV}; charset=utf-8`)
    .send(
      stringify([[...columns], ...rows.map(row => [...row])], { escape_formulas: true, record_delimiter: 'windows' }),
    );
}
