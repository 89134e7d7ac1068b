import type { DeclaredAttestation, DeclaredTrail, FlowTemplate } from '@assurance/contracts/flows/events';
import type { TemplateYaml } from '@assurance/contracts/flows/flow-template';
import { ok, type Result } from '@assurance/kernel';
import { checkTemplate } from './check-template';
import { readYaml, type YamlErrors } from './read-yaml';

/**
 * Reads a flow template of version 1. It keeps the YAML unchanged, and adds the attestations that the template requires. Errors
 * name line and column.
 *
 * @param bytes UTF-8
 */
export function readTemplate(bytes: Uint8Array): Result<FlowTemplate, YamlErrors> {
  const read = readYaml(bytes, 'template', checkTemplate);
  return read.ok ? ok({ yaml: read.value.text, ...requiredTrail(read.value.value as TemplateYaml) }) : read;
}

/** The required attestations of a template; empty if there are none. */
function requiredTrail({ trail }: TemplateYaml): { readonly trail?: DeclaredTrail } {
  const attestations = requiredAttestations(trail?.attestations);
  const artifacts = (trail?.artifacts ?? []).map((artifact) => ({
    name: artifact.name,
    attestations: requiredAttestations(artifact.attestations),
  }));
  return attestations.length + artifacts.length === 0 ? {} : { trail: { attestations, artifacts } };
}

function requiredAttestations(list: readonly DeclaredAttestation[] | null | undefined): DeclaredAttestation[] {
  return (list ?? []).map(({ name, type }) => ({ name, type }));
}
