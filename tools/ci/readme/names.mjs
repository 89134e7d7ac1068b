import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NPM_OWN = ['ci', 'install'];
const SETTING = /\b(ASSURANCE_[A-Z_]+|MONGODB_URL|KAFKA_BROKERS)\b/g;

/**
 * What a page names and the repository does not have: npm scripts, files, settings; and settings that it does not name.
 *
 * @returns {string[]} one sentence each
 */
export function wrongNames(page, root) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const known = new Set(settings(root));
  const named = new Set([...page.matchAll(SETTING)].map(([name]) => name));
  return [
    ...[...page.matchAll(/\bnpm (?:run )?([a-z][\w:-]*)/g)]
      .filter(([, script]) => !(script in scripts) && !NPM_OWN.includes(script))
      .map(([text]) => `"${text}": package.json has no such script`),
    ...files(page)
      .filter((file) => !existsSync(join(root, file)))
      .map((file) => `"${file}": there is no such file`),
    ...[...named].filter((name) => !known.has(name)).map((name) => `${name}: there is no such setting`),
    ...[...known].filter((name) => !named.has(name)).map((name) => `${name}: a setting that the page does not name`),
  ];
}

/** Targets of links, and paths in code that begin with a folder of the repository. */
function files(page) {
  const links = [...page.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target]) => target);
  const paths = [...page.matchAll(/`((?:apps|libs|tools|docs|\.ci)(?:\/[\w./-]+)?)`/g)].map(([, path]) => path);
  return [...links, ...paths];
}

/** The settings that the service reads. */
function settings(root) {
  const folder = join(root, 'libs/runtime/src');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').match(SETTING) ?? []);
}
