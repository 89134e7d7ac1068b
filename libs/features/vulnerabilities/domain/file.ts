import type { ListedVulnerability, UnknownEcosystem, VexStatement } from '@assurance/contracts/vulnerabilities/events';
import { readOsvEcosystem } from '@assurance/evidence/domain/ecosystems';
import { openEnvelope } from '@assurance/evidence/domain/envelope';
import {
  beginningOf,
  byteLength,
  canonicalJson,
  compareTexts,
  contentParts,
  groupBy,
  type PartBounds,
  type Result,
} from '@assurance/kernel';
import { keysOfPackage } from './affects';
import { readCycloneDxVex } from './cyclonedx';
import type { FieldRefusal } from './field';
import { readOpenVex } from './openvex';
import { readOsv } from './osv';

/** The most bytes of an entry or a statement, as JSON. */
const ITEM_BYTES = 1024 * 1024;
/** The most characters of a name of an entry. */
const NAME_MAX = 256;
/** The most aliases of an entry, and the most packages that it affects. */
const ALIASES_MAX = 100;
const PACKAGES_MAX = 5_000;
/** The most versions and range events of a package. Each is compared with each version of a component. */
const VERSIONS_MAX = 5_000;
/** The most items of `affected` about one package. Each is compared with each component of that package. */
const SAME_PACKAGE_MAX = 200;
/** The most aliases of a statement. A view keeps the statement under each of them. */
const STATEMENT_ALIASES_MAX = 20;
/** The most products and subcomponents of a recorded statement, and their total length (UTF-16 units). A larger statement is split. */
const PRODUCTS_TOGETHER = 100;
const PRODUCTS_LENGTH = 32 * 1024;
/** The longest identifier of a product (UTF-16 units). */
const PRODUCT_LENGTH = 2_048;
/** How many refusals are reported. All are counted. */
const REFUSALS_TOLD = 10;
/** How many unknown ecosystems are counted by name. */
const ECOSYSTEMS_MAX = 100;
const PARTS: PartBounds = { mean: 32, items: 128, bytes: 256 * 1024 };

/** The format of a file of vulnerabilities. */
export type FileFormat = 'osv' | 'openvex' | 'cyclonedx';

/** The content that was read from a file. */
export interface VulnerabilityFile {
  readonly vulnerabilities: readonly ListedVulnerability[];
  readonly statements: readonly VexStatement[];
  /** How many entries could not be read. `refusals` has the reasons for the first 10. */
  readonly unread: number;
  readonly refusals: readonly FieldRefusal[];
  /** Ecosystems whose entries no component is compared with, and how many entries have them. At most 100 are named. */
  readonly unknownEcosystems: readonly UnknownEcosystem[];
}

/** Counts the entries of ecosystems with which no component is compared. It names at most 100. */
export class EcosystemCounts {
  private readonly entries = new Map<string, number>();

  add({ name, entries }: UnknownEcosystem): void {
    const before = this.entries.get(name);
    if (before !== undefined || this.entries.size < ECOSYSTEMS_MAX) this.entries.set(name, (before ?? 0) + entries);
  }

  all(): readonly UnknownEcosystem[] {
    return [...this.entries].map(([name, entries]) => ({ name, entries }));
  }
}

/** A document of a file and its place in the file, or the reason why it cannot be read. */
type Document =
  { readonly place: string; readonly value: unknown } | { readonly place: string; readonly problem: string };

/**
 * Reads OSV entries (one, an array, or one per line), OpenVEX and CycloneDX VEX. It counts entries that cannot be read.
 *
 * @param format null: the format is detected for each document
 */
export function readVulnerabilityFile(text: string, format: FileFormat | null): VulnerabilityFile {
  const vulnerabilities: ListedVulnerability[] = [];
  const statements: VexStatement[] = [];
  const refusals: FieldRefusal[] = [];
  const unknown = new EcosystemCounts();
  let unreadCount = 0;
  const refuse = (place: string, { field, problem }: FieldRefusal) => {
    unreadCount += 1;
    if (refusals.length < REFUSALS_TOLD) refusals.push({ field: [place, field].filter(Boolean).join('.'), problem });
  };
  eachDocument(text, (document) => {
    const { place } = document;
    if ('problem' in document) return refuse(place, { field: '', problem: document.problem });
    const opened = openEnvelope(document.value, (payload) => {
      const inner = parseJson(payload);
      return inner.ok ? inner.value : undefined;
    });
    const value = opened.document;
    const is = format ?? formatOf(value);
    if (is === 'osv') {
      const other = otherFormatOf(value);
      if (other !== null) return refuse(place, { field: '', problem: `It is ${other}, which is not read. ${READ}` });
      const read = checkBounds(readOsv(value));
      if (!read.ok) return refuse(place, read.refusal);
      vulnerabilities.push(read.value);
      for (const name of unknownEcosystemsOf(value)) unknown.add({ name, entries: 1 });
      return;
    }
    const read = is === 'openvex' ? readOpenVex(value, opened.subjects) : readCycloneDxVex(value);
    if (!read.ok) return refuse(place, read.refusal);
    for (const refusal of read.value.refusals) refuse(place, refusal);
    for (const [at, statement] of read.value.items.entries()) {
      const refusal = statementRefusal(statement);
      if (refusal === null) statements.push(...smaller(statement));
      else refuse(place, { ...refusal, field: [`statements.${at}`, refusal.field].filter(Boolean).join('.') });
    }
  });
  return { vulnerabilities, statements, unread: unreadCount, refusals, unknownEcosystems: unknown.all() };
}

/** Calls `use` for each document of a text, in order. A text of lines is read line by line, so that its documents are not all in memory at once. */
function eachDocument(text: string, use: (document: Document) => void): void {
  const wholeFile = parseJson(text);
  if (wholeFile.ok) {
    if (!Array.isArray(wholeFile.value)) use({ place: '', value: wholeFile.value });
    else for (const [at, value] of (wholeFile.value as readonly unknown[]).entries()) use({ place: String(at), value });
    return;
  }
  let [number, documents] = [0, 0];
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end).trim();
    from = end < 0 ? text.length : end + 1;
    number += 1;
    if (line === '') continue;
    const read = parseJson(line);
    // If the first line is not JSON, the text is not a list of lines.
    if (documents === 0 && !read.ok) {
      const lines = line.startsWith('<') ? `, and is XML. ${READ}` : ', or one JSON object a line';
      const problem = read.problem === NO_JSON ? `${NO_JSON}${lines}` : read.problem;
      return use({ place: '', problem });
    }
    documents += 1;
    const place = `lines.${number}`;
    use(read.ok ? { place, value: read.value } : { place, problem: read.problem });
  }
  if (documents === 0) use({ place: '', problem: 'Input should not be empty' });
}

/** The deepest nesting of a document. A parser needs memory outside the heap for each level. */
const DEPTH_MAX = 200;
const [QUOTE, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Whether lists and objects are nested deeper than `DEPTH_MAX`. */
function isTooDeep(text: string): boolean {
  let [depth, isText] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (isText && unit === BACKSLASH) at += 1;
    else if (unit === QUOTE) isText = !isText;
    else if (!isText && (unit === LIST || unit === OBJECT)) {
      depth += 1;
      if (depth > DEPTH_MAX) return true;
    } else if (!isText && (unit === LIST_END || unit === OBJECT_END)) depth -= 1;
  }
  return false;
}

/** Formats that people import for want of a better one, by what their documents have. */
const OTHER_FORMATS: readonly (readonly [name: string, is: (fields: Readonly<Record<string, unknown>>) => boolean])[] =
  [
    ['CSAF', ({ document }) => typeof document === 'object' && document !== null && 'csaf_version' in document],
    ['JSON of the NVD', ({ format, vulnerabilities }) => format === 'NVD_CVE' && Array.isArray(vulnerabilities)],
    ['a CVE record', ({ dataType }) => dataType === 'CVE_RECORD'],
    ['SPDX', (fields) => 'spdxVersion' in fields],
  ];

function otherFormatOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  return OTHER_FORMATS.find(([, is]) => is(value as Readonly<Record<string, unknown>>))?.[0] ?? null;
}

/** The ecosystems of an entry that was read, each once, with which no component is compared. */
function unknownEcosystemsOf(entry: unknown): readonly string[] {
  const { affected } = entry as {
    readonly affected?: readonly { readonly package?: { readonly ecosystem: string } }[];
  };
  const names = (affected ?? []).flatMap((one) => one.package?.ecosystem ?? []).map(readOsvEcosystem);
  return [...new Set(names.filter(({ isKnown }) => !isKnown).map(({ name }) => beginningOf(name, NAME_MAX)))];
}

const READ = 'What is read: OSV, OpenVEX, CycloneDX in JSON';
const NO_JSON = 'Input should be JSON';

type ParseResult = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

function parseJson(text: string): ParseResult {
  if (isTooDeep(text)) return { ok: false, problem: `Input should be nested at most ${DEPTH_MAX} levels deep` };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, problem: NO_JSON };
  }
}

function formatOf(value: unknown): FileFormat {
  if (typeof value !== 'object' || value === null) return 'osv';
  if (Object.hasOwn(value, 'bomFormat')) return 'cyclonedx';
  return Object.hasOwn(value, '@context') ? 'openvex' : 'osv';
}

function checkBounds(read: Result<ListedVulnerability, FieldRefusal>): Result<ListedVulnerability, FieldRefusal> {
  if (!read.ok) return read;
  const { id, aliases, related = [], affected } = read.value;
  const refuse = (field: string, problem: string) => ({ ok: false, refusal: { field, problem } }) as const;
  if ([id, ...aliases, ...related].some((name) => name.length > NAME_MAX)) {
    return refuse('id', `Input should have at most ${NAME_MAX} characters, and each alias`);
  }
  if (aliases.length > ALIASES_MAX) return refuse('aliases', `Input should have at most ${ALIASES_MAX} names`);
  if (affected.length > PACKAGES_MAX) return refuse('affected', `Input should have at most ${PACKAGES_MAX} packages`);
  const byKey = groupBy(affected.flatMap(keysOfPackage), (key) => key);
  if ([...byKey.values()].some(({ length }) => length > SAME_PACKAGE_MAX)) {
    return refuse('affected', `Input should have at most ${SAME_PACKAGE_MAX} items about one package`);
  }
  const long = affected.findIndex(({ versions, ranges }) => {
    return ranges.reduce((sum, { events }) => sum + events.length, versions.length) > VERSIONS_MAX;
  });
  if (long >= 0) return refuse(`affected.${long}.versions`, `Input should have at most ${VERSIONS_MAX} versions`);
  if (sizeOf(read.value) > ITEM_BYTES) return refuse('', `The entry ${id} should have at most ${ITEM_BYTES} bytes`);
  return read;
}

function statementRefusal(statement: VexStatement): FieldRefusal | null {
  const { vulnerability, aliases, products } = statement;
  if ([vulnerability, ...aliases].some((name) => name.length > NAME_MAX)) {
    return { field: 'vulnerability', problem: `Input should have at most ${NAME_MAX} characters, and each alias` };
  }
  if (aliases.length > STATEMENT_ALIASES_MAX) {
    return { field: 'aliases', problem: `Input should have at most ${STATEMENT_ALIASES_MAX} names` };
  }
  const isLong = products.some(({ id, subcomponents }) => [id, ...subcomponents].some(isLongId));
  if (isLong) return { field: 'products', problem: `Input should have at most ${PRODUCT_LENGTH} characters each` };
  if (sizeOf(statement) <= ITEM_BYTES) return null;
  return { field: '', problem: `Input should have at most ${ITEM_BYTES} bytes: make several statements of it` };
}

function isLongId({ length }: string): boolean {
  return length > PRODUCT_LENGTH;
}

/** Splits a statement into smaller ones. A product with many subcomponents may appear in more than one of them. */
function smaller(statement: VexStatement): readonly VexStatement[] {
  const groups: { readonly id: string; readonly subcomponents: string[] }[][] = [[]];
  let [count, length] = [0, 0];
  for (const { id, subcomponents } of statement.products) {
    let isIn = false;
    for (const name of subcomponents.length === 0 ? [null] : subcomponents) {
      const more = id.length + (name?.length ?? 0);
      if (count > 0 && (count === PRODUCTS_TOGETHER || length + more > PRODUCTS_LENGTH)) {
        groups.push([]);
        [count, length, isIn] = [0, 0, false];
      }
      if (!isIn) groups.at(-1)?.push({ id, subcomponents: [] });
      if (name !== null) groups.at(-1)?.at(-1)?.subcomponents.push(name);
      [count, length, isIn] = [count + 1, length + more, true];
    }
  }
  return groups.map((products) => ({ ...statement, products }));
}

function sizeOf(item: object): number {
  return byteLength(JSON.stringify(item));
}

/** Sorts items by name and divides them into parts. A newer file shares all parts that did not change. */
export function partsOf<Item extends object>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Item[][] {
  const sorted = items.map((item) => ({ item, name: nameOf(item), json: canonicalJson(item) }));
  sorted.sort((a, b) => compareTexts(a.name, b.name) || compareTexts(a.json, b.json));
  return contentParts(sorted, PARTS);
}
