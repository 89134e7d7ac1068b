/** What a package URL names. Objects of libraries that read them fit. */
export interface PackageUrl {
  readonly type: string;
  readonly namespace?: string | null;
  readonly name: string;
  readonly version?: string | null;
  readonly qualifiers?: Readonly<Record<string, string>> | null;
}

/** The longest package URL that is read (UTF-16 units). */
const LENGTH = 2_048;

/**
 * Reads a package URL: `pkg:type/namespace/name@version?qualifiers#subpath`.
 *
 * @see https://github.com/package-url/purl-spec/blob/main/PURL-SPECIFICATION.rst
 * @returns null for anything else, and for more than 2,048 characters
 */
export function readPackageUrl(text: string): PackageUrl | null {
  if (text.length > LENGTH || !/^pkg:/i.test(text)) return null;
  try {
    const [withoutSubpath = ''] = text.slice('pkg:'.length).split('#', 1);
    const [path = '', ...queries] = withoutSubpath.split('?');
    const [type = '', ...rest] = path.split('/').filter((segment) => segment !== '');
    const last = rest.pop() ?? '';
    // The namespace of npm begins with an `@` that some do not encode.
    const at = last.lastIndexOf('@');
    const [name, version] = at > 0 ? [last.slice(0, at), last.slice(at + 1)] : [last, ''];
    if (!/^[A-Za-z][A-Za-z0-9.+-]*$/.test(type) || name === '') return null;
    return {
      type: type.toLowerCase(),
      namespace: rest.map(decodeURIComponent).join('/') || null,
      name: decodeURIComponent(name),
      version: decodeURIComponent(version) || null,
      qualifiers: qualifiersOf(queries.join('?')),
    };
  } catch {
    // An escape that is no UTF-8.
    return null;
  }
}

function qualifiersOf(query: string): Readonly<Record<string, string>> {
  const pairs = query.split('&').flatMap((pair) => {
    const at = pair.indexOf('=');
    const value = decodeURIComponent(pair.slice(at + 1));
    return at > 0 && value !== '' ? [[pair.slice(0, at).toLowerCase(), value] as const] : [];
  });
  return Object.fromEntries(pairs);
}

/** The name that an ecosystem and its databases give a package, such as `group:artifact` of Maven. */
export function packageName({ type, namespace, name }: PackageUrl): string {
  if (!namespace) return name;
  switch (type) {
    case 'maven':
      return `${namespace}:${name}`;
    case 'deb':
    case 'rpm':
    case 'apk':
      return name;
    default:
      return `${namespace}/${name}`;
  }
}

/** A name in the form in which names of its type are equal. */
export function canonicalName(type: string, name: string): string {
  if (type === 'pypi') return name.toLowerCase().replace(/[-_.]+/g, '-');
  return ['npm', 'maven', 'cargo', 'gem'].includes(type) ? name : name.toLowerCase();
}
