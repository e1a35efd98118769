/**
 * Finds casts that switch the compiler off: to `any`, to `never`, and over `unknown` to another type. One that a
 * library's types leave no way around has a comment that says why, on its line or on the line above it.
 */
import ts from 'typescript';

const MAY_HOLD = /\bas (any|never|unknown)\b/;
const BLIND = new Set([ts.SyntaxKind.AnyKeyword, ts.SyntaxKind.NeverKeyword]);

/** The casts of a file that nobody has explained, a line each. */
export function unexplainedCasts(path: string, text: string): string[] {
  if (!MAY_HOLD.test(text)) return []; // parsing is what takes time
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  const faults: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isAsExpression(node) && isBlind(node)) {
      const first = source.getLineAndCharacterOfPosition(node.getStart()).line;
      const last = source.getLineAndCharacterOfPosition(node.getEnd()).line;
      const isExplained =
        /^\s*(\/\/|\*|\/\*)/.test(lines[first - 1] ?? '') || /\s\/\/ /.test(lines[first]! + lines[last]!);
      if (!isExplained) faults.push(`${path}:${first + 1} ${lines[first]!.trim()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

function isBlind({ type, expression }: ts.AsExpression): boolean {
  return (
    BLIND.has(type.kind) || (ts.isAsExpression(expression) && expression.type.kind === ts.SyntaxKind.UnknownKeyword)
  );
}
