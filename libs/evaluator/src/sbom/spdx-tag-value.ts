import {
  Components,
  isPurlType,
  licencesOf,
  NAMED_MAX,
  otherThanPackage,
  purlAmong,
  type Sbom,
  type SbomComponent,
  sha256Of,
  sourceInText,
  TEXT_MAX,
  UnreadableDocument,
} from './sbom';
import { DescribedPackages, spdxDocument } from './spdx-2';

type Draft = { -readonly [K in keyof SbomComponent]: SbomComponent[K] };

const NEW_LINE = 0x0a;
/** How many bytes of a line are read at most, because only short values are kept. */
const LINE_MAX = 16_384;
const TAG = /^([A-Za-z0-9]+):[ \t]*(.*)$/s;

/**
 * Reads SPDX 2 in tag-value format.
 *
 * @param bytes UTF-8
 * @throws UnreadableDocument
 */
export function readTagValue(bytes: Buffer): Sbom {
  const document = new TagValueDocument();
  let line = 0;
  let isText = false;
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(NEW_LINE, at);
    const to = end === -1 ? bytes.length : end;
    line += 1;
    if (isText) isText = !bytes.subarray(at, to).includes('</text>');
    else {
      const text = bytes.toString('utf8', at, Math.min(to, at + LINE_MAX)).trim();
      if (text !== '' && !text.startsWith('#')) isText = document.take(text, line, bytes.subarray(at, to));
    }
    at = to + 1;
  }
  if (isText) throw new UnreadableDocument('a <text> does not end');
  return document.end();
}

class TagValueDocument {
  private readonly components = new Components();
  private readonly describedPackages = new DescribedPackages();
  private readonly creators: string[] = [];
  private version: string | null = null;
  private createdAt: string | null = null;
  private draft: Draft | null = null;

  /** @returns whether a `<text>` begins that continues in the next line */
  take(line: string, number: number, whole: Buffer): boolean {
    const [, tag = '', value = ''] = TAG.exec(line) ?? [];
    if (tag === '') throw new UnreadableDocument(`its line ${number} is no tag with a value`);
    if (this.version === null && tag !== 'SPDXVersion')
      throw new UnreadableDocument('it does not begin with SPDXVersion');
    this.tag(tag, value.length > TEXT_MAX ? value.slice(0, TEXT_MAX) : value);
    return value.startsWith('<text>') && !whole.includes('</text>');
  }

  end(): Sbom {
    this.finish();
    const head = { version: this.version ?? '', createdAt: this.createdAt, creators: this.creators };
    return spdxDocument(head, this.components, this.describedPackages.ids);
  }

  private tag(tag: string, value: string): void {
    switch (tag) {
      case 'SPDXVersion':
        this.version ??= value;
        return;
      case 'Created':
        this.createdAt ??= value;
        return;
      case 'Creator':
        if (this.creators.length < NAMED_MAX) this.creators.push(value);
        return;
      case 'Relationship': {
        const [from = null, type = null, to = null] = value.split(/\s+/);
        return this.describedPackages.relation(from, type, to);
      }
      case 'PackageName':
        this.finish();
        this.draft = { id: null, name: value, version: null, purl: null, sha256: null };
        return;
      case 'FileName':
      case 'SnippetSPDXID':
      case 'LicenseID':
        return this.finish();
      default:
        if (this.draft !== null) ofPackage(this.draft, tag, value);
    }
  }

  private finish(): void {
    if (this.draft !== null) this.components.add(this.draft);
    this.draft = null;
  }
}

function ofPackage(draft: Draft, tag: string, value: string): void {
  switch (tag) {
    case 'SPDXID':
      draft.id ??= value;
      return;
    case 'PackageVersion':
      draft.version ??= value;
      return;
    case 'PackageChecksum': {
      const [algorithm = null, digest = null] = value.split(/:\s*/);
      draft.sha256 ??= sha256Of(algorithm, digest);
      return;
    }
    case 'PackageLicenseConcluded':
    case 'PackageLicenseDeclared':
      Object.assign(draft, licencesOf([...(draft.licences ?? []), value]));
      return;
    case 'PackageSourceInfo':
      Object.assign(draft, sourceInText(value.replace(/<\/?text>/g, '').trim()));
      return;
    case 'PrimaryPackagePurpose':
      Object.assign(draft, otherThanPackage(value));
      return;
    case 'ExternalRef': {
      const [, type, locator = null] = value.split(/\s+/);
      if (isPurlType(type ?? null)) draft.purl = purlAmong([draft.purl, locator]);
      return;
    }
  }
}
