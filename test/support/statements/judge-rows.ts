/** Whether the type of a row says what Postgres answers: the same columns, kinds and nulls. */
import ts from 'typescript';
import type { Postgres } from '#sql/postgres.ts';
import type { Statement } from './find-statements.ts';

/** What the library makes of a column, by the name of its type; arrays apart. */
const KINDS: Record<string, Kind> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  oid: 'number',
  float4: 'number',
  float8: 'number',
  date: 'Date',
  timestamp: 'Date',
  timestamptz: 'Date',
  bytea: 'Buffer',
  json: 'json',
  jsonb: 'json',
};
type Kind = 'boolean' | 'number' | 'string' | 'Date' | 'Buffer' | 'json' | 'array';

type Column = { name: string; kind: Kind; /** Of a table's column that takes null. */ isNullable: boolean };
/** The names of types, and which columns of tables take null; the catalog does not say that of views. */
export type Catalog = { types: ReadonlyMap<number, string>; nullable: ReadonlySet<string> };

export async function readCatalog(sql: Postgres): Promise<Catalog> {
  const types = await sql<{ oid: number; typname: string }[]>`select oid, typname from pg_type`;
  const columns = await sql<{ attrelid: number; attnum: number }[]>`
    select attrelid, attnum from pg_attribute join pg_class c on c.oid = attrelid
    where c.relkind = 'r' and not attnotnull and attnum > 0`;
  return {
    types: new Map(types.map(({ oid, typname }) => [oid, typname])),
    nullable: new Set(columns.map(({ attrelid, attnum }) => `${attrelid}.${attnum}`)),
  };
}

/** The columns that a statement answers; a statement that Postgres refuses throws its error. */
export async function columnsOf(sql: Postgres, catalog: Catalog, { text }: Statement): Promise<Column[]> {
  const { columns } = await sql.unsafe(text).describe();
  return (columns ?? []).map(({ name, type, table, number }) => {
    const typeName = catalog.types.get(type) ?? 'text';
    return {
      name,
      kind: typeName.startsWith('_') ? 'array' : (KINDS[typeName] ?? 'string'),
      isNullable: catalog.nullable.has(`${table}.${number}`),
    };
  });
}

export type RowFault = { column: string; fault: string };

/** What a row's type says that is not so. */
export function faultsOf({ row = [] }: Statement, columns: readonly Column[], checker: ts.TypeChecker): RowFault[] {
  const byName = new Map(columns.map(column => [column.name, column]));
  return row.flatMap(property => {
    const fault = faultOf(property, byName.get(property.name), checker);
    return fault === undefined ? [] : [{ column: property.name, fault }];
  });
}

function faultOf(property: ts.Symbol, column: Column | undefined, checker: ts.TypeChecker): string | undefined {
  if (!column) return property.flags & ts.SymbolFlags.Optional ? undefined : 'is not answered';
  const type = checker.getTypeOfSymbol(property);
  const bare = checker.getNonNullableType(type);
  if (column.kind !== 'json' && !allows(bare, column.kind, checker))
    return `is a ${column.kind}, not ${checker.typeToString(type)}`;
  const isUnchecked = (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;
  return column.isNullable && bare === type && !isUnchecked ? 'may be null' : undefined;
}

function allows(type: ts.Type, kind: Kind, checker: ts.TypeChecker): boolean {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return true;
  if (type.isUnion()) return type.types.some(one => allows(one, kind, checker));
  if (type.isIntersection() && !checker.isArrayLikeType(type))
    return type.types.some(one => allows(one, kind, checker));
  if (kind === 'boolean') return (type.flags & ts.TypeFlags.BooleanLike) !== 0;
  if (kind === 'number') return (type.flags & ts.TypeFlags.NumberLike) !== 0;
  if (kind === 'string') return (type.flags & ts.TypeFlags.StringLike) !== 0;
  if (kind === 'array') return checker.isArrayLikeType(type) || type.symbol?.name === 'Set';
  return type.symbol?.name === kind || (kind === 'Buffer' && type.symbol?.name === 'Uint8Array');
}
