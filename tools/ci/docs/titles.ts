// Reads the titles of tests from the source of a spec.
import ts from 'typescript';

const WORDS = ['describe', 'it', 'test'];

/**
 * Returns the path of every test: the titles of the `describe`s around it, then its own. Skipped and `todo` tests do not count.
 *
 * @param source the text of a spec
 */
export function testsOf(source: string): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  const visit = (node: ts.Node, around: readonly string[]): void => {
    const call = titled(node);
    const path = call === null ? around : [...around, call.title];
    if (call !== null && call.word !== 'describe') paths.push(path);
    ts.forEachChild(node, (child) => visit(child, path));
  };
  visit(ts.createSourceFile('a.spec.ts', source, ts.ScriptTarget.Latest), []);
  return paths;
}

/** Recognizes `it('title', …)`, `it.each(table)('title', …)` and the same calls of `describe`. Returns null for other code. */
function titled(node: ts.Node): { readonly word: string; readonly title: string } | null {
  if (!ts.isCallExpression(node)) return null;
  const [first] = node.arguments;
  const word = wordOf(node.expression) ?? eachOf(node.expression);
  if (word === null || first === undefined || !ts.isStringLiteralLike(first)) return null;
  return { word, title: first.text };
}

function wordOf(node: ts.Node): string | null {
  return ts.isIdentifier(node) && WORDS.includes(node.text) ? node.text : null;
}

function eachOf(node: ts.Node): string | null {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
  return node.expression.name.text === 'each' ? wordOf(node.expression.expression) : null;
}
