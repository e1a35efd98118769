/**
 * Additions to the operations that send or take something other than JSON, which no route schema can express: files,
 * ranges, redirects, and answers without a body. They are found by operation id.
 */
import type { Operation, Response } from './document.ts';

const FILE_TYPES = ['video/mp4', 'video/webm', 'video/quicktime', 'image/jpeg', 'image/png', 'image/webp'];
const file = { type: 'string', contentMediaType: 'application/octet-stream', description: 'The bytes of the file.' };
const fileContent = Object.fromEntries(FILE_TYPES.map(type => [type, { schema: file }]));
const audioContent = Object.fromEntries(['audio/mpeg', 'audio/mp4', 'audio/wav'].map(type => [type, { schema: file }]));
const plain = (description: string): Response => ({ description });

const ADDITIONS: Readonly<Record<string, Partial<Pick<Operation, 'requestBody' | 'responses'>>>> = {
  uploadFile: {
    requestBody: {
      required: true,
      description: 'The file, under the content type that its name announced; at most 200 MiB.',
      content: fileContent,
    },
  },
  uploadAudio: {
    requestBody: {
      required: true,
      description: 'The sound, under the content type that its name announced; at most 200 MiB.',
      content: audioContent,
    },
  },
  downloadAsset: {
    responses: {
      200: { description: 'The file.', content: fileContent },
      206: { description: 'The range that was asked for.', content: fileContent },
      304: plain('The client has it: `If-None-Match` names it.'),
      416: plain('The range lies behind the end of the file.'),
    },
  },
  checkAsset: {
    responses: {
      200: plain('The file is there; its size is in `Content-Length`.'),
      304: plain('The client has it: `If-None-Match` names it.'),
    },
  },
  followScan: {
    responses: {
      302: plain('To the landing page of the campaign.'),
      default: {
        description: 'There is no such link.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  },
  downloadInvoice: {
    responses: {
      200: {
        description: 'The invoice.',
        content: { 'application/pdf': { schema: { ...file, contentMediaType: 'application/pdf' } } },
      },
    },
  },
  downloadStatement: {
    responses: {
      200: {
        description: 'The statement.',
        content: { 'application/pdf': { schema: { ...file, contentMediaType: 'application/pdf' } } },
      },
    },
  },
  receiveStripeEvent: {
    requestBody: {
      required: true,
      description: 'An event as Stripe sends it, with `Stripe-Signature`; at most 128 KiB.',
      content: {
        'application/json': {
          schema: { type: 'object', description: 'A Stripe event.' },
          example: { id: 'evt_1', type: 'checkout.session.completed', data: { object: {} } },
        },
      },
    },
  },
  readOpenapi: {
    responses: {
      200: {
        description: 'This document.',
        content: { 'application/json': { schema: { type: 'object', description: 'An OpenAPI 3.1 document.' } } },
      },
    },
  },
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'The answer.',
  201: 'Created.',
  202: 'Accepted; the work goes on.',
  204: 'Done. There is no body.',
};

/** Completes the successful answers of an operation. */
export function completeBodies(operation: Operation, { isDeletion }: { isDeletion: boolean }): void {
  const added = ADDITIONS[operation.operationId];
  if (added?.requestBody) operation.requestBody = added.requestBody;
  if (added?.responses) operation.responses = structuredClone(added.responses);
  const isUndeclared =
    operation.responses['200'] !== undefined &&
    !('content' in operation.responses['200']) &&
    added?.responses === undefined;
  if (isUndeclared && isDeletion) operation.responses = { 204: plain(DESCRIPTIONS['204']!) };
  for (const [status, response] of Object.entries(operation.responses) as [string, Response][]) {
    if (response.description === 'Default Response') response.description = DESCRIPTIONS[status] ?? 'The answer.';
  }
}
