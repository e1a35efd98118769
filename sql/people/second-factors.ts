/**
 * The second factor of a person in Postgres: begun with a secret, confirmed with a first code, required at each
 * sign-in, removed with a code. A code of the app is valid once; so is each of ten recovery codes, for a person who has
 * lost the device.
 */
import { hash, randomBytes } from 'node:crypto';
import type { Handle } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { secondFactorPurpose, type Sealer } from '#runtime/cryptography/sealed.ts';
import { inUnitOfWork, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { auditPerson } from './people.ts';
import { refuseEndedSession } from './sessions.ts';
import { refuseChanged, type SignInRow } from './sign-ins.ts';
import { base32, otpauthUrl, SECRET_BYTES, stepOfCode } from './totp.ts';

const RECOVERY_CODES = 10;
/** 80 bits, which nobody guesses; 16 characters, which people can copy from paper. */
const RECOVERY_BYTES = 10;

type RecoveryCodes = { recovery_codes: string[] };
type FactorRow = { secret_sealed: Buffer; created_at: Date; confirmed_at: Date | null; last_step: number };
type Codes = { sealer: Sealer; code: string };
export type SecondFactor = { since: Date; recovery_codes_left: number };

/** The factor required at sign-ins of the person. */
export async function readSecondFactor(sql: Queryable, person: Handle<'person'>): Promise<SecondFactor | undefined> {
  const [row] = await sql<SecondFactor[]>`
    select confirmed_at as since, (select count(*)::integer from recovery_codes r
      where r.person_handle = f.person_handle) as recovery_codes_left
    from second_factors f where person_handle = ${person} and confirmed_at is not null`;
  return row;
}

type Begun = { secret: string; url: string };
type OfSession = { person: Handle<'person'>; session: Handle<'session'> };
/** `known`: the sign-in with the verified password. */
type Beginning = { sealer: Sealer; session: Handle<'session'>; known: SignInRow };

/** Begins a factor and replaces an unconfirmed one. It is active once confirmed with a code. */
export async function beginSecondFactor(
  sql: Postgres,
  options: UnitOptions,
  { session, known, sealer }: Beginning,
): Promise<Begun | Refusal> {
  const { person, email } = known;
  return inUnitOfWork<Begun | Refusal>(sql, options, async unit => {
    const { tx, now: at } = unit;
    const refusal = (await refuseEndedSession(unit, { person, session })) ?? (await refuseChanged(unit, known));
    if (refusal) return refusal;
    const secret = randomBytes(SECRET_BYTES);
    const sealed = sealer.seal(secret.toString('base64'), secondFactorPurpose(person));
    const [row] = await tx`
      insert into second_factors (person_handle, secret_sealed, created_at) values (${person}, ${sealed}, ${at})
      on conflict (person_handle) do update set secret_sealed = excluded.secret_sealed, created_at = excluded.created_at
      where second_factors.confirmed_at is null returning 1`;
    if (!row) return refuse('state_conflict', 'You have a second factor. Remove it before you make another.');
    const text = base32(secret);
    return { secret: text, url: otpauthUrl(text, email) };
  });
}

/**
 * The first code proves that the app has the secret: from now on sign-ins need a code. Returns the recovery codes once.
 */
export async function confirmSecondFactor(
  sql: Postgres,
  options: UnitOptions,
  { person, session, ...codes }: Codes & OfSession,
): Promise<RecoveryCodes | Refusal> {
  return inUnitOfWork<RecoveryCodes | Refusal>(sql, options, async unit => {
    const ended = await refuseEndedSession(unit, { person, session });
    if (ended) return ended;
    const factor = await lockFactor(unit, person);
    if (!factor || factor.confirmed_at !== null)
      return refuse('state_conflict', 'Begin a second factor first: POST /v1/account/second-factor.');
    const step = stepOf(factor, codes, { person, now: unit.now });
    if (step === undefined) return refuseCode();
    await unit.tx`update second_factors set confirmed_at = ${unit.now}, last_step = ${step}
      where person_handle = ${person}`;
    const made = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(RECOVERY_BYTES)).toLowerCase());
    await unit.tx`insert into recovery_codes
        ${unit.tx(made.map(code => ({ person_handle: person, hash: hash('sha256', code, 'buffer') })))}`;
    await auditPerson(unit, { person, action: 'second_factor.created' });
    return { recovery_codes: made.map(spell) };
  });
}

/** Removes the factor. The caller has shown it, or a recovery code. */
export async function removeSecondFactor(
  sql: Postgres,
  options: UnitOptions,
  { person, session, ...codes }: Codes & OfSession,
): Promise<undefined | Refusal> {
  return inUnitOfWork<undefined | Refusal>(sql, options, async unit => {
    const ended = await refuseEndedSession(unit, { person, session });
    if (ended) return ended;
    const factor = await lockFactor(unit, person);
    if (!factor || factor.confirmed_at === null) return refuse('state_conflict', 'You have no second factor.');
    const spent = await spendCode(unit, factor, { person, ...codes });
    if (isRefusal(spent)) return spent;
    await deleteFactor(unit.tx, person);
    await auditPerson(unit, { person, action: 'second_factor.removed' });
    return undefined;
  });
}

/** Deletes the factor with its recovery codes. Returns whether there was one. */
export async function deleteFactor(tx: Transaction, person: Handle<'person'>): Promise<boolean> {
  const { count } = await tx`delete from second_factors where person_handle = ${person}`;
  return count > 0;
}

/** Whether a sign-in passes: the person has no factor, or has entered a valid code, which is used up. */
export async function passSecondFactor(
  unit: Unit,
  { person, code, sealer }: { person: Handle<'person'>; sealer: Sealer; code: string | undefined },
): Promise<undefined | Refusal> {
  const factor = await lockFactor(unit, person);
  if (!factor || factor.confirmed_at === null) return undefined;
  return code === undefined
    ? refuse('second_factor_required', 'Send the code that your app shows, or a recovery code.')
    : spendCode(unit, factor, { person, code, sealer });
}

async function lockFactor({ tx }: Unit, person: Handle<'person'>): Promise<FactorRow | undefined> {
  const [row] = await tx<FactorRow[]>`
    select secret_sealed, created_at, confirmed_at, last_step from second_factors where person_handle = ${person}
    for update`;
  return row;
}

async function spendCode(
  { tx, now }: Unit,
  factor: FactorRow,
  { person, ...codes }: Codes & { person: Handle<'person'> },
): Promise<undefined | Refusal> {
  const step = stepOf(factor, codes, { person, now });
  if (step !== undefined) {
    await tx`update second_factors set last_step = ${step} where person_handle = ${person}`;
    return undefined;
  }
  const recovery = codes.code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const [used] = await tx`
    delete from recovery_codes where person_handle = ${person}
      and hash = ${hash('sha256', recovery, 'buffer')} returning 1`;
  return used ? undefined : refuseCode();
}

/** The step of a code of the app that was not used yet. */
function stepOf(
  factor: FactorRow,
  { sealer, code }: Codes,
  { person, now }: { person: Handle<'person'>; now: Date },
): number | undefined {
  const secret = Buffer.from(sealer.open(factor.secret_sealed, secondFactorPurpose(person)), 'base64');
  const step = stepOfCode(secret, code.replaceAll(' ', ''), now.getTime());
  return step !== undefined && step > Number(factor.last_step) ? step : undefined;
}

function refuseCode(): Refusal {
  return refuse('wrong_code', 'This code is not right, or was used already. Each is good once.');
}

/** In groups of four, as people copy them. */
function spell(code: string): string {
  return (code.match(/.{4}/g) ?? []).join('-');
}
