import { VEX_STATUSES, type VexStatement } from '@assurance/contracts/vulnerabilities/events';
import type { Result } from '@assurance/kernel';
import { type Field, type FieldRefusal, readEach, readFields, type ReadItems } from './field';

const JUSTIFICATIONS = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
] as const;

const SHA_256 = /^[0-9a-f]{64}$/i;

/** Returns the SHA-256 of a component, and its package URL, or else its `@id`. */
function idsOf(component: Field): readonly string[] {
  if (typeof component.value === 'string') return [component.text()];
  const [identifiers, hashes] = [component.at('identifiers'), component.at('hashes')];
  const purl = identifiers.isPresent ? identifiers.at('purl').optionalText() : null;
  const sha256 = hashes.isPresent ? hashes.at('sha-256').optionalText() : null;
  const digests = sha256 !== null && SHA_256.test(sha256) ? [`sha256:${sha256.toLowerCase()}`] : [];
  const name = purl ?? (digests.length > 0 ? component.at('@id').optionalText() : component.at('@id').text());
  return name === null ? digests : [...digests, name];
}

function statementOf(statement: Field, document: Field, subjects: readonly string[]): VexStatement {
  const vulnerability = statement.at('vulnerability');
  // In version 0.0.1 the vulnerability is only a name.
  const isName = typeof vulnerability.value === 'string';
  const status = statement.at('status').oneOf(VEX_STATUSES);
  const justification = statement.at('justification');
  const hasReason = justification.isPresent || statement.at('impact_statement').isPresent;
  if (status === 'not_affected' && !hasReason) justification.refuse('Field required, or impact_statement');
  const updated = statement.at('last_updated').time() ?? statement.at('timestamp').time();
  const products = statement
    .at('products')
    .list()
    .flatMap((product) => {
      const isText = typeof product.value === 'string';
      const subcomponents = isText ? [] : product.at('subcomponents').list().flatMap(idsOf);
      return idsOf(product).map((id) => ({ id, subcomponents }));
    });
  return {
    vulnerability: (isName ? vulnerability : vulnerability.at('name')).text(),
    aliases: isName ? [] : vulnerability.at('aliases').texts(),
    products:
      products.length > 0 ? products : subjects.map((digest) => ({ id: `sha256:${digest}`, subcomponents: [] })),
    status,
    justification: justification.isPresent ? justification.oneOf(JUSTIFICATIONS) : null,
    by: statement.at('supplier').optionalName() ?? document.at('author').optionalName(),
    at: updated ?? document.at('timestamp').time(),
  };
}

/**
 * Reads the statements of an OpenVEX document. A statement without a time gets the time of its document.
 *
 * @param subjects SHA-256 of the artifacts that an in-toto statement around the document names; statements without products are about them
 *
 * @see https://github.com/openvex/spec/blob/main/OPENVEX-SPEC.md version 0.2.0
 */
export function readOpenVex(
  document: unknown,
  subjects: readonly string[] = [],
): Result<ReadItems<VexStatement>, FieldRefusal> {
  return readFields(document, (vex) => {
    const context = vex.at('@context');
    if (!context.text().startsWith('https://openvex.dev/ns'))
      context.refuse('Input should be https://openvex.dev/ns/v0.2.0');
    if (!vex.at('statements').isPresent) vex.at('statements').refuse('Field required');
    return readEach(vex.at('statements').list(), (statement) => [statementOf(statement, vex, subjects)]);
  });
}
