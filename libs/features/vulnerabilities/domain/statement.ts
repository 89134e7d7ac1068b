import { readPurl } from '@assurance/evidence/domain/purl';
import { canonicalName, packageName, type PackageUrl } from './package-url';

/** What a VEX statement says of a product. */
export const STATUSES = ['not_affected', 'affected', 'fixed', 'under_investigation'] as const;
export type Status = (typeof STATUSES)[number];

interface Product {
  /** A package URL, or another identifier. */
  readonly id: string;
  /** The components of it that the statement is about; all where there are none. */
  readonly subcomponents: readonly string[];
}

/** A VEX statement, whatever its format. */
export interface Statement {
  readonly vulnerability: string;
  readonly aliases: readonly string[];
  readonly products: readonly Product[];
  readonly status: Status;
  /** Why a product is not affected, in the words of the format. */
  readonly justification: string | null;
  /** Who said so. */
  readonly by: string | null;
  /** Milliseconds since 1970; null where the document has no time. */
  readonly at: number | null;
}

/** What a question is about: a product, and the component of it that has the vulnerability. */
interface Subject {
  readonly product: string;
  readonly component?: string;
}

/** Whether a name in a statement covers an identifier: without a version all versions, without qualifiers all of them. */
function covers(stated: string, id: string): boolean {
  if (stated === id) return true;
  const [left, right] = [readPurl(stated), readPurl(id)];
  if (left === null || right === null || left.type !== right.type) return false;
  const nameOf = (purl: PackageUrl) => canonicalName(purl.type, [purl.namespace ?? '', packageName(purl)].join(' '));
  if (nameOf(left) !== nameOf(right) || (left.version && left.version !== right.version)) return false;
  return Object.entries(left.qualifiers ?? {}).every(([name, value]) => right.qualifiers?.[name] === value);
}

function isAbout({ products }: Statement, { product, component }: Subject): boolean {
  return products.some(({ id, subcomponents }) => {
    // Who makes a component may speak of it wherever it is.
    if (component !== undefined && covers(id, component)) return true;
    if (!covers(id, product)) return false;
    if (subcomponents.length === 0 || component === undefined) return true;
    return subcomponents.some((subcomponent) => covers(subcomponent, component));
  });
}

/**
 * What holds of a product and a vulnerability: the latest statement about both. Of statements of one time the later in the list is the latest;
 * those without a time are the earliest.
 *
 * @returns null where nobody said anything
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
