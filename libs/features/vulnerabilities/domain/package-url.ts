import type { Purl } from '@assurance/evidence/domain/purl';

/** What a package URL names. */
export type PackageUrl = Pick<Purl, 'type' | 'namespace' | 'name' | 'version' | 'qualifiers'>;

/** Returns the package name that the ecosystem and its databases use, such as `group:artifact` for Maven. */
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

/** Returns the canonical form of a name. Two names of one type mean the same package if their canonical forms are equal. */
export function canonicalName(type: string, name: string): string {
  if (type === 'pypi') return name.toLowerCase().replace(/[-_.]+/g, '-');
  return ['npm', 'maven', 'cargo', 'gem'].includes(type) ? name : name.toLowerCase();
}
