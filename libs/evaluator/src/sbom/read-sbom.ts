import { err, ok, type Result } from '@assurance/kernel';
import { decoded } from '../decoded';
import { cycloneDxOf, cycloneDxSelection } from './cyclonedx-json';
import { readCycloneDxXml } from './cyclonedx-xml';
import { fieldsOf, listOf, textOf, textsOf } from './fields';
import { Components, type Sbom, sha256Of, UnreadableDocument } from './sbom';
import { type Fields, type Selection, selectJson } from './select-json';
import { DescribedPackages, spdxOf, spdxSelection } from './spdx-2';
import { Spdx3Graph } from './spdx-3';
import { readTagValue } from './spdx-tag-value';

const READ = 'CycloneDX 1.2 to 1.7 in JSON or XML, SPDX 2.2 and 2.3 in JSON or tag-value, SPDX 3.0 in JSON';
const [OPEN_OBJECT, LESS_THAN] = [0x7b, 0x3c];
/** The most bytes of a document, also of a compressed one. */
const BYTES_MAX = 64 * 1024 * 1024;
/** How many envelopes may be inside each other. */
const ENVELOPES_MAX = 5;

/**
 * Reads a software bill of materials: CycloneDX 1.2 to 1.7 in JSON and XML, SPDX 2.2 and 2.3 in JSON and tag-value, SPDX 3.0 in JSON. It may be in UTF-8
 * or UTF-16, compressed with gzip, and in a Sigstore bundle, a DSSE envelope, an in-toto statement or GitHub's export. Signatures are not verified.
 *
 * @param content the unchanged file
 * @returns a refusal is the second half of a sentence that begins with the file
 */
export function readSbom(content: Uint8Array): Result<Sbom, string> {
  try {
    return ok(documentOf(Buffer.from(content.buffer, content.byteOffset, content.byteLength)));
  } catch (error) {
    if (error instanceof UnreadableDocument) return err(error.message);
    throw error;
  }
}

function documentOf(content: Buffer): Sbom {
  const text = decoded(content, BYTES_MAX);
  if (!text.ok) throw new UnreadableDocument(`${text.refusal}. What is read: ${READ}`);
  return textDocument(text.value, 0);
}

function textDocument(bytes: Buffer, depth: number): Sbom {
  let first = 0;
  while ([0x20, 0x0a, 0x0d, 0x09].includes(bytes[first] ?? 0)) first += 1;
  if (first === bytes.length) throw new UnreadableDocument('it is empty');
  if (bytes[first] === OPEN_OBJECT) return jsonDocument(bytes, depth);
  if (bytes[first] === LESS_THAN) return readCycloneDxXml(bytes.subarray(first));
  if (!bytes.subarray(0, 65_536).includes('SPDXVersion:')) {
    throw new UnreadableDocument(`it is no document of a known format. What is read: ${READ}`);
  }
  return readTagValue(bytes);
}

function jsonDocument(bytes: Buffer, depth: number): Sbom {
  const [components, packages, described, graph] = [
    new Components(),
    new Components(),
    new DescribedPackages(),
    new Spdx3Graph(),
  ];
  const fields = { ...cycloneDxSelection(components), ...spdxSelection(packages, described), ...graph.selection };
  const document: Selection = { fields: () => fields };
  const envelope = { payload: 'long', payloadType: 'text' } as const;
  const root = selectJson(bytes, {
    fields: () => ({
      ...fields,
      ...envelope,
      sbom: document,
      SPDX: document,
      dsseEnvelope: { fields: () => envelope },
      subject: { each: { fields: () => ({ name: 'text', digest: { fields: () => ({ sha256: 'text' }) } }) }, most: 1 },
      predicate: { fields: () => ({ ...fields, Data: document }) },
    }),
  }) as Fields;
  const statement = fieldsOf(root['predicate']);
  for (const one of [root, root['sbom'], root['SPDX'], statement, statement['Data']].map(fieldsOf)) {
    if (one['bomFormat'] === 'CycloneDX') return about(root, cycloneDxOf(one, components));
    if (textOf(one['spdxVersion']) !== null) return about(root, spdxOf(one, packages, described));
    if (textsOf(one['@context']).some((text) => text.includes('spdx.org/rdf/'))) return about(root, graph.document());
  }
  const payload = textOf(root['payload']) ?? textOf(fieldsOf(root['dsseEnvelope'])['payload']);
  if (payload !== null && depth < ENVELOPES_MAX) return textDocument(Buffer.from(payload, 'base64'), depth + 1);
  throw new UnreadableDocument(`it is JSON of another kind. What is read: ${READ}`);
}

/** A document without a subject is about that of the statement around it. */
function about(root: Fields, sbom: Sbom): Sbom {
  const [first] = listOf(root['subject']);
  const name = textOf(first?.['name']);
  if (sbom.subject !== null || name === null) return sbom;
  const sha256 = sha256Of('SHA-256', textOf(fieldsOf(first?.['digest'])['sha256']));
  return { ...sbom, subject: { name, version: null, purl: null, sha256 } };
}
