/**
 * The one-line changes that can be made to a file. TypeScript is changed by its syntax tree: operators, conditions,
 * booleans, 0 and 1, and calls whose result nothing reads. Statements in SQL and Lua are changed by their comparisons
 * and sums. Texts, imports and types stay.
 */
import ts from 'typescript';

export type Mutant = { file: string; line: number; start: number; end: number; text: string; before: string };

const SWAPPED = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
]);
/** Of a loop's condition: one round more reads past a typed array and changes nothing, so the loop does not run. */
const NEVER = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, '>='],
  [ts.SyntaxKind.LessThanEqualsToken, '>'],
]);
/** In a comparator, `a < b ? -1 : 1`, the order is reversed: `<=` changes nothing where keys are distinct. */
const REVERSED = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, '>'],
  [ts.SyntaxKind.GreaterThanToken, '<'],
]);
const RELATIONS = new Set([...NEVER.keys(), ts.SyntaxKind.GreaterThanToken, ts.SyntaxKind.GreaterThanEqualsToken]);
/** Comparisons and sums between names, numbers and parameters. `->` and `<>` of SQL and `..` of Lua are none. */
const IN_STATEMENTS = /(?<=[\w)}\]] )(<=|>=|<|>|\+|-)(?= [\w({$:])/g;
const SWAPPED_IN_STATEMENTS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
};

/** Every change of a file, in its order. */
export function mutantsOf(file: string, source: string): Mutant[] {
  return file.endsWith('.lua')
    ? inStatements(file, source, { start: 0, end: source.length })
    : inTypeScript(file, source);
}

function inTypeScript(file: string, source: string): Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const add = (node: ts.Node, text: string) => {
    const [start, end] = [node.getStart(tree), node.getEnd()];
    const { line } = tree.getLineAndCharacterOfPosition(start);
    found.push({ file, line: line + 1, start, end, text, before: source.slice(start, end) });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isPropertyAssignment(node) && node.name.getText(tree) === 'buckets') return; // of a histogram
    if (ts.isBinaryExpression(node)) {
      const swaps = isLoopBound(node) ? NEVER : isOrder(node) ? REVERSED : SWAPPED;
      const swapped = swaps.get(node.operatorToken.kind);
      if (swapped !== undefined && !isText(node)) add(node.operatorToken, swapped);
    } else if (ts.isIfStatement(node)) add(node.expression, `!(${node.expression.getText(tree)})`);
    else if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText(tree)})`);
    else if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true');
    else if (ts.isNumericLiteral(node) && !isIndex(node) && !isCompared(node) && /^[01]$/.test(node.text))
      add(node, node.text === '0' ? '1' : '0');
    else if (ts.isExpressionStatement(node) && isCall(node.expression)) add(node, ';');
    else if (ts.isTaggedTemplateExpression(node) && /sql|tx|db/.test(node.tag.getText(tree)))
      found.push(...inStatements(file, source, { start: node.template.getStart(tree), end: node.template.getEnd() }));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function inStatements(file: string, source: string, { start, end }: { start: number; end: number }): Mutant[] {
  return [...source.slice(start, end).matchAll(IN_STATEMENTS)].flatMap(match => {
    const at = start + match.index;
    const line = source.slice(0, at).split('\n').length;
    const isComment = /^\s*--/.test(source.split('\n')[line - 1]!);
    const text = SWAPPED_IN_STATEMENTS[match[0]]!;
    return isComment ? [] : [{ file, line, start: at, end: at + match[0].length, text, before: match[0] }];
  });
}

/** A sum of texts: minus makes no program of it. */
function isText(node: ts.BinaryExpression): boolean {
  const isLiteral = (side: ts.Node) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side);
  return isLiteral(node.left) || isLiteral(node.right);
}

/** The place of an array: types find a wrong one of a tuple, and loops begin there. */
function isIndex(node: ts.Node): boolean {
  return ts.isElementAccessExpression(node.parent) || ts.isTypeNode(node.parent);
}

function isLoopBound(node: ts.BinaryExpression): boolean {
  return ts.isForStatement(node.parent) && node.parent.condition === node && NEVER.has(node.operatorToken.kind);
}

function isOrder(node: ts.BinaryExpression): boolean {
  const { parent } = node;
  return (
    ts.isConditionalExpression(parent) &&
    /^-?1$/.test(parent.whenTrue.getText()) &&
    REVERSED.has(node.operatorToken.kind)
  );
}

/** The sign of an amount, or an absent place (-1): the comparison itself is changed, and 1 for 0 means the same. */
function isCompared(node: ts.NumericLiteral): boolean {
  return ts.isBinaryExpression(node.parent) && RELATIONS.has(node.parent.operatorToken.kind);
}

function isCall(node: ts.Expression): boolean {
  const inner = ts.isAwaitExpression(node) || ts.isVoidExpression(node) ? node.expression : node;
  // Logs and assertions change nothing that a test could see.
  return ts.isCallExpression(inner) && !/^(log|this\.#log|assert)\b/.test(inner.expression.getText());
}
