// Checks resources that Kubernetes does not define against the schemas of the projects that define them, from their Go modules.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parseAllDocuments } from 'yaml';
import { goModule } from '../go-tool.ts';
import type { Manifest } from './manifests.ts';

const DEFINITIONS: readonly (readonly [module: string, version: string, path: string])[] = [
  ['sigs.k8s.io/gateway-api', 'v1.6.0', 'config/crd/standard'],
  ['github.com/kedacore/keda/v2', 'v2.21.0', 'config/crd/bases'],
  ['github.com/prometheus-operator/prometheus-operator', 'v0.85.0', 'example/prometheus-operator-crd'],
];

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}
interface Definition {
  readonly kind: string;
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/** Go's expressions begin with `(?i)` where JavaScript has a flag. */
const regExp = Object.assign(
  (pattern: string, flags: string) =>
    new RegExp(pattern.replace('(?i)', ''), pattern.includes('(?i)') ? `${flags}i` : flags),
  { code: 'new RegExp' },
);

/**
 * Reads the definitions of custom resources. Rules in CEL (`x-kubernetes-validations`) are not evaluated.
 *
 * @returns finds what is wrong with a manifest, unknown fields too; null where nobody defines the resource
 * @throws Error if a module cannot be downloaded
 */
export function customResources(): (manifest: Manifest) => readonly string[] | null {
  const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false, logger: false, code: { regExp } });
  addFormats.default(ajv);
  const schemas = new Map(DEFINITIONS.flatMap((definition) => schemasOf(...definition)));
  return (manifest) => {
    const schema = schemas.get(`${manifest.apiVersion} ${manifest.kind}`);
    if (schema === undefined) return null;
    const validate = ajv.compile(schema);
    if (validate(manifest)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

function schemasOf(module: string, version: string, path: string): readonly (readonly [string, Schema])[] {
  const folder = join(goModule(module, version), path);
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files
    .flatMap((file) =>
      parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map(
        (document) => document.toJS() as Definition | null,
      ),
    )
    .flatMap((one) => (one?.kind === 'CustomResourceDefinition' ? [one.spec] : []))
    .flatMap(({ group, names, versions }) =>
      versions.map(({ name, schema }) => [`${group}/${name} ${names.kind}`, closed(schema.openAPIV3Schema)] as const),
    );
}

/** Refuses fields that a schema does not name. Kubernetes would remove them without an error. */
function closed(schema: Schema): Schema {
  const { properties, items, additionalProperties: others } = schema;
  const all: { -readonly [K in keyof Schema]: Schema[K] } = { ...schema };
  if (properties !== undefined) {
    all.properties = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, closed(one)]));
    all.additionalProperties = schema['x-kubernetes-preserve-unknown-fields'] === true;
  }
  if (items !== undefined) all.items = closed(items);
  if (typeof others === 'object') all.additionalProperties = closed(others);
  return all;
}
