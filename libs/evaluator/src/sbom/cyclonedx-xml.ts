import { type SAXParser, parser as saxParser, type Tag } from 'sax';
import { cycloneDxFormat, PROPERTIES_MAX, serialOf } from './cyclonedx-json';
import { toolText } from './fields';
import {
  Components,
  DEPTH_MAX,
  LICENCES_MAX,
  licencesOf,
  NAMED_MAX,
  otherThanPackage,
  type Sbom,
  type SbomComponent,
  sha256Of,
  sourceInProperties,
  TEXT_MAX,
  UnreadableDocument,
} from './sbom';

/** How many bytes the parser gets at once. */
const PIECE = 65_536;
const NAMESPACE = /^http:\/\/cyclonedx\.org\/schema\/bom\/([0-9.]+)$/;

type Draft = {
  -readonly [K in Exclude<keyof SbomComponent, 'licences' | 'source' | 'isOther'>]: SbomComponent[K] | null;
} & {
  group: string | null;
  readonly type: string | null;
  readonly licences: string[];
  readonly properties: [name: string | null, value: string | null][];
  /** How many elements are open within the root while the component is. */
  readonly depth: number;
};

/**
 * Reads CycloneDX in XML. The parser knows only the predefined entities of XML, and refuses a document type.
 *
 * @param bytes UTF-8
 * @throws UnreadableDocument
 */
export function readCycloneDxXml(bytes: Buffer): Sbom {
  const document = new XmlDocument();
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length; at += PIECE) {
    document.write(decoder.decode(bytes.subarray(at, at + PIECE), { stream: true }));
  }
  return document.end();
}

class XmlDocument {
  private readonly parser: SAXParser = saxParser(true, { position: false });
  private readonly components = new Components();
  /** The names of the open elements. The prefix of the root is removed; other prefixes are kept. */
  private readonly path: string[] = [];
  private readonly drafts: Draft[] = [];
  private readonly tools: string[] = [];
  private tool: { vendor: string | null; name: string | null; version: string | null } | null = null;
  private prefix = '';
  private format: string | null = null;
  private createdAt: string | null = null;
  private serial: ReturnType<typeof serialOf> = {};
  private subject: Draft | null = null;
  private algorithm: string | null = null;
  private property: string | null = null;
  /** The text of the open element; null if its text is not needed. */
  private text: string | null = null;
  private isComplete = false;

  constructor() {
    const { parser } = this;
    parser.onerror = (error) => {
      throw new UnreadableDocument(`it is not valid XML: ${error.message.split('\n')[0] ?? ''}`);
    };
    parser.ondoctype = () => {
      throw new UnreadableDocument('it has a document type, which is not read');
    };
    parser.onopentag = (tag) => this.openTag(tag as Tag);
    parser.onclosetag = () => this.closeTag();
    parser.ontext = parser.oncdata = (text) => {
      if (this.text !== null && this.text.length < TEXT_MAX) this.text += text;
    };
  }

  write(piece: string): void {
    this.parser.write(piece);
  }

  end(): Sbom {
    this.parser.close();
    if (this.format === null || !this.isComplete) throw new UnreadableDocument('it is not valid XML: it has no end');
    const { subject } = this;
    return {
      format: this.format,
      createdAt: this.createdAt,
      tools: this.tools.length === 0 ? null : this.tools,
      subject:
        subject?.name == null
          ? null
          : { name: nameOf(subject) ?? '', version: subject.version, purl: subject.purl, sha256: subject.sha256 },
      ...this.serial,
      ...this.components.listed(),
    };
  }

  private openTag({ name, attributes }: Tag): void {
    if (this.isComplete) throw new UnreadableDocument('it is not valid XML: a second root follows');
    if (this.path.length === 0) this.root(name, attributes);
    if (this.path.length >= DEPTH_MAX)
      throw new UnreadableDocument(
        `it is nested deeper than ${DEPTH_MAX} levels, which is the limit. List packages beside each other`,
      );
    const own = this.prefix !== '' && name.startsWith(this.prefix) ? name.slice(this.prefix.length) : name;
    const isForeign = this.prefix !== '' && own === name;
    this.path.push(isForeign ? `${name}:` : own);
    this.text = null;
    const parent = this.path.at(-2);
    if (own === 'component' && this.isListed(parent)) this.component(attributes);
    else if (own === 'tool' && this.path.length === 4 && parent === 'tools')
      this.tool = { vendor: null, name: null, version: null };
    else if (own === 'hash') this.algorithm = attributes['alg'] ?? null;
    else if (own === 'property') this.property = attributes['name'] ?? null;
    this.text = KEPT.has(own) ? '' : null;
  }

  /** Whether a component is one that the document lists or is about. Components of pedigrees, formulations and the like are not. */
  private isListed(parent: string | undefined): boolean {
    const { length } = this.path;
    if (parent === 'metadata') return length === 3;
    if (parent !== 'components') return false;
    const isOfTools = length === 5 && this.path[1] === 'metadata' && this.path[2] === 'tools';
    return length === 3 || isOfTools || this.drafts.at(-1)?.depth === length - 2;
  }

  private component(attributes: Tag['attributes']): void {
    const [id, type] = [attributes['bom-ref'] ?? null, attributes['type'] ?? null];
    const texts = { group: null, name: null, version: null, purl: null, sha256: null };
    this.drafts.push({ id, type, ...texts, licences: [], properties: [], depth: this.path.length });
  }

  private root(name: string, attributes: Tag['attributes']): void {
    const colon = name.indexOf(':');
    this.prefix = name.slice(0, colon + 1);
    const space = attributes[colon === -1 ? 'xmlns' : `xmlns:${name.slice(0, colon)}`] ?? '';
    const [, version = null] = NAMESPACE.exec(space) ?? [];
    if (name.slice(colon + 1) !== 'bom' || version === null) {
      throw new UnreadableDocument(`its root is <${name.slice(0, 100)}>; XML of CycloneDX has <bom> of its namespace`);
    }
    this.format = cycloneDxFormat(version);
    this.serial = serialOf(attributes['serialNumber'] ?? null);
  }

  private closeTag(): void {
    const name = this.path.pop() ?? '';
    const parent = this.path.at(-1) ?? '';
    const text = this.text?.trim().slice(0, TEXT_MAX) || null;
    this.text = null;
    if (this.path.length === 0) this.isComplete = true;
    const draft = this.drafts.at(-1);
    if (draft?.depth === this.path.length + 1) this.endElement(parent);
    else if (name === 'tool' && this.path.length === 3 && parent === 'tools') this.endTool();
    else if (name === 'timestamp' && this.path.length === 2 && parent === 'metadata') this.createdAt ??= text;
    else if (parent === 'tool' && this.tool !== null && this.path.length === 4) {
      if (name === 'vendor' || name === 'name' || name === 'version') this.tool[name] ??= text;
    } else if (draft !== undefined) this.endField(draft, this.path.slice(draft.depth), name, text);
  }

  /** @param path the open elements between the component and this one */
  private endField(draft: Draft, path: readonly string[], name: string, text: string | null): void {
    switch ([...path, name].join('/')) {
      case 'name':
      case 'group':
      case 'version':
      case 'purl':
        draft[name as 'name'] ??= text;
        return;
      case 'hashes/hash':
        draft.sha256 ??= sha256Of(this.algorithm, text);
        return;
      case 'properties/property':
        if (draft.properties.length < PROPERTIES_MAX) draft.properties.push([this.property, text]);
        return;
      case 'licenses/license/id':
      case 'licenses/license/name':
      case 'licenses/expression':
        if (text !== null && draft.licences.length < LICENCES_MAX) draft.licences.push(text);
    }
  }

  private endElement(parent: string): void {
    const draft = this.drafts.pop();
    if (draft === undefined) return;
    const { id, type, version, purl, sha256, licences, properties } = draft;
    if (parent === 'metadata') this.subject = draft;
    else if (this.path.at(-2) === 'tools') this.addTool(toolText(draft.group, draft.name, version));
    else {
      const more = { ...licencesOf(licences), ...sourceInProperties(properties), ...otherThanPackage(type) };
      this.components.add({ id, name: nameOf(draft), version, purl, sha256, ...more });
    }
  }

  private endTool(): void {
    const { tool } = this;
    this.tool = null;
    if (tool !== null) this.addTool(toolText(tool.vendor, tool.name, tool.version));
  }

  private addTool(text: string | null): void {
    if (text !== null && this.tools.length < NAMED_MAX) this.tools.push(text);
  }
}

const KEPT = new Set([
  'timestamp',
  'vendor',
  'name',
  'group',
  'version',
  'purl',
  'hash',
  'id',
  'expression',
  'property',
]);

function nameOf({ group, name }: Pick<Draft, 'group' | 'name'>): string | null {
  return group === null || name === null ? name : `${group}/${name}`;
}
