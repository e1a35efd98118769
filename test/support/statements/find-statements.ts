/**
 * The statements that the sources send to Postgres, put together without running them: each tagged template, with the
 * fragments that it holds written out, and the type of the rows that it says it answers.
 */
import { join, relative } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../architecture/source-files.ts';

export type Statement = {
  /** `sql/keys/units.ts:41`. */
  place: string;
  text: string;
  /** The properties of a row's type; undefined if the statement is sent without one. */
  row: readonly ts.Symbol[] | undefined;
  /** What could not be written out; undefined: all of it was. */
  unknown: string | undefined;
};
export type Sources = { statements: Statement[]; checker: ts.TypeChecker };

/** How a statement begins; other templates are parts of one. */
const BEGIN = /^[\s(]*(?:select|insert|update|delete|with|lock|merge|truncate)\b/i;
const CASTS: Record<string, string> = { Date: '::timestamptz', Buffer: '::bytea', Uint8Array: '::bytea' };
/** A fragment that holds a fragment, and so on: deeper is a mistake of this file. */
const DEPTH_MAX = 8;

/** Every statement in the sources below these folders. */
export function findStatements(folders: readonly string[]): Sources {
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
  const isOurs = (name: string) => folders.some(folder => relative(ROOT, name).startsWith(`${folder}/`));
  const program = ts.createProgram(fileNames.filter(isOurs), { ...options, incremental: false });
  const checker = program.getTypeChecker();
  const statements: Statement[] = [];
  for (const source of program.getSourceFiles()) {
    if (!isOurs(source.fileName)) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isTaggedTemplateExpression(node) && !isPart(node) && isQuery(checker.getTypeAtLocation(node))) {
        const statement = statementOf(node, checker);
        if (BEGIN.test(statement.text)) statements.push(statement);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { statements, checker };
}

function statementOf(node: ts.TaggedTemplateExpression, checker: ts.TypeChecker): Statement {
  const source = node.getSourceFile();
  const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  const writer = new Writer(checker);
  const text = writer.write(node);
  const [rows] = node.typeArguments ?? [];
  const row = rows && elementOf(checker.getTypeFromTypeNode(rows), checker);
  return {
    place: `${relative(ROOT, source.fileName)}:${line}`,
    text,
    row: row && checker.getPropertiesOfType(row),
    unknown: writer.unknown,
  };
}

/** The type of one row of `Row[]` or `[Row]`. */
function elementOf(rows: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  return checker.getIndexTypeOfType(rows, ts.IndexKind.Number);
}

/** Whether a template is a part of another one. */
function isPart({ parent }: ts.Node): boolean {
  for (let node = parent; !ts.isStatement(node) && !ts.isFunctionLike(node); node = node.parent)
    if (ts.isTemplateSpan(node)) return true;
  return false;
}

function isQuery(type: ts.Type): boolean {
  return type.symbol?.name === 'PendingQuery';
}

/** Writes one statement. Parameters are `$1` and so on, with the type that the library sends for the value. */
class Writer {
  unknown: string | undefined;
  readonly #checker: ts.TypeChecker;
  /** What stands for a parameter of a function whose fragment is written out. */
  readonly #given = new Map<ts.Node, ts.Expression>();
  #parameters = 0;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  write({ template }: ts.TaggedTemplateExpression, depth = 0): string {
    if (depth > DEPTH_MAX) throw new Error(`fragments deeper than ${DEPTH_MAX}: ${template.getText()}`);
    if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
    let text = template.head.text;
    for (const { expression, literal } of template.templateSpans)
      text += this.#part(expression, { before: text, depth }) + literal.text;
    return text;
  }

  #part(node: ts.Expression, at: { before: string; depth: number }): string {
    const type = this.#checker.getTypeAtLocation(node);
    const kinds = new Set((type.isUnion() ? type.types : [type]).map(one => one.symbol?.name));
    if (kinds.has('PendingQuery')) return this.#fragment(node, at);
    if (kinds.has('Helper') || kinds.has('Identifier')) return this.#helped(node, at.before);
    return this.#parameter(type);
  }

  /** A part of a statement, written where it is made: in a template, a constant, or what a function returns. */
  #fragment(node: ts.Expression, { before, depth }: { before: string; depth: number }): string {
    const template = this.#templateOf(node, 0);
    if (template) return this.write(template, depth + 1);
    const text = this.#textOfUnsafe(node) ?? this.#skip(node);
    return text === '' && /\b(?:where|and|or)\s*$/i.test(before) ? 'true' : text;
  }

  /** The text of `sql.unsafe(text)`, where the compiler knows it. */
  #textOfUnsafe(node: ts.Expression): string | undefined {
    const [text] = ts.isCallExpression(node) ? node.arguments : [];
    const type = text && this.#checker.getTypeAtLocation(text);
    return type?.isStringLiteral() ? type.value : undefined;
  }

  #templateOf(node: ts.Node | undefined, depth: number): ts.TaggedTemplateExpression | undefined {
    if (!node || depth > DEPTH_MAX) return undefined;
    const inner = (next: ts.Node | undefined) => this.#templateOf(next, depth + 1);
    if (ts.isTaggedTemplateExpression(node)) return node;
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return inner(node.expression);
    if (ts.isConditionalExpression(node)) return longest(inner(node.whenTrue), inner(node.whenFalse));
    if (ts.isCallExpression(node)) {
      const { declaration } = this.#checker.getResolvedSignature(node) ?? {};
      declaration?.parameters.forEach((one, at) => {
        const value = node.arguments[at];
        if (value) this.#given.set(one, value);
      });
      return inner(declaration);
    }
    if (ts.isIdentifier(node)) {
      const symbol = this.#checker.getSymbolAtLocation(node);
      const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
      return inner(target?.valueDeclaration);
    }
    if (ts.isVariableDeclaration(node)) return inner(node.initializer);
    if (ts.isParameter(node)) return inner(this.#given.get(node));
    if (ts.isFunctionLike(node) && 'body' in node && node.body)
      return ts.isBlock(node.body) ? this.#returned(node.body, depth) : inner(node.body);
    return undefined;
  }

  /** The longest template that a function returns: that of its other returns is mostly empty. */
  #returned(body: ts.Block, depth: number): ts.TaggedTemplateExpression | undefined {
    const found: (ts.TaggedTemplateExpression | undefined)[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isReturnStatement(node)) found.push(this.#templateOf(node.expression, depth + 1));
      else if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
    };
    visit(body);
    return found.reduce(longest, undefined);
  }

  /** `sql(columns)`: names, or the columns of an insert or update, by what stands before it. */
  #helped(node: ts.Expression, before: string): string {
    const call = this.#callOf(node, 0);
    if (!call) return this.#skip(node);
    const [first, ...rest] = call.arguments.filter(one => !isClient(this.#checker.getTypeAtLocation(one)));
    if (!first) return this.#skip(node);
    const type = this.#checker.getTypeAtLocation(first);
    const [name] = literalsOf(type, this.#checker);
    if (name !== undefined) return `"${name}"`;
    const element = this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (/\bin\s*$/i.test(before)) return `(${this.#parameter(element ?? type)})`;
    if (element && isText(element)) return this.#names(first, element);
    const chosen = rest.flatMap(one => namesOf(this.#checker.getTypeAtLocation(one), this.#checker));
    const columns = this.#checker
      .getPropertiesOfType(element ?? type)
      .filter(one => (chosen.length === 0 ? !(one.flags & ts.SymbolFlags.Method) : chosen.includes(one.name)));
    return columns.length === 0 ? this.#skip(node) : this.#columns(columns, before);
  }

  #columns(columns: readonly ts.Symbol[], before: string): string {
    const values = columns.map(one => this.#parameter(this.#checker.getTypeOfSymbol(one)));
    const names = columns.map(({ name }) => `"${name}"`);
    return /\bset\s*$/i.test(before)
      ? names.map((name, at) => `${name} = ${values[at]}`).join(', ')
      : `(${names.join(', ')}) values (${values.join(', ')})`;
  }

  #names(node: ts.Expression, element: ts.Type): string {
    const names = literalsOf(element, this.#checker);
    return names.length === 0 ? this.#skip(node) : names.map(name => `"${name}"`).join(', ');
  }

  /** The call that makes a helper: of the client, or of a function that hands it columns. */
  #callOf(node: ts.Node | undefined, depth: number): ts.CallExpression | undefined {
    if (!node || depth > DEPTH_MAX) return undefined;
    if (ts.isCallExpression(node)) {
      const { declaration } = this.#checker.getResolvedSignature(node) ?? {};
      const body = declaration && 'body' in declaration ? (declaration.body as ts.Node | undefined) : undefined;
      return body && ts.isCallExpression(body) ? this.#callOf(body, depth + 1) : node;
    }
    if (!ts.isIdentifier(node)) return undefined;
    const { valueDeclaration: made } = this.#checker.getSymbolAtLocation(node) ?? {};
    return made && ts.isVariableDeclaration(made) ? this.#callOf(made.initializer, depth + 1) : undefined;
  }

  /** The library sends the type of dates, booleans and bytes; Postgres infers all others. */
  #parameter(type: ts.Type): string {
    const bare = this.#checker.getNonNullableType(type);
    const isBoolean = (bare.isUnion() ? bare.types : [bare]).every(one => one.flags & ts.TypeFlags.BooleanLike);
    const cast = isBoolean ? '::boolean' : (CASTS[bare.symbol?.name ?? ''] ?? '');
    return `$${(this.#parameters += 1)}${cast}`;
  }

  #skip(node: ts.Node): string {
    this.unknown ??= node.getText().split('\n')[0]!;
    return '';
  }
}

/** The client itself, or a transaction of it. */
function isClient(type: ts.Type): boolean {
  return (type.isUnion() ? type.types : [type]).some(({ symbol }) =>
    /^(?:Transaction|Reserved)?Sql$/.test(symbol?.name ?? ''),
  );
}

function longest(
  one: ts.TaggedTemplateExpression | undefined,
  other: ts.TaggedTemplateExpression | undefined,
): ts.TaggedTemplateExpression | undefined {
  return (one?.template.getText().length ?? 0) >= (other?.template.getText().length ?? 0) ? one : other;
}

/** Whether a value of the type is a text, or one of some texts. */
function isText(type: ts.Type): boolean {
  return type.isUnion() ? type.types.every(isText) : (type.flags & ts.TypeFlags.StringLike) !== 0;
}

/** The texts that a type allows, if it names them. */
function literalsOf(type: ts.Type, checker: ts.TypeChecker): string[] {
  const one = checker.getBaseConstraintOfType(type) ?? type;
  const types = one.isUnion() ? one.types : [one];
  return types.flatMap(member => (member.isStringLiteral() ? [member.value] : []));
}

/** The texts of a type, or of the elements of a list. */
function namesOf(type: ts.Type, checker: ts.TypeChecker): string[] {
  return literalsOf(checker.getIndexTypeOfType(type, ts.IndexKind.Number) ?? type, checker);
}
