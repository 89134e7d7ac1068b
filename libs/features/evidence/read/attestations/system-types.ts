import type { SystemAttestationTypeAnswer } from '@assurance/contracts/evidence/answers/system-type';
import { attestationFields } from '@assurance/contracts/evidence/bodies/attestation';
import {
  DecisionDataInput,
  GenericAttestationInput,
  JiraAttestationInput,
  JunitAttestationInput,
  OverrideInput,
  PullRequestAttestationInput,
  SbomDataInput,
  SnykAttestationInput,
  SonarAttestationInput,
} from '@assurance/contracts/evidence/bodies/attestation-types';
import { type Component, schemasOf } from '@assurance/contracts/http/shape';

type Schema = Readonly<Record<string, unknown>>;

/** For each type, the shape of the fields that it adds to an attestation. */
const TYPES: Readonly<Record<string, Component<object>>> = {
  decision: DecisionDataInput,
  generic: GenericAttestationInput,
  jira: JiraAttestationInput,
  junit: JunitAttestationInput,
  override: OverrideInput,
  pull_request: PullRequestAttestationInput,
  sbom: SbomDataInput,
  snyk: SnykAttestationInput,
  sonar: SonarAttestationInput,
};

let answers: readonly SystemAttestationTypeAnswer[] | null = null;

/** Returns the built-in types by name, with the schemas of the fields that they add to an attestation. */
export function systemAttestationTypes(): readonly SystemAttestationTypeAnswer[] {
  answers ??= Object.entries(TYPES).map(([name, type]) => ({
    name,
    versions: [{ version: 1, type_schema: schemaOf(type) }],
  }));
  return answers;
}

/** Returns the self-contained schema of a shape, without the fields that all attestations have. */
function schemaOf(shape: Component<object>): Schema {
  const { [shape.name]: whole = {}, ...parts } = schemasOf(shape);
  const { properties, required, ...rest } = whole as { readonly properties?: Schema; readonly required?: string[] };
  const own = Object.entries(properties ?? {}).filter(([name]) => !Object.hasOwn(attestationFields, name));
  const needed = (required ?? []).filter((name) => !Object.hasOwn(attestationFields, name));
  const schema = { ...rest, properties: Object.fromEntries(own), ...(needed.length === 0 ? {} : { required: needed }) };
  const defs = usedParts(schema, parts);
  return withDefinitionReferences({ ...schema, ...(Object.keys(defs).length === 0 ? {} : { $defs: defs }) });
}

/** Returns the parts that a schema refers to, directly or indirectly. */
function usedParts(schema: Schema, parts: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const usedSchemas: Record<string, Schema> = {};
  const schemasToVisit: Schema[] = [schema];
  for (let item = schemasToVisit.pop(); item !== undefined; item = schemasToVisit.pop()) {
    for (const [, name = ''] of JSON.stringify(item).matchAll(REFERENCE)) {
      const part = parts[name];
      if (part === undefined || Object.hasOwn(usedSchemas, name)) continue;
      usedSchemas[name] = part;
      schemasToVisit.push(part);
    }
  }
  return usedSchemas;
}

const REFERENCE = /"\$ref":"[^"]*\/([^"/]+)"/g;

function withDefinitionReferences(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replace(REFERENCE, '"$ref":"#/$defs/$1"')) as Schema;
}
