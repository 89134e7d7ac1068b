// Checks that no text makes a regular expression of the production code take more than linear time, as recheck finds it. Expressions are literals,
// `RegExp` of constant text, and the patterns of the OpenAPI document, which check requests.
//   npm run check:regexes
import { globSync } from 'node:fs';
import { check } from 'recheck';
import ts from 'typescript';
import { read, root } from '../common/root.ts';
import { list } from './report.ts';

const SOURCES = ['apps/*/src/**/*.{ts,tsx}', 'libs/**/*.ts'];
const OTHERS = /\.spec\.tsx?$|\.d\.ts$|(?:^|\/)(?:testing|node_modules|dist)(?:\/|$)|^apps\/e2e(?:\/|$)/;
const OPENAPI = 'docs/reference/openapi.json';
/**
 * How long recheck takes at most for an expression, for trying one text and for making texts (milliseconds). Its limits of steps decide: with its own
 * limit of a second for one text, a busy machine made linear expressions polynomial.
 */
const PATIENCE = { timeout: 300_000, attackTimeout: 60_000, incubationTimeout: 60_000 };

/** Lines that this check must refuse or accept at every run. */
const PLANTED = String.raw`
text.replace(/\s+$/, ''); // refused
text.replace(/^[ \t]+|[ \t]+$/g, ''); // refused
text.split(/\s*;\s*/); // refused
/^(a+)+$/.test(text); // refused
new RegExp('/+$').test(text); // refused
const NAME = 'a+'; new RegExp(${'`^(${NAME})+$`'}).test(text); // refused
new RegExp(String.raw${'`\\d+$`'}, 'm').test(text); // refused
/^[ \t]+/.test(text);
/^[^:]+:[^:]+$/.test(text);
/\d+$/y.test(text);
`;

/** An expression, and where it stands. */
interface Expression {
  readonly source: string;
  readonly flags: string;
  readonly place: string;
}

/** The expressions of a file. */
function expressionsIn(path: string, text: string): Expression[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const constants = new Map<string, string>();
  const expressions: Expression[] = [];
  const add = (node: ts.Node, source: string, flags: string) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    expressions.push({ source, flags, place: `${path}:${line + 1}` });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      const value = constantText(node.initializer, constants);
      if (value !== null) constants.set(node.name.text, value);
    }
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      add(node, node.text.slice(1, end), node.text.slice(end + 1));
    } else if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') {
      const [source, flags] = (node.arguments ?? []).map((argument) => constantText(argument, constants));
      if (source != null) add(node, source, flags ?? '');
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return expressions;
}

/** The value of a text that is made of constants alone; null for others. */
function constantText(node: ts.Expression, constants: ReadonlyMap<string, string>): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) return constants.get(node.text) ?? null;
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [node.left, node.right].map((side) => constantText(side, constants));
    return left == null || right == null ? null : left + right;
  }
  const isRaw = ts.isTaggedTemplateExpression(node);
  const template = isRaw ? node.template : node;
  const textOf = ({ text, rawText }: ts.TemplateLiteralLikeNode) => (isRaw ? (rawText ?? text) : text);
  if (ts.isNoSubstitutionTemplateLiteral(template)) return textOf(template);
  if (!ts.isTemplateExpression(template)) return null;
  const parts = template.templateSpans.map(({ expression, literal }) => {
    const value = constantText(expression, constants);
    return value === null ? null : value + textOf(literal);
  });
  return parts.includes(null) ? null : textOf(template.head) + parts.join('');
}

/** The patterns in a JSON Schema. */
function patternsIn(value: unknown, patterns = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return patterns;
  for (const [key, part] of Object.entries(value)) {
    if (key === 'pattern' && typeof part === 'string') patterns.add(part);
    else patternsIn(part, patterns);
  }
  return patterns;
}

/** Whether it cannot take more: it repeats nothing without end, or one set of characters behind its beginning. Asking recheck takes longer. */
function isPlainlyLinear({ source, flags }: Expression): boolean {
  const plainSource = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gs, 'x');
  const repeats = plainSource.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  return repeats === 0 || (repeats === 1 && /^\^[^|()]*$/.test(plainSource) && !flags.includes('m'));
}

/** What recheck says against each of the expressions. It asks once about equal ones. */
async function problemsOf(expressions: readonly Expression[]): Promise<string[]> {
  const checks = new Map<string, Promise<string | null>>();
  const problems: string[] = [];
  for (const { source, flags, place } of expressions.filter((expression) => !isPlainlyLinear(expression))) {
    const key = `${flags} ${source}`;
    if (!checks.has(key)) checks.set(key, problemOf(source, flags));
    const problem = (await checks.get(key)) ?? null;
    if (problem !== null) problems.push(`${place}: /${source}/${flags}: ${problem}`);
  }
  return problems;
}

async function problemOf(source: string, flags: string): Promise<string | null> {
  const result = await check(source, flags, PATIENCE);
  if (result.status === 'safe') return null;
  return result.status === 'vulnerable'
    ? `${result.complexity.summary}, for instance for ${result.attack.pattern}`
    : `recheck does not know: ${result.error.kind}`;
}

const planted = (await problemsOf(expressionsIn('planted', PLANTED))).map((problem) => Number(problem.split(':')[1]));
const expected = PLANTED.split('\n').flatMap((line, i) => (line.endsWith('// refused') ? [i + 1] : []));
if (planted.join() !== expected.join()) {
  throw new Error(`Of the planted lines ${planted.join(', ')} are refused, and not ${expected.join(', ')}.`);
}
const paths = globSync(SOURCES, { cwd: root, exclude: (path) => OTHERS.test(path) }).filter(
  (path) => !OTHERS.test(path),
);
const expressions = [
  ...paths.sort().flatMap((path) => expressionsIn(path, read(path))),
  ...[...patternsIn(JSON.parse(read(OPENAPI)))].map((source) => ({ source, flags: 'u', place: OPENAPI })),
];
if (paths.length === 0 || expressions.length === 0) throw new Error('There is nothing to check.');
list(await problemsOf(expressions), `of ${expressions.length} regular expressions in ${paths.length} files`);
