/**
 * `admin place` and `admin rule`: sensitive places such as schools, and what must not play near them or in some hours.
 * Files are imported whole or not at all.
 */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import { type FileFault, isFaults, sentencesOf } from '#domain/law/file-fault.ts';
import { parsePlaceFile } from '#domain/law/place-file.ts';
import { parseRuleFile, type PlaceRule } from '#domain/law/rule-file.ts';
import { formatTimeOfDay, WEEKDAYS } from '#domain/time/calendar.ts';
import { countPlaces, listRules, putPlaces, putRules, removePlaces, removeRule } from '#sql/law/place-rules.ts';
import type { RuleRow } from '#sql/law/place-rules.ts';
import type { Postgres } from '#sql/postgres.ts';
import { OPERATOR } from '../../operator.ts';
import { UsageError } from '../../arguments.ts';
import { text } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';
import { readImport } from './import-file.ts';

/** As many as a person mends at a time. */
const FAULTS_SHOWN_MAX = 20;

export function declarePlaceRuleCommands(program: CommandUnknownOpts, run: Runner): void {
  const place = program.command('place').description('sensitive places, such as schools');
  place
    .command('import')
    .description('import places from a CSV or GeoJSON file, replacing those of the same id')
    .argument('<file>', 'CSV or GeoJSON file: id, kind, latitude, longitude, name')
    .action(run(async ({ sql }, file) => importPlaces(sql, new Date(), await readImport(file))));
  place
    .command('list')
    .description('count the places of each kind')
    .action(run(async ({ sql }) => ({ places: await countPlaces(sql) })));
  place
    .command('remove')
    .description('remove the places of a kind')
    .requiredOption('--kind <kind>', 'kind of place, or all', text)
    .action(run(({ sql }, { kind }) => removeKind(sql, new Date(), kind)));
  const rule = program.command('rule').description('category rules by place and time');
  rule
    .command('import')
    .description('import rules from a CSV file, replacing those of the same name')
    .argument('<file>', 'CSV file: name, category, kind, distance_m, jurisdiction, from, to, days, source')
    .action(run(async ({ sql }, file) => importRules(sql, new Date(), await readImport(file))));
  rule
    .command('list')
    .description('list the rules and their venues')
    .action(run(async ({ sql }) => ({ rules: (await listRules(sql)).map(recordOf) })));
  rule
    .command('remove')
    .description('remove a rule')
    .argument('<name>', 'name of the rule', text)
    .action(run(({ sql }, name) => removeOne(sql, new Date(), name)));
}

/** @throws UsageError which names the lines and fields that are wrong; nothing was imported then */
export async function importPlaces(sql: Postgres, now: Date, file: string): Promise<Result> {
  const places = known(parsePlaceFile(file));
  return { places: places.length, venues_changed: await change(sql, now, unit => putPlaces(unit, places)) };
}

/** @throws UsageError which names the lines and fields that are wrong; nothing was imported then */
export async function importRules(sql: Postgres, now: Date, file: string): Promise<Result> {
  const rules = known(parseRuleFile(file)).map(rowOf);
  return { rules: rules.length, venues_changed: await change(sql, now, unit => putRules(unit, rules)) };
}

/** Removes the places of a kind; `all` removes all. */
async function removeKind(sql: Postgres, now: Date, kind: string): Promise<Result> {
  const { removed, venues } = await change(sql, now, unit => removePlaces(unit, kind === 'all' ? undefined : kind));
  if (removed === 0) throw new UsageError(`There is no place of the kind ${kind}`);
  return { removed, venues_changed: venues };
}

/** @throws UsageError if there is no such rule */
export async function removeOne(sql: Postgres, now: Date, name: string): Promise<Result> {
  const venues = await change(sql, now, unit => removeRule(unit, name));
  if (venues === undefined) throw new UsageError(`There is no rule '${name}'`);
  return { removed: name, venues_changed: venues };
}

function change<Result>(sql: Postgres, now: Date, work: (unit: Unit) => Promise<Result>): Promise<Result> {
  return inUnitOfWork(sql, { actor: OPERATOR, now }, work);
}

function known<Row extends object>(read: Row[] | FileFault[]): Row[] {
  if (!isFaults(read)) return read;
  throw new UsageError(`Nothing was imported.\n${sentencesOf(read, FAULTS_SHOWN_MAX)}`);
}

function rowOf({ name, category, near, jurisdiction, zones, hours, source }: PlaceRule): RuleRow {
  return {
    name,
    category,
    place_kind: near?.kind ?? null,
    distance_m: near?.distanceM ?? null,
    jurisdiction: jurisdiction ?? null,
    zones: zones ?? null,
    from_minute: hours?.daypart.startMinute ?? null,
    to_minute: hours?.daypart.endMinute ?? null,
    days: hours?.days ?? null,
    source,
  };
}

function recordOf(row: RuleRow & { venues: number }): Record<string, unknown> {
  const { name, category, place_kind, distance_m, jurisdiction, from_minute: from, to_minute: to, days } = row;
  return {
    name,
    category,
    kind: place_kind,
    distance_m,
    jurisdiction,
    from: from === null ? null : formatTimeOfDay(from),
    to: to === null ? null : formatTimeOfDay(to),
    days: days === null ? null : WEEKDAYS.filter((_, weekday) => (days & (1 << weekday)) !== 0),
    source: row.source,
    venues: row.venues,
  };
}
