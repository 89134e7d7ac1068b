import type { Purl } from '@assurance/evidence/domain/purl';

/** What a package URL names. */
export type PackageUrl = Pick<Purl, 'type' | 'namespace' | 'name' | 'version' | 'qualifiers'>;

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
