import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './manifests';
import { tools } from './run';

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
let faultsOf: ((manifest: Manifest) => readonly string[] | null) | undefined;

/**
 * Checks resources that Kubernetes does not define against the schemas of the projects that define them. Rules in CEL
 * (`x-kubernetes-validations`) are not evaluated.
 *
 * @returns finds what is wrong with a manifest, unknown fields too; null where nobody defines the resource
 */
export const customResources = () => (faultsOf ??= readDefinitions());

function readDefinitions(): (manifest: Manifest) => readonly string[] | null {
  const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false, logger: false, code: { regExp } });
  addFormats(ajv);
  const schemas = new Map(tools().definitions.flatMap(schemasOf));
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

function schemasOf(folder: string): readonly (readonly [string, Schema])[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8')))
    .map((document) => document.toJS() as Definition | null)
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
