/**
 * What the options and arguments of the operator's tool take. Each parser throws with a sentence that says what is
 * right.
 */
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { exampleId, formatId, parseId, type Handle, type Kind } from '#domain/id.ts';
import { currencyDecimals } from '#domain/money/money.ts';
import { holdsControls } from '#domain/text.ts';
import type { Postgres } from '#sql/postgres.ts';
import { currencyOf } from '#sql/workspaces/workspaces.ts';
import { REFERENCE_LENGTH_MAX } from '../../api/wire/shapes.ts';
import { UsageError } from '../arguments.ts';

/** The handle of an entity, by its public id. */
export function idOf<K extends Kind>(kind: K): (text: string) => Handle<K> {
  return text => {
    const handle = parseId(kind, text);
    if (handle === undefined) throw new InvalidArgumentError(`Name the ${kind} by an id such as ${exampleId(kind)}.`);
    return handle;
  };
}

/** A text that is not empty. */
export function text(given: string): string {
  if (given.trim() === '') throw new InvalidArgumentError('It is missing.');
  if (holdsControls(given)) throw new InvalidArgumentError('It holds control characters.');
  return given;
}

export function emailAddress(given: string): string {
  if (!/^[^@\s]+@[^@\s]+$/.test(given)) throw new InvalidArgumentError('It takes an address.');
  return text(given);
}

export function currencyCode(given: string): string {
  if (currencyDecimals(given) === undefined) throw new InvalidArgumentError('It takes an ISO 4217 code such as EUR.');
  return given;
}

/** An amount in units of a currency. `Number` alone takes an empty text for 0. */
export function amountOfUnits(given: string): number {
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(given)) throw new InvalidArgumentError('It takes an amount such as 1.50.');
  return Number(given);
}

/** A part of a whole. */
export function share(given: string): number {
  const number = Number(given);
  if (!/^\d(\.\d{1,3})?$/.test(given) || number > 1) throw new InvalidArgumentError('It takes a number from 0 to 1.');
  return number;
}

export function positive(given: string): number {
  const number = Number(given);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('It takes a whole number above 0.');
  return number;
}

/** A month as a number: 202611. */
export function month(given: string): number {
  if (!/^\d{4}(0[1-9]|1[0-2])$/.test(given))
    throw new InvalidArgumentError('It takes a year and a month such as 202611.');
  return Number(given);
}

/** @throws UsageError if there is no such workspace */
export async function assertWorkspace(sql: Postgres, workspace: Handle<'workspace'>): Promise<void> {
  if ((await currencyOf(sql, workspace)) === undefined)
    throw new UsageError(`There is no workspace ${formatId('workspace', workspace)}`);
}

/** A bank's reference of a payment. */
export function paymentReference(given: string): string {
  const reference = text(given).trim();
  if (reference.length > REFERENCE_LENGTH_MAX)
    throw new InvalidArgumentError(`It has up to ${REFERENCE_LENGTH_MAX} characters.`);
  return reference;
}
