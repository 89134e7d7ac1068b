import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';

const SCHEMAS = resolve(__dirname, '../../../docs/reference/cloudevents');

/** The types of events for others that are documented, in alphabetical order. */
export function publicEventTypes(): string[] {
  return readdirSync(SCHEMAS)
    .map((file) => file.replace(/\.json$/, ''))
    .sort();
}

/** Violations of the documented schema of an event's type. A field that the schema does not name is a violation. */
export function wrongIn({ type, data }: { readonly type: string; readonly data: unknown }): string[] {
  const schema: unknown = JSON.parse(readFileSync(resolve(SCHEMAS, `${type}.json`), 'utf8'));
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  const check = ajv.compile(closeSchema(schema) as object);
  return check(data) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The schema with objects that have no other properties than those that it names. */
function closeSchema(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  const fields = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closeSchema(value)]));
  return 'required' in schema ? { ...fields, additionalProperties: false } : fields;
}
