/**
 * Finds where a unit of work waits for something else than its own transaction: while it does, its rows are locked, its
 * connection is taken, and what it waits for may outlive both. It reads the source alone. A function is of a unit when
 * it is given one (a parameter whose type names one, or the callback of `inUnitOfWork`, `begin` or `savepoint`). In it,
 * and in the functions in it, whatever is awaited must mention the unit, or what was made from it; and no engine is
 * mentioned at all.
 */
import ts from 'typescript';

const OF_UNIT = /\b(Unit|Transaction|TransactionSql|Queryable)\b/;
const MAY_HOLD = /\b(Unit|Transaction|TransactionSql|Queryable|inUnitOfWork|begin|savepoint)\b/;
const OPENERS = new Set(['inUnitOfWork', 'begin', 'savepoint']);
const ENGINES = new Set([
  'authority',
  'redis',
  'clickhouse',
  'playQueue',
  'playGroups',
  'storage',
  'queue',
  'fetch',
  'setTimeout',
  'wait',
]);

type Names = ReadonlySet<string>;
type FunctionNode = ts.ArrowFunction | ts.FunctionExpression | ts.FunctionDeclaration | ts.MethodDeclaration;

/** What is wrong in a file, a line each. */
export function foreignWaits(path: string, text: string): string[] {
  if (!MAY_HOLD.test(text)) return []; // parsing is what takes time
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const faults: string[] = [];
  const say = (node: ts.Node, why: string): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    faults.push(`${path}:${line + 1} ${why}: ${node.getText().replace(/\s+/g, ' ').slice(0, 80)}`);
  };
  const walk = (node: ts.Node, names: Names | undefined): void => {
    const own = isFunction(node) ? ofUnit(node, names) : names;
    if (own) judge(node, own, say);
    ts.forEachChild(node, child => walk(child, own));
  };
  walk(source, undefined);
  return faults;
}

function judge(node: ts.Node, names: Names, say: (node: ts.Node, why: string) => void): void {
  if (ts.isAwaitExpression(node) && !mentions(node.expression, names)) say(node, 'a unit awaits what is not of it');
  if (ts.isForOfStatement(node) && node.awaitModifier && !mentions(node.expression, names))
    say(node.expression, 'a unit awaits what is not of it');
  if (ts.isIdentifier(node) && ENGINES.has(node.text) && !isKey(node))
    say(node.parent, 'a unit mentions another engine');
}

const isFunction = (node: ts.Node): node is FunctionNode =>
  ts.isArrowFunction(node) ||
  ts.isFunctionExpression(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node);

/** The names by which a function knows its unit, with those of the function around it; undefined where it has none. */
function ofUnit(node: FunctionNode, outer: Names | undefined): Names | undefined {
  const names = new Set(outer);
  const isCallback = isOpened(node);
  for (const [at, parameter] of node.parameters.entries()) {
    if ((isCallback && at === 0) || (parameter.type && OF_UNIT.test(parameter.type.getText())))
      addNames(parameter, names);
  }
  if (names.size === 0) return undefined;
  addMade(node, names);
  return names;
}

/** Whether it is what a transaction runs. */
function isOpened(node: FunctionNode): boolean {
  const call = node.parent;
  if (!ts.isCallExpression(call) || !call.arguments.includes(node as ts.Expression)) return false;
  const callee = ts.isPropertyAccessExpression(call.expression) ? call.expression.name : call.expression;
  return ts.isIdentifier(callee) && OPENERS.has(callee.text);
}

/** Of a pattern over a type that is written out, the properties whose own type names a unit; else all. */
function addNames({ name, type }: ts.ParameterDeclaration, names: Set<string>): void {
  if (ts.isIdentifier(name)) return void names.add(name.text);
  const members = type && ts.isTypeLiteralNode(type) ? type.members : undefined;
  for (const element of name.elements) {
    if (!ts.isBindingElement(element) || !ts.isIdentifier(element.name)) continue;
    const property = (element.propertyName ?? element.name).getText();
    const member = members?.find(each => each.name?.getText() === property);
    if (!members || (member && OF_UNIT.test(member.getText()))) names.add(element.name.text);
  }
}

/**
 * Variables that are made from the unit without waiting: a query to be awaited later, its transaction, a function over
 * it.
 */
function addMade(node: ts.Node, names: Set<string>): void {
  const visit = (each: ts.Node): void => {
    if (
      ts.isVariableDeclaration(each) &&
      each.initializer &&
      !ts.isAwaitExpression(each.initializer) &&
      mentions(each.initializer, names)
    ) {
      if (ts.isIdentifier(each.name)) names.add(each.name.text);
      else
        for (const element of each.name.elements)
          if (ts.isBindingElement(element) && ts.isIdentifier(element.name)) names.add(element.name.text);
    }
    ts.forEachChild(each, visit);
  };
  visit(node);
}

function mentions(node: ts.Node, names: Names): boolean {
  if (ts.isIdentifier(node)) return names.has(node.text) && !isKey(node);
  return ts.forEachChild(node, child => mentions(child, names) || undefined) ?? false;
}

/** A name after a dot, or that of a property: no variable. */
function isKey(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    ts.isPropertySignature(parent) ||
    ts.isTypeReferenceNode(parent) ||
    (ts.isBindingElement(parent) && parent.propertyName === node)
  );
}
