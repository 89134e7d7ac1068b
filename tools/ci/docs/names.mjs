import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Variables of tests and tools. */
const NOT_OF_THE_SERVICE = /^ASSURANCE_(TEST|RECORDED)_/;
const SETTING = /\b(ASSURANCE_[A-Z_]+|MONGODB_URL|KAFKA_BROKERS)\b/g;

/** The Markdown documents whose names are checked. Decisions and the changelog are history: what they name may be gone. */
export function documents(root) {
  const below = readdirSync(join(root, 'docs'), { recursive: true })
    .filter((file) => file.endsWith('.md') && !/^decisions\/\d/.test(file))
    .map((file) => `docs/${file}`);
  return ['README.md', 'CONTRIBUTING.md', ...below];
}

/**
 * What a page names and the repository does not have: npm scripts, files (but what a build makes), settings.
 *
 * @param page Markdown
 * @param root the repository
 * @param folder the page's own folder, relative to the repository: links start there
 * @returns {string[]} one sentence each
 */
export function wrongNames(page, root, folder = '.') {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const known = new Set(settings(root));
  const named = new Set([...page.matchAll(SETTING)].map(([name]) => name));
  return [
    ...[...page.matchAll(/\bnpm run ([a-z][\w:-]*)/g)]
      .filter(([, script]) => !(script in scripts))
      .map(([text]) => `"${text}": package.json has no such script`),
    ...files(page, folder)
      .filter((file) => !/(^|\/)dist(\/|$)/.test(file) && !existsSync(join(root, file)))
      .map((file) => `"${file}": there is no such file`),
    ...[...named]
      .filter((name) => !known.has(name.replace(/_FILE$/, '')) && !known.has(name) && !NOT_OF_THE_SERVICE.test(name))
      .map((name) => `${name}: there is no such setting`),
  ];
}

/** The settings that a page does not name. */
export function unnamedSettings(page, root) {
  return [...new Set(settings(root))].filter((name) => !page.includes(name));
}

/** Targets of links, and paths in code that begin with a folder of the repository; relative to the repository. */
function files(page, folder) {
  const links = [...page.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target]) => join(folder, target));
  const paths = [...page.matchAll(/`((?:apps|libs|tools|docs|\.ci)(?:\/[\w./-]+)?)`/g)].map(([, path]) => path);
  return [...links, ...paths];
}

/** The settings that the service reads. */
function settings(root) {
  const folder = join(root, 'libs/runtime/src');
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').match(SETTING) ?? []);
}

/** Decisions that the index does not list, entries that no file has, and numbers that two files share: one sentence each. */
export function decisionProblems(files, index) {
  const listed = [...index.matchAll(/\]\((\d{4}-[^)]+\.md)\)/g)].map(([, file]) => file);
  const number = (file) => file.slice(0, 4);
  return [
    ...files.filter((file) => !listed.includes(file)).map((file) => `the index does not list ${file}`),
    ...listed.filter((file) => !files.includes(file)).map((file) => `the index lists ${file}, which does not exist`),
    ...files
      .filter((file, i) => files.findIndex((other) => number(other) === number(file)) !== i)
      .map((file) => `${file} has a number that another decision has`),
  ];
}
