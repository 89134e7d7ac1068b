import type { ComponentPattern } from '@assurance/contracts/policies/events';
import { packageIdentity, type Purl, readPurl } from '@assurance/evidence/domain/purl';
import { type Ecosystem, ecosystemOf } from './versions/ecosystem';
import { BOUNDS_MAX, isVersionInRange, type Range, RANGE_LENGTH, readRange } from './versions/range';

/** The most characters of a package URL with `*`. */
const PATTERN_MAX = 512;
const PARTS = /^pkg:([a-z][a-z0-9.+-]*)\/([^?#]+)$/i;

/** A parsed pattern. */
export interface ReadPattern {
  readonly type: string;
  /** The package that it names, as `Purl.package`; null for a pattern with `*`. */
  readonly package: string | null;
  /** Whether it names a package of the same type. */
  readonly isNamed: (purl: Pick<Purl, 'namespace' | 'name'>) => boolean;
  readonly ecosystem: Ecosystem;
  /** Null: all versions. */
  readonly range: Range | null;
}

/**
 * Reads a pattern of packages. `*` stands for any characters of namespace and name, including a slash. A version in the pattern matches
 * all versions that are equal by the rules of the ecosystem.
 *
 * @returns the pattern, or the problem and its field
 */
export function readPattern({
  purl,
  range,
}: ComponentPattern): ReadPattern | { readonly field: keyof ComponentPattern; readonly problem: string } {
  const refuse = (problem: string) => ({ field: 'purl', problem }) as const;
  if (purl.length > PATTERN_MAX) return refuse(`Input should have at most ${PATTERN_MAX} characters`);
  const [, type = '', rest = ''] = PARTS.exec(purl) ?? [];
  if (rest === '') {
    return refuse(
      /[?#]/.test(purl)
        ? 'Input should have no qualifiers and no subpath'
        : 'Input should be a package URL such as pkg:npm/lodash or pkg:maven/org.example/*',
    );
  }
  // The first character of a part may be the `@` of an npm scope.
  const at = rest.indexOf('@', rest.lastIndexOf('/') + 2);
  const version = at === -1 ? null : rest.slice(at + 1);
  const path = at === -1 ? rest : rest.slice(0, at);
  if (version?.includes('*') === true) return refuse('Input should have no * in the version: name a range');
  if (version !== null && range !== null) {
    return { field: 'range', problem: 'Input should be a range or a version of the package URL, not both' };
  }
  const read = readPath(type, path, version);
  if (read === null) return refuse('Input should be a package URL with the parts that its type needs');
  const bounds = range === null ? versionRange(read.version) : readRange(range);
  if (bounds === 'too-long') return { field: 'range', problem: `Input should have at most ${RANGE_LENGTH} characters` };
  if (bounds === 'too-many-bounds')
    return { field: 'range', problem: `Input should have at most ${BOUNDS_MAX} bounds` };
  if (bounds === undefined) return { field: 'range', problem: 'Input should be a range such as >=2,<2.17' };
  const { texts, ...pattern } = read;
  const isNamed = (purl: Pick<Purl, 'namespace' | 'name'>) => matches(texts, identityOf(pattern.type, purl));
  return { type: pattern.type, package: pattern.package, isNamed, ecosystem: ecosystemOf(pattern.type), range: bounds };
}

function versionRange(version: string | null): Range | null {
  return version === null ? null : [[{ operator: '=', version }]];
}

/** Normalizes a path by the rules of its type, as package URLs of components are normalized; null if there is no path. */
function readPath(type: string, path: string, version: string | null) {
  if (/^\*+$/.test(path)) return version === null ? { type: type.toLowerCase(), ...EVERYTHING } : null;
  let token = 'any0';
  while (path.toLowerCase().includes(token)) token += '0';
  const text = path.replaceAll(/\*+/g, token);
  // Some types have no package URL without a version.
  const purl = readPurl(`pkg:${type}/${text}@${version ?? '1'}`);
  if (purl === null) return null;
  const texts = identityOf(purl.type, purl).split(token);
  return {
    type: purl.type,
    package: texts.length === 1 ? purl.package : null,
    texts,
    version: version === null ? null : purl.version,
  };
}

const EVERYTHING = { package: null, texts: ['', ''], version: null } as const;

/** Namespace and name, in one spelling for all of a package. */
function identityOf(type: string, { namespace, name }: Pick<Purl, 'namespace' | 'name'>): string {
  const begin = `pkg:${type}/`;
  return packageIdentity(namespace === null ? `${begin}${name}` : `${begin}${namespace}/${name}`).slice(begin.length);
}

/** Whether a text begins with the first of these texts, ends with the last, and has the others between them in order. Linear in the text. */
function matches(texts: readonly string[], text: string): boolean {
  const [first = '', ...others] = texts;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const start = text.indexOf(part, at);
    if (start < 0) return false;
    at = start + part.length;
  }
  return at <= text.length - last.length;
}

/**
 * Whether a pattern names a component.
 *
 * @param purl of its package
 * @returns undefined if the component has no version, or one that cannot be compared
 */
export function isNamedBy(pattern: ReadPattern, purl: Purl, version: string | null): boolean | undefined {
  if (purl.type !== pattern.type || (pattern.package ?? purl.package) !== purl.package) return false;
  if (pattern.package === null && !pattern.isNamed(purl)) return false;
  if (pattern.range === null) return true;
  return version === null ? undefined : isVersionInRange(pattern.ecosystem, version, pattern.range);
}
