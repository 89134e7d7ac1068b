import { VEX_STATUSES, type VexStatement } from '@assurance/contracts/vulnerabilities/events';
import type { Result } from '@assurance/kernel';
import { type Field, type FieldRefusal, readFields } from './field';

const JUSTIFICATIONS = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
] as const;

/** Returns the package URL of a component, or its `@id` if it has none. */
function idOf(component: Field): string {
  if (typeof component.value === 'string') return component.text();
  const identifiers = component.at('identifiers');
  const purl = identifiers.isPresent ? identifiers.at('purl').optionalText() : null;
  return purl ?? component.at('@id').text();
}

function statementOf(statement: Field, document: Field): VexStatement {
  const vulnerability = statement.at('vulnerability');
  // In version 0.0.1 the vulnerability is only a name.
  const isName = typeof vulnerability.value === 'string';
  const status = statement.at('status').oneOf(VEX_STATUSES);
  const justification = statement.at('justification');
  const hasReason = justification.isPresent || statement.at('impact_statement').isPresent;
  if (status === 'not_affected' && !hasReason) justification.refuse('Field required, or impact_statement');
  const updated = statement.at('last_updated').time() ?? statement.at('timestamp').time();
  return {
    vulnerability: (isName ? vulnerability : vulnerability.at('name')).text(),
    aliases: isName ? [] : vulnerability.at('aliases').texts(),
    products: statement
      .at('products')
      .list()
      .map((product) => ({
        id: idOf(product),
        subcomponents: typeof product.value === 'string' ? [] : product.at('subcomponents').list().map(idOf),
      })),
    status,
    justification: justification.isPresent ? justification.oneOf(JUSTIFICATIONS) : null,
    by: statement.at('supplier').optionalName() ?? document.at('author').optionalName(),
    at: updated ?? document.at('timestamp').time(),
  };
}

/**
 * Reads the statements of an OpenVEX document. A statement without a time gets the time of its document.
 *
 * @see https://github.com/openvex/spec/blob/main/OPENVEX-SPEC.md version 0.2.0
 */
export function readOpenVex(document: unknown): Result<readonly VexStatement[], FieldRefusal> {
  return readFields(document, (vex) => {
    const context = vex.at('@context');
    if (!context.text().startsWith('https://openvex.dev/ns'))
      context.refuse('Input should be https://openvex.dev/ns/v0.2.0');
    if (!vex.at('statements').isPresent) vex.at('statements').refuse('Field required');
    return vex
      .at('statements')
      .list()
      .map((statement) => statementOf(statement, vex));
  });
}
