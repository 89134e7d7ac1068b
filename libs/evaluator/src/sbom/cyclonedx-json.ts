import { fieldsOf, firstOf, listOf, textOf, toolText } from './fields';
import {
  type Components,
  LICENCES_MAX,
  licencesOf,
  NAMED_MAX,
  otherThanPackage,
  type Sbom,
  type SbomComponent,
  sha256Of,
  sourceInProperties,
  UnreadableDocument,
} from './sbom';
import type { Fields, Selection } from './select-json';

const SERIAL = /^urn:uuid:([0-9a-f-]{36})$/i;

/** @param text such as `urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79` */
export function serialOf(text: string | null): Pick<Sbom, 'serial'> {
  const serial = SERIAL.exec(text ?? '')?.[1];
  return serial === undefined ? {} : { serial: serial.toLowerCase() };
}

const VERSIONS = ['1.2', '1.3', '1.4', '1.5', '1.6', '1.7'];

/**
 * The name of the format of a version.
 *
 * @throws UnreadableDocument for a version that is not supported
 */
export function cycloneDxFormat(version: string | null): string {
  if (version !== null && VERSIONS.includes(version)) return `cyclonedx-${version}`;
  throw new UnreadableDocument(`it is of CycloneDX ${version ?? 'without a version'}; versions 1.2 to 1.7 are read`);
}

/** How many properties of a component are read. */
export const PROPERTIES_MAX = 50;

const componentFields = {
  'bom-ref': 'text',
  type: 'text',
  group: 'text',
  name: 'text',
  version: 'text',
  purl: 'text',
  hashes: { each: { fields: () => ({ alg: 'text', content: 'text' }) }, most: 20 },
  licenses: {
    each: { fields: () => ({ license: { fields: () => ({ id: 'text', name: 'text' }) }, expression: 'text' }) },
    most: LICENCES_MAX,
  },
  properties: { each: { fields: () => ({ name: 'text', value: 'text' }) }, most: PROPERTIES_MAX },
} as const satisfies Record<string, Selection>;
const tool: Selection = { fields: () => ({ vendor: 'text', name: 'text', version: 'text' }) };

/** The parts of CycloneDX in JSON that are read. */
export function cycloneDxSelection(components: Components): Readonly<Record<string, Selection>> {
  const component: Selection = {
    fields: () => ({ ...componentFields, components: list }),
    take: (fields) => components.add(componentOf(fields)),
  };
  const list: Selection = { each: component, most: 0 };
  return {
    bomFormat: 'text',
    specVersion: 'text',
    serialNumber: 'text',
    metadata: {
      fields: () => ({
        timestamp: 'text',
        // Until version 1.4 a list of tools. Later versions also allow an object with a list of components.
        tools: {
          each: {
            fields: () => ({
              vendor: 'text',
              name: 'text',
              version: 'text',
              components: { each: tool, most: NAMED_MAX },
            }),
          },
          most: NAMED_MAX,
        },
        component: { fields: () => ({ ...componentFields, components: list }) },
      }),
    },
    components: list,
  };
}

/** Makes the document from the selected parts. */
export function cycloneDxOf(root: Fields, components: Components): Sbom {
  const metadata = fieldsOf(root['metadata']);
  const subject = componentOf(fieldsOf(metadata['component']));
  const tools = listOf(metadata['tools'])
    .flatMap((item) => [item, ...listOf(item['components'])])
    .flatMap((item) => toolText(textOf(item['vendor']), textOf(item['name']), textOf(item['version'])) ?? []);
  const { name, version, purl, sha256 } = subject;
  return {
    format: cycloneDxFormat(textOf(root['specVersion'])),
    createdAt: textOf(metadata['timestamp']),
    tools: tools.length === 0 ? null : tools.slice(0, NAMED_MAX),
    subject: name === null ? null : { name, version, purl, sha256 },
    ...serialOf(textOf(root['serialNumber'])),
    ...components.listed(),
  };
}

function componentOf(fields: Fields): Omit<SbomComponent, 'name'> & { readonly name: string | null } {
  const [group, name] = [textOf(fields['group']), textOf(fields['name'])];
  const digests = listOf(fields['hashes']).map(({ alg, content }) => sha256Of(textOf(alg), textOf(content)));
  return {
    id: textOf(fields['bom-ref']),
    name: group === null || name === null ? name : `${group}/${name}`,
    version: textOf(fields['version']),
    purl: textOf(fields['purl']),
    sha256: firstOf(digests),
    ...licencesOf(listOf(fields['licenses']).map(licenceOf)),
    ...sourceInProperties(listOf(fields['properties']).map(({ name, value }) => [textOf(name), textOf(value)])),
    ...otherThanPackage(textOf(fields['type'])),
  };
}

/** The identifier of a licence, or else its name, or else its expression. */
function licenceOf(choice: Fields): string | null {
  const { id, name } = fieldsOf(choice['license']);
  return firstOf([textOf(id), textOf(name), textOf(choice['expression'])]);
}
