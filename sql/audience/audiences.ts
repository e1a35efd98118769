/**
 * Audiences of screens. One comes into force at its time and holds until the next of the screen does. Whatever begins
 * writes a line of the change log for its screen, so delivery reads the screen again.
 */
import type { Unit } from '#books/unit-of-work.ts';
import type { ScreenAudience } from '#domain/audience/audience-file.ts';
import type { Handle } from '#domain/id.ts';
import { jsonb, type Queryable } from '#sql/postgres.ts';

/** Plays have five bits for it; 0 stands for the venue's own figures. */
const NUMBERS = 31;

/** Screens of a file whose audience cannot be stored, with reasons. */
export type Unfit = { line: number; reason: 'unknown' | 'begun' };

/** Stores audiences; future ones are replaced. @returns the screens that failed; then the caller rolls back */
export async function putAudiences(unit: Unit, audiences: readonly ScreenAudience[]): Promise<Unfit[]> {
  const { tx, now } = unit;
  const rows = audiences.map(({ validFromMs, ...rest }) => ({ ...rest, valid_from: new Date(validFromMs) }));
  const asked = tx`jsonb_to_recordset(${jsonb(tx, rows)}) as a(line integer, handle bigint, vendor text, method text,
    version text, valid_from timestamptz, thousandths integer[])`;
  // Locked, so that none of them begins meanwhile.
  await tx`
    select from screen_audiences where begun_at is null and screen_handle in (select handle from ${asked})
    order by valid_from, handle for update`;
  const unfit = await tx<Unfit[]>`
    select a.line, case when s.handle is null then 'unknown' else 'begun' end as reason
    from ${asked} left join screens s on s.handle = a.handle and s.unpaired_at is null
      left join screen_audiences b on b.screen_handle = a.handle and b.valid_from = a.valid_from
    where s.handle is null or (b.begun_at is not null
      and (b.vendor, b.method, b.version, b.thousandths) <> (a.vendor, a.method, a.version, a.thousandths))
    order by a.line`;
  if (unfit.length > 0) return unfit;
  await tx`
    insert into screen_audiences (screen_handle, number, vendor, method, version, valid_from, thousandths, imported_at)
    select a.handle, coalesce((select o.number from screen_audiences o where o.screen_handle = a.handle
        order by o.handle desc limit 1), 0) % ${NUMBERS} + 1, a.vendor, a.method, a.version, a.valid_from,
      a.thousandths, ${now}
    from ${asked}
    on conflict (screen_handle, valid_from) do update set vendor = excluded.vendor, method = excluded.method,
      version = excluded.version, thousandths = excluded.thousandths, imported_at = excluded.imported_at
      where screen_audiences.begun_at is null`;
  return [];
}

/** Activates up to `count` due audiences. @returns how many */
export async function beginAudiences(unit: Unit, count: number): Promise<number> {
  const { tx, now } = unit;
  const begun = await tx<{ screen: Handle<'screen'> }[]>`
    update screen_audiences set begun_at = ${now} where handle in (select handle from screen_audiences
      where begun_at is null and valid_from <= ${now} order by valid_from, handle limit ${count} for update)
    returning screen_handle as screen`;
  for (const { screen } of begun) unit.changed('screen', screen);
  return begun.length;
}

/** Whether an audience is due. */
export async function isAudienceDue(sql: Queryable, now: Date): Promise<boolean> {
  const [row] = await sql`select from screen_audiences where begun_at is null and valid_from <= ${now} limit 1`;
  return row !== undefined;
}

export type AudienceSummary = {
  vendor: string;
  method: string;
  version: string;
  valid_from: Date;
  screens: number;
  begun: number;
};

/** The newest sources, with the number of their screens. */
export async function listAudiences(sql: Queryable, count: number): Promise<AudienceSummary[]> {
  return sql<AudienceSummary[]>`
    select vendor, method, version, valid_from, count(*)::integer as screens, count(begun_at)::integer as begun
    from screen_audiences group by vendor, method, version, valid_from
    order by valid_from desc, vendor, method, version limit ${count}`;
}

export type Source = { vendor: string; method: string; version: string };
export type KnownAudience = { screen: Handle<'screen'>; timezone: string; thousandths: readonly number[] };

/** The newest audience of each screen from a source, whether or not it is in force. */
export async function audiencesOf(sql: Queryable, { vendor, method, version }: Source): Promise<KnownAudience[]> {
  return sql<KnownAudience[]>`
    select distinct on (a.screen_handle) a.screen_handle as screen, v.timezone, a.thousandths
    from screen_audiences a join screens s on s.handle = a.screen_handle join venues v on v.handle = s.venue_handle
    where a.vendor = ${vendor} and a.method = ${method} and a.version = ${version}
    order by a.screen_handle, a.valid_from desc`;
}
