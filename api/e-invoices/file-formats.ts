/** The files that a document can be read as: PDF, or XML of EN 16931. `Accept` or the parameter `format` names one. */
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { strict } from '../wire/shapes.ts';
import { FileAnswer } from '../wire/reply.ts';
import { writeCii } from './cii.ts';
import type { EDocument } from './e-document.ts';
import { writeUbl } from './ubl.ts';

const PDF = 'application/pdf';
const UBL = 'application/vnd.oasis.ubl+xml';
const XML = 'application/xml';
export const DOCUMENT_FILE_TYPES = [PDF, UBL, XML] as const;

const FORMATS = ['json', 'pdf', 'ubl', 'cii'] as const;
type Format = (typeof FORMATS)[number];
export type WantedFile = { format: Exclude<Format, 'json'>; type: string };

export const DocumentQuery = strict({
  format: Type.Optional(
    Type.Enum([...FORMATS], {
      description:
        'What to answer with, whatever `Accept` says. `ubl`: UBL 2.1; `cii`: Cross Industry Invoice D16B, both of EN 16931.',
    }),
  ),
});

const BY_FORMAT: Readonly<Record<Format, WantedFile | undefined>> = {
  json: undefined,
  pdf: { format: 'pdf', type: PDF },
  ubl: { format: 'ubl', type: XML },
  cii: { format: 'cii', type: XML },
};

/** The file that `format`, else `Accept` asks for; undefined for JSON, which is also the answer to other types. */
export function wantedFile(request: FastifyRequest, format: Format | undefined): WantedFile | undefined {
  if (format !== undefined) return BY_FORMAT[format];
  const type = request.accepts().type(['application/json', ...DOCUMENT_FILE_TYPES]);
  if (type === PDF) return BY_FORMAT.pdf;
  return type === UBL || type === XML ? { format: 'ubl', type } : undefined;
}

/** @param name of the file, without its ending */
export function xmlFile(document: EDocument, { format, type }: WantedFile, name: string): FileAnswer {
  const write = format === 'ubl' ? writeUbl : writeCii;
  return new FileAnswer(write(document), { type: `${type}; charset=utf-8`, name: `${name}-${format}.xml` });
}
