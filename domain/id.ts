/**
 * Public ids. An entity has an integer handle; its id is a reversible encoding of it, so nothing is ever looked up to
 * translate one into the other. A Feistel network of four rounds over two 32-bit halves, keyed by kind, spreads the
 * handle over 64 bits: ids of neighbors share nothing visible and do not reveal how many there are. This hides counts
 * from a reader, it is not a secret: what an id may be used for is decided by workspace and permission.
 */
import { assert } from './assertion.ts';

const PREFIXES = {
  campaign: 'cmp',
  creative: 'cre',
  screen: 'scr',
  venue: 'ven',
  payout: 'pay',
  audit: 'aud',
  user: 'usr',
  workspace: 'ws',
  webhook: 'whk',
  asset: 'ast',
  key: 'key',
  event: 'evt',
  scan: 'scan',
  request: 'req',
  pairing: 'pair',
  top_up: 'top',
  invoice: 'inv',
  transfer: 'trf',
  playlist: 'pls',
  webhook_delivery: 'whd',
  audit_export: 'exp',
  finding: 'fnd',
  person: 'per',
  invitation: 'ivt',
  play: 'ply',
  transaction: 'txn',
  payment_case: 'pmc',
  session: 'ses',
  shared_report: 'shr',
} as const;

export type Kind = keyof typeof PREFIXES;
export const KINDS = Object.keys(PREFIXES) as readonly Kind[];

/** Records that have a handle and no public id. */
type UnnamedKind = 'sensor' | 'checkout' | 'earning' | 'payout_account' | 'taking';

/**
 * The integer that Postgres gave an entity, 1 .. 2^53 - 1, with its kind in the type. `Handle` alone is one of any
 * kind.
 */
export type Handle<K extends Kind | UnnamedKind = Kind | UnnamedKind> = number & { readonly __brand: K };

/**
 * The place of an entity in the dense tables of a process: a row of typed arrays, from 0. It means nothing outside the
 * process. A plain number is accepted, because typed arrays and loops give plain numbers, but no handle and no place of
 * another kind.
 */
export type Index<K extends Kind> = number & { readonly __brand?: `${K} index` };

/** The value 0 for "none" in a field: of every kind, and never a row's. */
export const NO_HANDLE = 0 as Handle<never>;

// Crockford's base32 in lower case: no i, l, o, u. 13 characters hold 65 bits, so the first one is below 16.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const SPELLING_LENGTH = 13;
const VALUES = new Int8Array(128).fill(-1);
for (let value = 0; value < ALPHABET.length; value += 1) VALUES[ALPHABET.charCodeAt(value)] = value;

const TWO_32 = 2 ** 32;
const ROUNDS = 4;

// Round keys from the kind's prefix (FNV-1a), so that they depend on nothing but the prefix and never change.
const ROUND_KEYS = Object.fromEntries(KINDS.map(kind => [kind, roundKeys(PREFIXES[kind])])) as Readonly<
  Record<string, readonly number[]>
> as Readonly<Record<Kind, readonly number[]>>;

function roundKeys(prefix: string): number[] {
  return Array.from({ length: ROUNDS }, (_, round) => {
    let hash = 0x811c9dc5;
    for (const character of `${prefix}:${round}`) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
    return hash >>> 0;
  });
}

// The finalizer of MurmurHash3: every input bit reaches every output bit.
function mix(half: number, key: number): number {
  let x = half ^ key;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Brands an integer that came from Postgres. @throws Bug outside 1 .. 2^53 - 1. */
export function handleOf<K extends Kind>(kind: K, value: number): Handle<K> {
  assert(Number.isSafeInteger(value) && value >= 1, `${kind} handle ${value} is not in 1 .. 2^53 - 1`);
  return value as Handle<K>;
}

/**
 * A handle as we stored it ourselves: in a key of Redis, as a member of a set, in a row of the column store. Not
 * checked.
 */
export function readHandle<K extends Kind>(_kind: K, stored: string | number): Handle<K> {
  return Number(stored) as Handle<K>;
}

/** `exampleId('campaign')` is `cmp_` and 13 characters. @throws Bug for a handle outside 1 .. 2^53 - 1. */
export function formatId<K extends Kind>(kind: K, handle: Handle<NoInfer<K>>): string {
  assert(Number.isSafeInteger(handle) && handle >= 1, `${kind} handle ${handle} is not in 1 .. 2^53 - 1`);
  let high = Math.floor(handle / TWO_32) >>> 0;
  let low = (handle % TWO_32) >>> 0;
  for (const key of ROUND_KEYS[kind]) {
    const next = (high ^ mix(low, key)) >>> 0;
    high = low;
    low = next;
  }
  let text = `${PREFIXES[kind]}_${ALPHABET[high >>> 28]}`;
  for (let shift = 23; shift >= 3; shift -= 5) text += ALPHABET[(high >>> shift) & 31];
  text += ALPHABET[((high & 7) << 2) | (low >>> 30)];
  for (let shift = 25; shift >= 0; shift -= 5) text += ALPHABET[(low >>> shift) & 31];
  return text;
}

/** An id for examples, and for sentences that say what an id of this kind looks like. */
export function exampleId(kind: Kind, number = 1): string {
  return formatId(kind, handleOf(kind, number));
}

/**
 * The handle of an id of this kind, or undefined for anything else: another kind, length, case or character.
 */
export function parseId<K extends Kind>(kind: K, text: string): Handle<K> | undefined {
  const prefix = PREFIXES[kind];
  const start = prefix.length + 1;
  if (text.length !== start + SPELLING_LENGTH || !text.startsWith(prefix) || text[prefix.length] !== '_')
    return undefined;
  const values = new Uint8Array(SPELLING_LENGTH);
  for (let index = 0; index < SPELLING_LENGTH; index += 1) {
    const value = VALUES[text.charCodeAt(start + index)] ?? -1;
    if (value < 0) return undefined;
    values[index] = value;
  }
  if (values[0]! > 15) return undefined;
  let high = values[0]!;
  for (let index = 1; index <= 5; index += 1) high = ((high << 5) | values[index]!) >>> 0;
  high = ((high << 3) | (values[6]! >>> 2)) >>> 0;
  let low = values[6]! & 3;
  for (let index = 7; index < SPELLING_LENGTH; index += 1) low = ((low << 5) | values[index]!) >>> 0;
  const keys = ROUND_KEYS[kind];
  for (let round = ROUNDS - 1; round >= 0; round -= 1) {
    const previous = (low ^ mix(high, keys[round]!)) >>> 0;
    low = high;
    high = previous;
  }
  const handle = high * TWO_32 + low;
  return Number.isSafeInteger(handle) && handle >= 1 ? (handle as Handle<K>) : undefined;
}
