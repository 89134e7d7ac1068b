import { firstOf, listOf, textOf, textsOf } from './fields';
import {
  Components,
  NAMED_MAX,
  otherThanPackage,
  purlAmong,
  type Sbom,
  sha256Of,
  subjectOf,
  UnreadableDocument,
} from './sbom';
import type { Fields, Selection } from './select-json';

/** Collects packages, tools, roots and creation information from the elements of a graph. */
export class Spdx3Graph {
  readonly components = new Components();
  private readonly tools: string[] = [];
  private readonly documentRoots: string[] = [];
  private readonly sbomRoots = new Map<string, readonly string[]>();
  private creation: Fields | null = null;
  private elements = 0;

  /** The parts of SPDX 3 in JSON that are read. */
  readonly selection: Readonly<Record<string, Selection>> = {
    '@context': { each: 'text', most: 10 },
    '@graph': {
      each: {
        fields: () => ({
          type: 'text',
          spdxId: 'text',
          name: 'text',
          specVersion: 'text',
          created: 'text',
          software_packageVersion: 'text',
          software_packageUrl: 'text',
          software_primaryPurpose: 'text',
          rootElement: { each: 'text', most: NAMED_MAX },
          verifiedUsing: { each: { fields: () => ({ algorithm: 'text', hashValue: 'text' }) }, most: 20 },
          externalIdentifier: {
            each: { fields: () => ({ externalIdentifierType: 'text', identifier: 'text' }) },
            most: 100,
          },
        }),
        take: (fields) => this.take(fields),
      },
      most: 0,
    },
  };

  /** @throws UnreadableDocument for a version that is not supported, and for a graph without elements */
  document(): Sbom {
    const version = textOf(this.creation?.['specVersion']);
    if (this.elements === 0) throw new UnreadableDocument('its @graph has no element');
    if (version === null || !/^3\.0(\.|$)/.test(version)) {
      throw new UnreadableDocument(
        `it is of SPDX ${version ?? 'without a version'}; versions 2.2, 2.3 and 3.0 are read`,
      );
    }
    const roots = new Set(this.documentRoots.flatMap((id) => this.sbomRoots.get(id) ?? [id]));
    if (roots.size === 0) for (const ids of this.sbomRoots.values()) for (const id of ids) roots.add(id);
    const subject = this.components.all.find(({ id }) => id !== null && roots.has(id));
    return {
      format: 'spdx-3.0',
      createdAt: textOf(this.creation?.['created']),
      tools: this.tools.length === 0 ? null : this.tools,
      subject: subject === undefined ? null : subjectOf(subject),
      ...this.components.listed(subject),
    };
  }

  private take(fields: Fields): void {
    this.elements += 1;
    const id = textOf(fields['spdxId']);
    switch (fields['type']) {
      case 'software_Package':
        return this.components.add(packageOf(fields, id));
      case 'CreationInfo':
        this.creation ??= fields;
        return;
      case 'Tool': {
        const name = textOf(fields['name']);
        if (name !== null && this.tools.length < NAMED_MAX) this.tools.push(name);
        return;
      }
      case 'SpdxDocument':
        this.documentRoots.push(...textsOf(fields['rootElement']).slice(0, NAMED_MAX - this.documentRoots.length));
        return;
      case 'software_Sbom':
        if (id !== null && this.sbomRoots.size < NAMED_MAX) this.sbomRoots.set(id, textsOf(fields['rootElement']));
    }
  }
}

function packageOf(fields: Fields, id: string | null) {
  const digests = listOf(fields['verifiedUsing']).map(({ algorithm, hashValue }) =>
    sha256Of(textOf(algorithm), textOf(hashValue)),
  );
  const identifiers = listOf(fields['externalIdentifier']);
  const purls = identifiers.filter(({ externalIdentifierType: type }) => type === 'packageUrl' || type === 'purl');
  return {
    id,
    name: textOf(fields['name']),
    version: textOf(fields['software_packageVersion']),
    purl: purlAmong([textOf(fields['software_packageUrl']), ...purls.map(({ identifier }) => textOf(identifier))]),
    sha256: firstOf(digests),
    ...otherThanPackage(textOf(fields['software_primaryPurpose'])),
  };
}
