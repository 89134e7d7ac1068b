import type { VexStatement, VexStatus } from '@assurance/contracts/vulnerabilities/events';
import { decodePercent, type Result } from '@assurance/kernel';
import { type Field, type FieldRefusal, readEach, readFields, type ReadItems } from './field';
import { readPurl } from '@assurance/evidence/domain/purl';
import { type PackageUrl } from './package-url';

const STATES = {
  resolved: 'fixed',
  resolved_with_pedigree: 'fixed',
  exploitable: 'affected',
  in_triage: 'under_investigation',
  false_positive: 'not_affected',
  not_affected: 'not_affected',
} as const satisfies Readonly<Record<string, VexStatus>>;
const STATE_NAMES = Object.keys(STATES) as (keyof typeof STATES)[];
const JUSTIFICATIONS = [
  ...(['code_not_present', 'code_not_reachable', 'requires_configuration', 'requires_dependency'] as const),
  ...(['requires_environment', 'protected_by_compiler', 'protected_at_runtime', 'protected_at_perimeter'] as const),
  'protected_by_mitigating_control',
] as const;
const RESPONSES = ['can_not_fix', 'will_not_fix', 'update', 'rollback', 'workaround_available'] as const;

/** Maps the `bom-ref` of each component to its package URL. It includes nested components. */
function purlsOf(bom: Field): ReadonlyMap<string, string> {
  const purls = new Map<string, string>();
  const metadata = bom.at('metadata');
  const components = [...bom.at('components').list()];
  if (metadata.isPresent && metadata.at('component').isPresent) components.push(metadata.at('component'));
  for (let component = components.pop(); component !== undefined; component = components.pop()) {
    const [ref, purl] = [component.at('bom-ref').optionalText(), component.at('purl').optionalText()];
    if (ref !== null && purl !== null) purls.set(ref, purl);
    for (const inner of component.at('components').list()) components.push(inner);
  }
  return purls;
}

/** Resolves a reference: to a component of this document, a package URL, or a BOM-Link (`urn:cdx:serial/version#ref`). */
function idOf(ref: string, purls: ReadonlyMap<string, string>): string {
  const hash = ref.startsWith('urn:cdx:') ? ref.indexOf('#') : -1;
  const name = hash < 0 ? ref : decodePercent(ref.slice(hash + 1));
  return purls.get(name) ?? (readPurl(name) === null ? ref : name);
}

/** Puts a version into a package URL, before its qualifiers and subpath. */
function withVersion(id: string, purl: PackageUrl | null, version: string): string {
  if (purl === null) return id;
  const end = id.search(/[?#]/);
  const path = end < 0 ? id : id.slice(0, end);
  const at = purl.version ? path.lastIndexOf('@') : path.length;
  return `${path.slice(0, at)}@${encodeURIComponent(version)}${end < 0 ? '' : id.slice(end)}`;
}

/** Returns the affected products, each with its status. A version has its own status. Ranges of versions are refused alone. */
function productsOf(
  vulnerability: Field,
  status: VexStatus,
  purls: ReadonlyMap<string, string>,
  refusals: FieldRefusal[],
) {
  return vulnerability
    .at('affects')
    .list()
    .flatMap((affected) => {
      const id = idOf(affected.at('ref').text(), purls);
      const versions = affected.at('versions').list();
      if (versions.length === 0) return [{ id, status }];
      const purl = readPurl(id);
      return versions.flatMap((entry) => {
        if (!entry.at('version').isPresent) {
          const { path } = entry.at('range');
          refusals.push({ field: path, problem: 'Ranges of versions are not read: list the versions' });
          return [];
        }
        const own = entry.at('status').isPresent
          ? entry.at('status').oneOf(['affected', 'unaffected', 'unknown'])
          : 'affected';
        const effective = own === 'unaffected' ? 'not_affected' : own === 'unknown' ? 'under_investigation' : status;
        return [{ id: withVersion(id, purl, entry.at('version').text()), status: effective }];
      });
    });
}

function authorOf(metadata: Field): string | null {
  if (!metadata.isPresent) return null;
  const supplier = metadata.at('supplier');
  const name = supplier.isPresent ? supplier.at('name').optionalName() : null;
  return name ?? metadata.at('authors').list()[0]?.at('name').optionalName() ?? null;
}

function statementsOf(
  vulnerability: Field,
  bom: Field,
  purls: ReadonlyMap<string, string>,
  refusals: FieldRefusal[],
): readonly VexStatement[] {
  const analysis = vulnerability.at('analysis');
  if (!analysis.isPresent || !analysis.at('state').isPresent) return [];
  const status = STATES[analysis.at('state').oneOf(STATE_NAMES)];
  const reason = analysis.at('justification');
  const justification = reason.isPresent ? reason.oneOf(JUSTIFICATIONS) : null;
  for (const response of analysis.at('response').list()) response.oneOf(RESPONSES);
  const metadata = bom.at('metadata');
  const at =
    analysis.at('lastUpdated').time() ??
    analysis.at('firstIssued').time() ??
    vulnerability.at('updated').time() ??
    (metadata.isPresent ? metadata.at('timestamp').time() : null);
  const shared = {
    vulnerability: vulnerability.at('id').text(),
    aliases: vulnerability
      .at('references')
      .list()
      .map((reference) => reference.at('id').text()),
    by: authorOf(metadata),
    at,
  };
  const products = productsOf(vulnerability, status, purls, refusals);
  const statuses = new Set(products.map((product) => product.status));
  return [...statuses].map((candidate) => ({
    ...shared,
    status: candidate,
    justification: candidate === 'not_affected' ? justification : null,
    products: products.filter((product) => product.status === candidate).map(({ id }) => ({ id, subcomponents: [] })),
  }));
}

/**
 * Reads the VEX statements of a CycloneDX document of version 1.4 or later. A vulnerability without an analysis makes no statement.
 *
 * @see https://cyclonedx.org/docs/1.6/json/#vulnerabilities
 */
export function readCycloneDxVex(document: unknown): Result<ReadItems<VexStatement>, FieldRefusal> {
  return readFields(document, (bom) => {
    bom.at('bomFormat').oneOf(['CycloneDX']);
    const version = bom.at('specVersion');
    if (!/^1\.([4-9]|[1-9][0-9])$/.test(version.text())) version.refuse('Input should be 1.4 or later');
    const purls = purlsOf(bom);
    const ranges: FieldRefusal[] = [];
    const { items, refusals } = readEach(bom.at('vulnerabilities').list(), (vulnerability) =>
      statementsOf(vulnerability, bom, purls, ranges),
    );
    return { items, refusals: [...refusals, ...ranges] };
  });
}
