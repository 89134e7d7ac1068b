import type { VexStatement as Statement } from '@assurance/contracts/vulnerabilities/events';
import { readPurl } from '@assurance/evidence/domain/purl';
import { canonicalName, packageName, type PackageUrl } from './package-url';

/** The subject of a query: a product, and the component of it that has the vulnerability. */
interface Subject {
  /** An identifier of the product, or the SHA-256 of an artifact. */
  readonly product: string;
  readonly component?: string;
  /** Other names of the artifact: the package URL of what its bills of materials describe, and `urn:cdx:` with their serial numbers. */
  readonly roots?: readonly string[];
}

/** Whether an identifier is the digest of an artifact, or a package URL with this digest as its version: `pkg:oci/web@sha256:…`. */
function namesDigest(id: string, digest: string): boolean {
  if (id === `sha256:${digest}`) return true;
  return id.includes(digest) && readPurl(id)?.version === `sha256:${digest}`;
}

/** Whether a name in a statement covers an identifier. A name without a version covers all versions; one without qualifiers covers all qualifiers. */
function covers(stated: string, id: string): boolean {
  if (stated === id) return true;
  const [left, right] = [readPurl(stated), readPurl(id)];
  if (left === null || right === null || left.type !== right.type) return false;
  const nameOf = (purl: PackageUrl) => canonicalName(purl.type, [purl.namespace ?? '', packageName(purl)].join(' '));
  if (nameOf(left) !== nameOf(right) || (left.version && left.version !== right.version)) return false;
  return Object.entries(left.qualifiers ?? {}).every(([name, value]) => right.qualifiers?.[name] === value);
}

/** Whether a name in a statement is one of the names of an artifact. A BOM-Link names a whole document: `urn:cdx:serial/version`. */
export function coversRoot(stated: string, root: string): boolean {
  if (!root.startsWith('urn:cdx:')) return covers(stated, root);
  return !stated.includes('#') && stated.split('/', 1)[0]?.toLowerCase() === root;
}

function isAbout({ products }: Statement, { product, component, roots = [] }: Subject): boolean {
  return products.some(({ id, subcomponents }) => {
    // The maker of a component may make a statement about the component in any product.
    if (component !== undefined && covers(id, component)) return true;
    const isProduct = covers(id, product) || namesDigest(id, product) || roots.some((root) => coversRoot(id, root));
    if (!isProduct) return false;
    if (subcomponents.length === 0 || component === undefined) return true;
    return subcomponents.some((subcomponent) => covers(subcomponent, component));
  });
}

/**
 * Returns the VEX statement that applies to a product and a vulnerability: the latest one about both. If two statements have the same time, the later
 * one in the list counts. A statement without a time counts as the earliest.
 *
 * @returns null if there is no statement
 */
export function vexState(
  statements: readonly Statement[],
  subject: Subject,
  vulnerability: { readonly id: string; readonly aliases: readonly string[] },
): Statement | null {
  const names = new Set([vulnerability.id, ...vulnerability.aliases]);
  let latest: Statement | null = null;
  for (const statement of statements) {
    if (latest !== null && (statement.at ?? 0) < (latest.at ?? 0)) continue;
    const isNamed = names.has(statement.vulnerability) || statement.aliases.some((alias) => names.has(alias));
    if (isNamed && isAbout(statement, subject)) latest = statement;
  }
  return latest;
}
