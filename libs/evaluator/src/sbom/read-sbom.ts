import { isUtf8 } from 'node:buffer';
import { err, ok, type Result } from '@assurance/kernel';
import { cycloneDxOf, cycloneDxSelection } from './cyclonedx-json';
import { readCycloneDxXml } from './cyclonedx-xml';
import { textOf, textsOf } from './fields';
import { Components, type Sbom, UnreadableDocument } from './sbom';
import { type Fields, selectJson } from './select-json';
import { DescribedPackages, spdxOf, spdxSelection } from './spdx-2';
import { Spdx3Graph } from './spdx-3';
import { readTagValue } from './spdx-tag-value';

const READ = 'CycloneDX 1.2 to 1.7 in JSON or XML, SPDX 2.2 and 2.3 in JSON or tag-value, SPDX 3.0 in JSON';
const [OPEN_OBJECT, LESS_THAN, MARK] = [0x7b, 0x3c, '\ufeff'];

/**
 * Reads a software bill of materials: CycloneDX 1.2 to 1.7 in JSON and XML, SPDX 2.2 and 2.3 in JSON and tag-value, SPDX 3.0 in JSON.
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
  if (!isUtf8(content)) throw new UnreadableDocument(`it is not UTF-8 text. What is read: ${READ}`);
  const mark = Buffer.from(MARK);
  const bytes = content.subarray(0, mark.length).equals(mark) ? content.subarray(mark.length) : content;
  let first = 0;
  while ([0x20, 0x0a, 0x0d, 0x09].includes(bytes[first] ?? 0)) first += 1;
  if (first === bytes.length) throw new UnreadableDocument('it is empty');
  if (bytes[first] === OPEN_OBJECT) return jsonDocument(bytes);
  if (bytes[first] === LESS_THAN) return readCycloneDxXml(bytes.subarray(first));
  if (!bytes.subarray(0, 65_536).includes('SPDXVersion:')) {
    throw new UnreadableDocument(`it is no document of a known format. What is read: ${READ}`);
  }
  return readTagValue(bytes);
}

function jsonDocument(bytes: Buffer): Sbom {
  const [components, packages, described, graph] = [
    new Components(),
    new Components(),
    new DescribedPackages(),
    new Spdx3Graph(),
  ];
  const fields = { ...cycloneDxSelection(components), ...spdxSelection(packages, described), ...graph.selection };
  const root = selectJson(bytes, { fields: () => fields }) as Fields;
  if (root['bomFormat'] === 'CycloneDX') return cycloneDxOf(root, components);
  if (textOf(root['spdxVersion']) !== null) return spdxOf(root, packages, described);
  if (textsOf(root['@context']).some((text) => text.includes('spdx.org/rdf/'))) return graph.document();
  throw new UnreadableDocument(`it is JSON of another kind. What is read: ${READ}`);
}
