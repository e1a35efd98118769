/** Turns an error of a bucket, the network or the storage into a text for the owner of an export. */
import { Fault } from '#runtime/fault-error.ts';
import { codeOf, EgressRefusal } from '#runtime/egress/exchange.ts';
import { LogUnreadable } from './rows.ts';

/** Why an export failed, for its owner. `isFinal`: a retry cannot help. */
export type ExportFailure = { code: string; detail: string; isFinal: boolean };

const NAME = /^[A-Za-z][A-Za-z0-9]{0,63}$/;

/** The meaning of an error of a bucket, the network or the storage. */
export function failureOf(
  error: Error & { code?: string; $metadata?: { httpStatusCode?: number }; cause?: unknown },
): ExportFailure {
  const refusal = [error, error.cause].find(candidate => candidate instanceof EgressRefusal);
  if (refusal)
    return {
      code: refusal.code,
      detail: 'The endpoint is not a public address.',
      isFinal: refusal.code === 'address_forbidden',
    };
  if (error.code === 'url_forbidden')
    return { code: 'url_forbidden', detail: `The export was not sent: ${error.message}.`, isFinal: true };
  if (error instanceof LogUnreadable)
    return { code: 'log_unavailable', detail: 'The audit log could not be read.', isFinal: false };
  if (error instanceof Fault)
    return { code: error.code, detail: 'The file could not be written.', isFinal: !error.retryable };
  // The bucket's own code if it is a single word: an answer is a stranger's text.
  const name = NAME.test(error.name) ? error.name : 'Error';
  const status = error.$metadata?.httpStatusCode;
  if (name === 'NoSuchUpload')
    return {
      code: 'upload_lost',
      detail: 'The bucket has forgotten the parts; the export begins anew.',
      isFinal: false,
    };
  if (status !== undefined && status >= 300 && status < 500 && status !== 408 && status !== 429)
    return { code: 'destination_refused', detail: `The bucket answered ${status} ${name}.`, isFinal: true };
  if (status !== undefined && status >= 500)
    return { code: 'destination_failed', detail: `The bucket answered ${status} ${name}.`, isFinal: false };
  return {
    code: 'destination_unreachable',
    detail: `The bucket could not be reached: ${codeOf(error)}.`,
    isFinal: false,
  };
}
