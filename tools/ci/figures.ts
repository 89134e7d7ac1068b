// Prints how the code is cut and how much there is of it: what one feature takes, what ties features to each other, lines and words.
//   npm run check:figures
// The path of a file names its feature: libs/features/<feature>/… and libs/contracts/src/<feature>/….
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { must } from '../common/command.ts';
import { read, root } from '../common/root.ts';

const linesOf = (text: string) => text.split('\n').length - 1;
const files = must('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  .split('\n')
  .filter((file) => existsSync(join(root, file)));
/** Sources without specs, what only tests run, and what is generated. */
const sources = files.filter(
  (file) =>
    /^(apps|libs)\/.*\.tsx?$/.test(file) && !/\.spec\.tsx?$|^apps\/e2e\/|^libs\/testing\/|\/generated\//.test(file),
);
/** Folders of packages by their names. */
const packages = new Map(
  files
    .filter((file) => /^(apps|libs)\/.*package\.json$/.test(file))
    .map((file) => [(JSON.parse(read(file)) as { name: string }).name, dirname(file)] as const),
);
const folders = [...packages.values()].toSorted((a, b) => b.length - a.length);
const packageOf = (file: string) => folders.find((folder) => file.startsWith(`${folder}/`)) ?? '';
const featureOf = (path: string) => /^libs\/features\/([^/]+)(?:\/|$)/.exec(path)?.[1];

/** Where an import leads: a file, or the folder of a package; null outside of the repository. */
function targetOf(file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return join(dirname(file), specifier);
  const name = /^@[^/]+\/[^/]+/.exec(specifier)?.[0] ?? '';
  return packages.get(name) ?? null;
}

let across = 0;
const between = new Map<string, number>();
let generators = 0;
for (const file of sources) {
  const text = read(file);
  if (isGenerating(file, text)) generators += 1;
  const own = featureOf(file);
  if (own === undefined) continue;
  for (const { fileName } of ts.preProcessFile(text).importedFiles) {
    const target = targetOf(file, fileName);
    const other = target === null ? undefined : featureOf(target);
    if (target === null || other === undefined) continue;
    if (other !== own) between.set(`${own} → ${other}`, (between.get(`${own} → ${other}`) ?? 0) + 1);
    else if (packageOf(`${target}/`) !== packageOf(file)) across += 1;
  }
}

/** Whether a file has a synchronous generator, where none belongs: engines, HTTP and worker threads may have them. */
function isGenerating(file: string, text: string): boolean {
  if (/^libs\/(storage|http|evaluator)\//.test(file)) return false;
  const found = (node: ts.Node): boolean => {
    const { asteriskToken, modifiers } = node as Partial<ts.FunctionDeclaration>;
    const isAsync = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;
    return (
      (ts.isFunctionLike(node) && asteriskToken !== undefined && !isAsync) || ts.forEachChild(node, found) === true
    );
  };
  return text.includes('*') && found(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
}

const total = (all: readonly string[]) => all.reduce((sum, file) => sum + linesOf(read(file)), 0);
const tools = files.filter((file) => /^tools\/.*\.(ts|mjs|js|sh|py)$/.test(file));
const decisions = files.filter((file) => /^docs\/decisions\/\d.*\.md$/.test(file));
const words = decisions.reduce((sum, file) => sum + (read(file).match(/\S+/g) ?? []).length, 0);
const pairs = [...between].toSorted(([, a], [, b]) => b - a);
const FIGURES: readonly (readonly [what: string, figure: number])[] = [
  ['imports of one feature across packages, contracts aside', across],
  ['imports between features', pairs.reduce((sum, [, count]) => sum + count, 0)],
  ...pairs.map(([pair, count]) => [`  ${pair}`, count] as const),
  ['lib projects', folders.filter((folder) => folder.startsWith('libs/')).length],
  ['production TypeScript in apps and libs, lines', total(sources)],
  ['tools, lines', total(tools)],
  ['files with synchronous generators outside engines, HTTP and workers', generators],
  ['decision pages', decisions.length],
  ['words of decision pages', words],
];
for (const [what, figure] of FIGURES) console.log(`${what.padEnd(70)} ${figure.toLocaleString('en')}`);
