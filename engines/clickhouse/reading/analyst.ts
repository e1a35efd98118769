/**
 * The allowed statements of the read-only user. `readonly = 1` and grants of the analysts' engine refuse writes,
 * settings and most table functions, but measured on 26.7 they let through `SELECT file('/etc/passwd')` (also as
 * `arrayMap(file, ...)` and `APPLY(file)`), `KILL QUERY` and `INTO OUTFILE`, and the s3 family calls out before it is
 * refused. So names are checked here, before the engine sees the statement.
 */
import type { Setting } from '../connection.ts';
import { QueryFault } from '../statements/query-fault.ts';
import type { Token } from '../statements/lexer.ts';
import type { Statement } from '../statements/statement.ts';

const VERBS = new Set(['SELECT', 'WITH', 'FROM', '(', 'SHOW', 'DESCRIBE', 'DESC', 'EXPLAIN', 'EXISTS', 'USE', 'SET']);
// Every other table function of this build is refused, and one of a later build until it is listed here.
const TABLE_FUNCTIONS = new Set([
  'numbers',
  'numbers_mt',
  'zeros',
  'zeros_mt',
  'values',
  'view',
  'null',
  'generateseries',
  'generate_series',
  'generaterandom',
  'primes',
  'format',
]);
// Functions that read files, open connections or reveal something of the machine. Refused wherever the name stands: a
// function may be passed by its bare name.
const FUNCTIONS = new Set([
  'file',
  'catboostevaluate',
  'hascolumnintable',
  'joinget',
  'joingetornull',
  'getserversetting',
  'getmacro',
  'getserverport',
  'showcertificate',
  'getclienthttpheader',
  'filesystemavailable',
  'filesystemcapacity',
  'filesystemunreserved',
  'getoskernelversion',
  'addresstoline',
  'addresstolinewithinlines',
  'addresstosymbol',
  'tid',
  'logtrace',
  'structuretocapnprotoschema',
  'structuretoprotobufschema',
]);
const FUNCTION_FAMILIES =
  /^(?:ai[a-z]*(?:generate|classify|extract|translate|embed)|naivebayes|regionto|dictget|dicthas|dictisin)/i;
const SYSTEM_TABLES = new Set([
  'one',
  'numbers',
  'numbers_mt',
  'zeros',
  'zeros_mt',
  'tables',
  'columns',
  'databases',
  'parts',
  'parts_columns',
  'functions',
  'table_functions',
  'aggregate_function_combinators',
  'data_type_families',
  'formats',
  'settings',
  'time_zones',
  'collations',
  'keywords',
  'build_options',
  'completions',
  'data_skipping_indices',
  'projections',
]);
/** A database of the embedded engine in which each file of the machine is a table: it would show which files exist. */
const FILES_DATABASE = 'default';
// Tables with people's addresses in them say so in their names; a server's configuration grants by the same prefix.
const PRIVATE_PREFIX = 'private_';
/** `as-analyst.ts` answers these alone; with more words they ask about others. */
const SHOWN_ALONE = new Set(['PROCESSLIST', 'GRANTS']);
const SHOW_REFUSED = new Set(['ACCESS', 'USERS', 'ROLES', 'PROFILES', 'QUOTAS', 'POLICIES', 'CLUSTERS', 'CLUSTER']);

/** Throws a fault of code 164 or 497 when the analyst may not run this statement. */
export function checkAnalyst(statement: Statement, tableFunctions: ReadonlySet<string>): void {
  if (!VERBS.has(statement.verb)) throw readonlyFault(`${statement.verb} is not a reading statement`);
  const { tokens } = statement;
  if (statement.verb === 'SHOW' && isRefusedShow(tokens)) throw deniedFault('this SHOW');
  if (statement.verb === 'USE') checkAnalystDatabase(tokens.at(-1)!.text);
  if (statement.verb === 'SET') checkSettings(statement);
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'unsure')
      throw deniedFault(`the character ${JSON.stringify(token.text.slice(0, 20))} outside a string`);
    if (token.kind !== 'word' && token.kind !== 'quoted') continue;
    const name = token.text.toLowerCase();
    const next = tokens[index + 1]?.text;
    if (name.startsWith(PRIVATE_PREFIX)) throw deniedFault(`the name ${token.text}`);
    if (FUNCTIONS.has(name) || FUNCTION_FAMILIES.test(name)) throw deniedFault(`the name ${token.text}`);
    if (next === '(' && tableFunctions.has(name) && !TABLE_FUNCTIONS.has(name))
      throw deniedFault(`the table function ${token.text}`);
    if (name === FILES_DATABASE && next === '.') throw deniedFault(`the database ${token.text}`);
    if (name === 'system' && next === '.' && !SYSTEM_TABLES.has(tokens[index + 2]?.text.toLowerCase() ?? ''))
      throw deniedFault(`system.${tokens[index + 2]?.text}`);
  }
}

function isRefusedShow(tokens: readonly Token[]): boolean {
  const words = tokens.map(({ text }) => text.toUpperCase());
  const isAlone = words.length === 2 || (words.length === 4 && words[2] === 'FORMAT');
  return words.some(word => SHOW_REFUSED.has(word) || (SHOWN_ALONE.has(word) && !(isAlone && word === words[1])));
}

/** Throws for a SET of anything but plain values of settings that an analyst may change. */
function checkSettings({ sql, tokens }: Statement): void {
  for (let at = 1; at < tokens.length; at += 4) {
    const [name, sign, value, comma] = tokens.slice(at, at + 4);
    const isPlain = name?.kind === 'word' && sign?.text === '=' && value !== undefined && value.kind !== 'mark';
    if (!isPlain || (comma !== undefined && comma.text !== ',')) throw readonlyFault('SET takes plain values alone');
    const text = sql.slice(value.start, value.end);
    checkAnalystSetting({ name: name.text, value: value.kind === 'string' ? text.slice(1, -1) : text });
  }
}

/** Throws when the analyst may not make `database` the default one of a request. */
export function checkAnalystDatabase(database: string): void {
  if (['system', FILES_DATABASE].includes(database.toLowerCase()))
    throw deniedFault(`the database ${database} as default`);
}

// Harmless settings that analysts' tools send on their own: the format of an answer, and tighter limits than ours.
const SETTINGS =
  /^(?:output_format_|format_|date_time_output_format$|join_use_nulls$|log_comment$|max_block_size$|max_result_rows$|result_overflow_mode$|max_rows_to_read$|max_bytes_to_read$|read_overflow_mode$|session_timezone$|extremes$|optimize_|final$)/;
const FORMAT_FILES = /schema|avro|protobuf|capn|template|custom_result_template/;

/** The limits of a query. Many clients send some with each: no more than it has without. */
export const LIMIT_BOUNDS = { max_execution_time: 60, max_memory_usage: 2 * 2 ** 30, max_threads: 1 } as const;
/** Further allowed requests, because every query has them. */
const BOUNDS: Readonly<Record<string, number>> = { ...LIMIT_BOUNDS, readonly: 1 };
const WHOLE_NUMBER = /^[1-9]\d{0,14}$/;

/** Throws a fault of code 164 when the analyst may not change this setting, or not to this value. */
export function checkAnalystSetting({ name, value }: Setting): void {
  const bound = BOUNDS[name];
  const isAllowed =
    bound === undefined
      ? SETTINGS.test(name) && !FORMAT_FILES.test(name)
      : WHOLE_NUMBER.test(value) && Number(value) <= bound;
  if (!isAllowed) throw readonlyFault(`Cannot modify '${name}' setting in readonly mode`);
}

function readonlyFault(detail: string): QueryFault {
  return new QueryFault(164, 'READONLY', `analyst: Cannot execute query in readonly mode: ${detail}.`);
}

function deniedFault(what: string): QueryFault {
  return new QueryFault(497, 'ACCESS_DENIED', `analyst: Not enough privileges: ${what} is not allowed.`);
}
