import { addTo } from '@assurance/kernel';
import type { ListedComponent } from '@assurance/contracts/evidence/events';
import type { ComponentPattern, ComponentsRule } from '@assurance/contracts/policies/events';
import { packageIdentity, readPurl } from '@assurance/evidence/domain/purl';
import { type DeniedComponents, mergeDenied } from '@assurance/policies/domain/bill';
import { isNamedBy, readPattern, type ReadPattern } from './pattern';

/** A package URL without version, qualifiers and subpath. In the canonical form, they begin at the first of these characters. */
const PACKAGE = /^[^@?#]+/;
const TYPE = /^pkg:[^/]+\//;

/** A rule about components, indexed for matching. */
export interface DenyingRule {
  /** Indexes in `deny`, by the package that they name. */
  readonly byPackage: ReadonlyMap<string, readonly number[]>;
  /** Indexes in `deny` of patterns with `*`, by `pkg:type/`. */
  readonly byType: ReadonlyMap<string, readonly number[]>;
  readonly deny: readonly ReadPattern[];
  /** Null: an exception for everything. */
  readonly exceptions: readonly (ReadPattern | null)[];
}

/** Reads a stored rule. Its patterns were valid when they were stored. */
export function readDenyingRule({ deny, exceptions }: Pick<ComponentsRule, 'deny' | 'exceptions'>): DenyingRule {
  const patterns = deny.map(patternOf);
  const [byPackage, byType] = [new Map<string, number[]>(), new Map<string, number[]>()];
  for (const [place, { type, package: packageKey }] of patterns.entries()) {
    const [map, key] = packageKey === null ? [byType, `pkg:${type}/`] : [byPackage, packageKey];
    addTo(map, key, place);
  }
  const read = exceptions.map(({ component }) => (component === null ? null : patternOf(component)));
  return { byPackage, byType, deny: patterns, exceptions: read };
}

function patternOf(pattern: ComponentPattern): ReadPattern {
  const read = readPattern(pattern);
  if ('problem' in read) throw new Error(`the stored pattern ${pattern.purl} cannot be read: ${read.problem}`);
  return read;
}

/**
 * The components that a rule denies, wherever its exceptions hold. No pattern matches a component without a package URL. A component
 * with a version that cannot be compared with the range is denied, and no exception covers it.
 */
export function deniedIn(rule: DenyingRule, components: readonly ListedComponent[]): readonly DeniedComponents[] {
  const deniedComponents: DeniedComponents[] = [];
  for (const { purl, version } of components) {
    if (purl === null) continue;
    const byPackage = rule.byPackage.get(packageIdentity(PACKAGE.exec(purl)?.[0] ?? ''));
    const byType = rule.byType.get(TYPE.exec(purl)?.[0] ?? '');
    if (byPackage === undefined && byType === undefined) continue;
    const read = readPurl(purl);
    if (read === null) continue;
    const matches = [...(byPackage ?? []), ...(byType ?? [])].flatMap((deny) => {
      const pattern = rule.deny[deny];
      const isNamed = pattern === undefined ? false : isNamedBy(pattern, read, version);
      return isNamed === false ? [] : [{ deny, unsure: isNamed === undefined }];
    });
    // A certain match replaces an uncertain one.
    const by = matches.find(({ unsure }) => !unsure) ?? matches[0];
    if (by === undefined) continue;
    const exceptions = rule.exceptions.flatMap((exception, place) =>
      exception !== null && isNamedBy(exception, read, version) === true ? [place] : [],
    );
    deniedComponents.push({ ...by, exceptions, first: [purl], count: 1 });
  }
  return deniedComponents.length === 0 ? NOTHING : mergeDenied(deniedComponents.map((one) => [one]));
}

const NOTHING: readonly DeniedComponents[] = [];
