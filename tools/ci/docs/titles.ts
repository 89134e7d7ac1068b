// Reads the titles of tests from the source of a spec.
import ts from 'typescript';

/** `it`, and `it.each(table)`, which returns what takes the title; the same of the others. */
const TAKES_TITLE = /^(describe|it|test)(\.each\b[^]*)?$/;

/**
 * Returns the path of every test: the titles of the `describe`s around it, then its own. Skipped and `todo` tests do not count.
 *
 * @param text of a spec
 */
export function testsOf(text: string): readonly (readonly string[])[] {
  const source = ts.createSourceFile('a.spec.ts', text, ts.ScriptTarget.Latest);
  const paths: (readonly string[])[] = [];
  const visit = (node: ts.Node, around: readonly string[]): void => {
    const [title] = ts.isCallExpression(node) ? node.arguments : [];
    const isTitle = title !== undefined && ts.isStringLiteralLike(title);
    const [, word] = (isTitle && TAKES_TITLE.exec((node as ts.CallExpression).expression.getText(source))) || [];
    const path = isTitle && word !== undefined ? [...around, title.text] : around;
    if (word !== undefined && word !== 'describe') paths.push(path);
    ts.forEachChild(node, (child) => visit(child, path));
  };
  visit(source, []);
  return paths;
}
