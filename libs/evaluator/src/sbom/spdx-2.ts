import { fieldsOf, firstOf, listOf, textOf, textsOf } from './fields';
import {
  type Components,
  isPurlType,
  licencesOf,
  NAMED_MAX,
  otherThanPackage,
  purlAmong,
  type Sbom,
  sha256Of,
  sourceInText,
  subjectOf,
  UnreadableDocument,
} from './sbom';
import type { Fields, Selection } from './select-json';

const VERSIONS = ['2.2', '2.3'];
const TOOL = /^Tool:\s*/i;

/**
 * The name of the format of a version. Documents write the version as `SPDX-2.3`.
 *
 * @throws UnreadableDocument for a version that is not supported
 */
function spdxFormat(version: string): string {
  const number = version.replace(/^SPDX-/i, '');
  if (VERSIONS.includes(number)) return `spdx-${number}`;
  throw new UnreadableDocument(`it is of SPDX ${number}; versions 2.2, 2.3 and 3.0 are read`);
}

/** Collects the ids of the packages that a document describes. */
export class DescribedPackages {
  readonly ids: string[] = [];

  add(id: string | null): void {
    if (id !== null && this.ids.length < NAMED_MAX) this.ids.push(id);
  }

  relation(from: string | null, type: string | null, to: string | null): void {
    if (type === 'DESCRIBES' && from === 'SPDXRef-DOCUMENT') this.add(to);
    if (type === 'DESCRIBED_BY' && to === 'SPDXRef-DOCUMENT') this.add(from);
  }
}

/** The parts of SPDX 2 in JSON that are read. */
export function spdxSelection(
  components: Components,
  describedPackages: DescribedPackages,
): Readonly<Record<string, Selection>> {
  return {
    spdxVersion: 'text',
    creationInfo: { fields: () => ({ created: 'text', creators: { each: 'text', most: NAMED_MAX } }) },
    documentDescribes: { each: 'text', most: NAMED_MAX },
    packages: {
      each: {
        fields: () => ({
          SPDXID: 'text',
          name: 'text',
          versionInfo: 'text',
          licenseConcluded: 'text',
          licenseDeclared: 'text',
          primaryPackagePurpose: 'text',
          sourceInfo: 'text',
          externalRefs: { each: { fields: () => ({ referenceType: 'text', referenceLocator: 'text' }) }, most: 100 },
          checksums: { each: { fields: () => ({ algorithm: 'text', checksumValue: 'text' }) }, most: 20 },
        }),
        take: (fields) => components.add(packageOf(fields)),
      },
      most: 0,
    },
    relationships: {
      each: {
        fields: () => ({ spdxElementId: 'text', relationshipType: 'text', relatedSpdxElement: 'text' }),
        take: (fields) =>
          describedPackages.relation(
            textOf(fields['spdxElementId']),
            textOf(fields['relationshipType']),
            textOf(fields['relatedSpdxElement']),
          ),
      },
      most: 0,
    },
  };
}

function packageOf(fields: Fields) {
  const digests = listOf(fields['checksums']).map((item) =>
    sha256Of(textOf(item['algorithm']), textOf(item['checksumValue'])),
  );
  const purls = listOf(fields['externalRefs']).filter(({ referenceType }) => isPurlType(textOf(referenceType)));
  return {
    id: textOf(fields['SPDXID']),
    name: textOf(fields['name']),
    version: textOf(fields['versionInfo']),
    purl: purlAmong(purls.map(({ referenceLocator }) => textOf(referenceLocator))),
    sha256: firstOf(digests),
    ...licencesOf([textOf(fields['licenseConcluded']), textOf(fields['licenseDeclared'])]),
    ...sourceInText(textOf(fields['sourceInfo'])),
    ...otherThanPackage(textOf(fields['primaryPackagePurpose'])),
  };
}

/** Makes the document from the selected parts. */
export function spdxOf(root: Fields, components: Components, describedPackages: DescribedPackages): Sbom {
  const creation = fieldsOf(root['creationInfo']);
  for (const id of textsOf(root['documentDescribes'])) describedPackages.add(id);
  return spdxDocument(
    {
      version: textOf(root['spdxVersion']) ?? 'without a version',
      createdAt: textOf(creation['created']),
      creators: textsOf(creation['creators']),
    },
    components,
    describedPackages.ids,
  );
}

/** Makes the document from its parts, for JSON and for tag-value. */
export function spdxDocument(
  head: { readonly version: string; readonly createdAt: string | null; readonly creators: readonly string[] },
  components: Components,
  describedIds: readonly string[],
): Sbom {
  const tools = head.creators.filter((creator) => TOOL.test(creator)).map((creator) => creator.replace(TOOL, ''));
  const requestedIds = new Set(describedIds);
  const subject = components.all.find(({ id }) => id !== null && requestedIds.has(id));
  return {
    format: spdxFormat(head.version),
    createdAt: head.createdAt,
    tools: tools.length === 0 ? null : tools,
    subject: subject === undefined ? null : subjectOf(subject),
    ...components.listed(subject),
  };
}
