/**
 * Sensitive places and the operator's rules. Each change writes a line of the change log for each venue with changed
 * restrictions, so delivery and forecasts read those venues again.
 */
import type { Unit } from '#books/unit-of-work.ts';
import type { Handle } from '#domain/id.ts';
import { jsonb, type Queryable } from '#sql/postgres.ts';

export type PlaceRow = { id: string; kind: string; name: string; lat: number; lng: number };
/** `days` is a mask of weekdays; `zones` are those of `jurisdiction`. */
export type RuleRow = {
  name: string;
  category: string;
  place_kind: string | null;
  distance_m: number | null;
  jurisdiction: string | null;
  zones: readonly string[] | null;
  from_minute: number | null;
  to_minute: number | null;
  days: number | null;
  source: string;
};

/** Adds places; one with a known id is replaced. @returns the venues whose restrictions changed */
export async function putPlaces(unit: Unit, places: readonly PlaceRow[]): Promise<number> {
  const { tx } = unit;
  const before = await lockRestrictions(unit);
  await tx`
    insert into sensitive_places (id, kind, name, lat, lng)
    select id, kind, name, lat, lng from jsonb_to_recordset(${jsonb(tx, places)})
      as place(id text, kind text, name text, lat double precision, lng double precision)
    on conflict (id) do update
      set kind = excluded.kind, name = excluded.name, lat = excluded.lat, lng = excluded.lng`;
  return noteChanged(unit, before);
}

/** Removes the places of a kind, or all. */
export async function removePlaces(unit: Unit, kind: string | undefined): Promise<{ removed: number; venues: number }> {
  const { tx } = unit;
  const before = await lockRestrictions(unit);
  const gone = await tx`delete from sensitive_places where ${kind === undefined ? tx`true` : tx`kind = ${kind}`}`;
  return { removed: gone.count, venues: await noteChanged(unit, before) };
}

/** Adds rules; one with a known name is replaced. @returns the venues whose restrictions changed */
export async function putRules(unit: Unit, rules: readonly RuleRow[]): Promise<number> {
  const { tx } = unit;
  const before = await lockRestrictions(unit);
  await tx`delete from place_rules where name = any(${rules.map(({ name }) => name)})`;
  await tx`
    insert into place_rules (name, category, place_kind, distance_m, jurisdiction, zones, from_minute, to_minute, days,
      source)
    select name, category, place_kind, distance_m, jurisdiction, zones, from_minute, to_minute, days, source
    from jsonb_to_recordset(${jsonb(tx, rules)}) as rule(name text, category text, place_kind text,
      distance_m integer, jurisdiction text, zones text[], from_minute integer, to_minute integer, days integer,
      source text)`;
  return noteChanged(unit, before);
}

/** Removes a rule; undefined: unknown name. */
export async function removeRule(unit: Unit, name: string): Promise<number | undefined> {
  const { tx } = unit;
  const before = await lockRestrictions(unit);
  const gone = await tx`delete from place_rules where name = ${name}`;
  return gone.count === 0 ? undefined : noteChanged(unit, before);
}

/** The rules with the number of venues at which each is in force. */
export function listRules(sql: Queryable): Promise<(RuleRow & { venues: number })[]> {
  return sql<(RuleRow & { venues: number })[]>`
    select r.name, r.category, r.place_kind, r.distance_m, r.jurisdiction, r.zones, r.from_minute, r.to_minute, r.days,
      r.source, count(v.rule)::int as venues
    from place_rules r left join (select one ->> 'rule' as rule
      from venue_restrictions(), jsonb_array_elements(restrictions) one) v on v.rule = r.name
    group by r.name order by r.name`;
}

/** How many places there are of each kind. */
export function countPlaces(sql: Queryable): Promise<{ kind: string; places: number }[]> {
  return sql<{ kind: string; places: number }[]>`
    select kind, count(*)::int as places from sensitive_places group by kind order by kind`;
}

type Restrictions = ReadonlyMap<Handle<'venue'>, string>;

/**
 * The restrictions before a change. Until the end of the unit venues are neither moved nor added, and no other import
 * runs: a venue that this unit does not see would keep the restrictions of before.
 */
async function lockRestrictions({ tx }: Unit): Promise<Restrictions> {
  await tx`lock table venues in share row exclusive mode`;
  return readRestrictions(tx);
}

/** Writes a line of the change log for each venue with other restrictions than before. @returns how many there are */
async function noteChanged(unit: Unit, before: Restrictions): Promise<number> {
  const after = await readRestrictions(unit.tx);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    venue => before.get(venue) !== after.get(venue),
  );
  for (const venue of changed) unit.changed('venue', venue);
  return changed.length;
}

async function readRestrictions(sql: Queryable): Promise<Restrictions> {
  const rows = await sql<{ venue: Handle<'venue'>; restrictions: string }[]>`
    select venue_handle as venue, restrictions::text as restrictions from venue_restrictions()`;
  return new Map(rows.map(({ venue, restrictions }) => [venue, restrictions]));
}
