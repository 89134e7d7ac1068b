import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of `package-lock.json`. */
interface Locked {
  readonly version?: string;
  /** The digest of its archive, such as `sha512-…`. */
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export type Lock = Readonly<Record<string, Locked>>;

/** A package, and what it permits. */
export interface Notice {
  readonly id: string;
  /** SPDX expression; null if the package names none. */
  readonly licence: string | null;
  readonly text: string;
}

/** Licences that Apache-2.0 can be shipped with. */
const COMPATIBLE =
  /^\(?((MIT|MIT-0|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|Unlicense|OFL-1\.1|Zlib|Python-2\.0|CC0-1\.0|Bitstream-Vera)( (AND|OR) )?)+\)?$/;
/** Licences of packages that name theirs in a file alone, read by us. A new version is read again. */
const READ: Readonly<Record<string, string>> = { 'dejavu-fonts-ttf@2.37.3': 'Bitstream-Vera', 'png-js@2.0.0': 'MIT' };
/** What builds the pages, and is not in them. */
const BUILDERS = ['vite', '@vitejs/plugin-react'];
const FILE = /^(licen[cs]e|copying|notice)/i;

export const lockOf = (source: string): Lock =>
  (JSON.parse(readFileSync(join(source, 'package-lock.json'), 'utf8')) as { packages: Lock }).packages;

/** The paths of all packages that those of these workspaces load; `''` is the root. */
export function installed(lock: Lock, workspaces: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (path: string) => {
    const { dependencies = {}, peerDependencies = {} } = lock[path] ?? {};
    for (const name of Object.keys({ ...peerDependencies, ...dependencies })) {
      const at = resolved(lock, path, name);
      if (at === undefined || BUILDERS.includes(name) || found.has(at) || lock[at]?.link === true) continue;
      found.add(at);
      visit(at);
    }
  };
  workspaces.forEach(visit);
  return [...found].toSorted();
}

function resolved(lock: Lock, from: string, name: string): string | undefined {
  const parents = from.split('/node_modules/').map((_, i, all) => all.slice(0, all.length - i).join('/node_modules/'));
  const nearest = parents.map((parent) => `${parent === '' ? '' : `${parent}/`}node_modules/${name}`);
  return [...nearest, `node_modules/${name}`].find((path) => path in lock);
}

/** What a package of `node_modules` permits, by its `package.json` and the files beside it. */
export function noticeOf(source: string, path: string): Notice {
  const folder = join(source, path);
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string | { type: string };
    licenses?: readonly { type: string }[];
  };
  const id = `${name}@${version}`;
  const named =
    typeof license === 'object' ? license.type : (license ?? licenses?.map(({ type }) => type).join(' OR '));
  const files = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const texts = files
    .filter((file) => file.isFile() && FILE.test(file.name) && !/\.(js|ts|json)$/.test(file.name))
    .map((file) => readFileSync(join(folder, file.name), 'utf8').replaceAll('\r\n', '\n').trim());
  return { id, licence: READ[id] ?? named ?? null, text: texts.join('\n\n') };
}

/** One sentence for each package that must not be shipped. */
export function licenceProblems(notices: readonly Notice[]): string[] {
  return notices.flatMap(({ id, licence }) => {
    if (licence === null) return [`${id} names no licence: read it, and name it in tools/release/licences.ts`];
    return COMPATIBLE.test(licence) ? [] : [`${id} has the licence ${licence}, which is not known to be compatible`];
  });
}

/** The text of NOTICES: packages that have the same text share it. */
export function noticesText(notices: readonly Notice[]): string {
  const byText = new Map<string, Notice[]>();
  for (const notice of notices) {
    const text = notice.text.replace(/\s+/g, ' ');
    byText.set(text, [...(byText.get(text) ?? []), notice]);
  }
  const parts = [...byText.values()].map((group) =>
    [...group.map(({ id, licence }) => `${id} (${licence})`), '', group[0]?.text || 'The package has no text.'].join(
      '\n',
    ),
  );
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  return `Deployment Assurance contains these packages, each under its own licence.${line}${parts.join(line)}\n`;
}
