import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { read, root } from '../../common/root.ts';

/** Variables that only tests and tools read. */
const NOT_OF_THE_SERVICE = /^ASSURANCE_TEST_/;
const SETTING = /\b(ASSURANCE_[A-Z_]+|MONGODB_URL|KAFKA_BROKERS)\b/g;

/** The Markdown documents whose names are checked. Decisions and the changelog may name things that no longer exist. */
export const documents = (): readonly string[] =>
  globSync(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md'], { cwd: root, exclude: ['docs/decisions/[0-9]*'] });

/**
 * Finds npm scripts, files and settings that a page names and the repository does not have. Built files do not count.
 *
 * @param folder the page's folder relative to the repository; links start there
 * @returns one sentence each
 */
export function wrongNames(page: string, folder = '.'): readonly string[] {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
  const settingNames = new Set(settings());
  const named = new Set([...page.matchAll(SETTING)].map(([name]) => name));
  return [
    ...[...page.matchAll(/\bnpm run ([a-z][\w:-]*)/g)]
      .filter(([, script = '']) => !(script in scripts))
      .map(([text]) => `"${text}": package.json has no such script`),
    ...files(page, folder)
      .filter((file) => !/(^|\/)dist(\/|$)/.test(file) && !existsSync(join(root, file)))
      .map((file) => `"${file}": there is no such file`),
    ...[...named]
      .filter(
        (name) =>
          !settingNames.has(name.replace(/_FILE$/, '')) && !settingNames.has(name) && !NOT_OF_THE_SERVICE.test(name),
      )
      .map((name) => `${name}: there is no such setting`),
  ];
}

/** Finds the settings that a page does not name. */
export function unnamedSettings(page: string): readonly string[] {
  return [...new Set(settings())].filter((name) => !page.includes(name));
}

/** Finds targets of links, and paths in code that begin with a folder of the repository. All are relative to the repository. */
function files(page: string, folder: string): readonly string[] {
  const links = [...page.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => join(folder, target));
  const paths = [...page.matchAll(/`((?:apps|libs|tools|docs|\.ci)(?:\/[\w./-]+)?)`/g)].map(([, path = '']) => path);
  return [...links, ...paths];
}

/** Lists the settings that the service reads. */
const settings = (): readonly string[] =>
  globSync('libs/runtime/src/**/*.ts', { cwd: root, exclude: ['**/*.spec.ts'] }).flatMap(
    (file) => read(file).match(SETTING) ?? [],
  );

/**
 * Finds the tests that a page names in the last cell of rows and that a spec does not have, or has twice. A cell names the spec, or a label that the end
 * of the page gives it. A title that a spec has twice follows that of its `describe`.
 *
 *     | what | `libs/a/src/b.spec.ts`: title of the test |
 *     | what | [label]: outer › title of the test |
 *     [label]: ../libs/a/src/b.spec.ts
 *
 * @param folder the page's folder relative to the repository; paths of labels start there
 * @returns one sentence each
 */
export function missingTests(page: string, folder = '.'): readonly string[] {
  const labels = new Map([...page.matchAll(/^\[([^\]]+)\]: (\S+)$/gm)].map(([, label = '', path]) => [label, path]));
  return [...page.matchAll(/\| (?:`([^`]+\.ts)`|\[([^\]]+)\]): (.+?) \|$/gm)].flatMap(
    ([, file, label = '', text = '']) => {
      const path = join(folder, file ?? labels.get(label.toLowerCase()) ?? `[${label}]`);
      const source = existsSync(join(root, path)) ? read(path) : '';
      const titles = text.replaceAll('\\|', '|').split(' › ');
      const counts = titles.map(
        (title) => ["'", '"', '`'].flatMap((quote) => source.split(quote + title + quote).slice(1)).length,
      );
      const isThere = titles.length === 1 ? counts[0] === 1 : counts.every((count) => count > 0);
      return isThere ? [] : [`${path} does not have one test "${text}"`];
    },
  );
}

const below = (section: string, count: number) => Array.from({ length: count }, (_, i) => `${section}.${i + 1}`);
/** Headings of the specification whose sections have requirements. */
const SECTIONS = ['Conventions', '1', ...below('2', 10), '3', '4', ...below('4', 9), '5', '6', '7', '8', '9'];

/** Finds sections of the specification that the page of its coverage lacks or has without a row that names a test. */
export function sectionProblems(page: string): readonly string[] {
  const sections = page.split(/^#{2,3} /m).slice(1);
  return SECTIONS.filter((name) => {
    const rows = sections
      .find((text) => text.startsWith(`${name} `) || text.startsWith(`${name}\n`))
      ?.match(/^\| .*$/gm);
    const [, , ...named] = rows ?? [];
    return named.length === 0 || !named.every((row) => / \| \[[^\]]+\]: .+ \|$/.test(row));
  }).map((name) => `section ${name} has no row, or a row without a test`);
}
