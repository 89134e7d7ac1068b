import type {
  AffectedRange,
  ListedPackage,
  ListedVulnerability,
  RangeEvent,
  Severity,
} from '@assurance/contracts/vulnerabilities/events';
import { beginningOf, type Result } from '@assurance/kernel';
import { type Field, type FieldRefusal, readFields } from './field';
import { readOsvEcosystem } from '@assurance/evidence/domain/ecosystems';
import { readPurl } from '@assurance/evidence/domain/purl';
import { severityOfVectors, severityOfWord } from './severity';

const EVENTS = ['introduced', 'fixed', 'last_affected', 'limit'] as const;
/** How much of a summary is kept (UTF-16 units). */
const SUMMARY_LENGTH = 1_000;
/** The most related names of an entry. */
const RELATED_MAX = 500;

function eventsOf(range: Field): readonly RangeEvent[] {
  const events = range.at('events').list();
  if (events.length === 0) range.at('events').refuse('Input should have at least one event');
  const read = events.map((event) => {
    const [kind, ...others] = EVENTS.filter((name) => event.at(name).isPresent);
    if (kind === undefined || others.length > 0) return event.refuse(`Input should have one of ${EVENTS.join(', ')}`);
    return { kind, version: event.at(kind).text() };
  });
  if (!read.some(({ kind }) => kind === 'introduced')) range.at('events').refuse('Input should have introduced');
  return read;
}

function packageOf(affectedField: Field): ListedPackage | null {
  // Entries that are only about commits of a repository name no package.
  if (!affectedField.at('package').isPresent) return null;
  const { type, distribution, release } = readOsvEcosystem(affectedField.at('package').at('ecosystem').text());
  const purl = affectedField.at('package').at('purl').optionalText();
  if (purl !== null && readPurl(purl) === null) {
    affectedField.at('package').at('purl').refuse('Input should be a package URL');
  }
  const ranges = affectedField
    .at('ranges')
    .list()
    .map((range): AffectedRange => ({
      type: range.at('type').oneOf(['SEMVER', 'ECOSYSTEM', 'GIT']),
      events: eventsOf(range),
    }));
  const versions = affectedField.at('versions').texts();
  const name = affectedField.at('package').at('name').text();
  return { type, distribution, release, name, purl, ranges, versions };
}

function vectorsOf(field: Field): readonly string[] {
  return field
    .at('severity')
    .list()
    .flatMap((severity) => {
      const type = severity.at('type').text();
      const score = severity.at('score').text();
      return type.startsWith('CVSS_') ? [score] : [];
    });
}

/** Returns the severity word that a database adds to the entry or to a package: its own field, or Ubuntu's type of severity. */
function wordOf(field: Field): string | null {
  const ubuntu = field
    .at('severity')
    .list()
    .find((severity) => severity.at('type').value === 'Ubuntu');
  if (ubuntu !== undefined) return ubuntu.at('score').text();
  const specific = field.at('database_specific');
  const isObject = typeof specific.value === 'object' && specific.isPresent;
  const word = isObject ? specific.at('severity').value : null;
  return typeof word === 'string' ? word : null;
}

function severityOf(entry: Field): Severity | null {
  const affectedFields = entry.at('affected').list();
  for (const field of [entry, ...affectedFields]) {
    const severity = severityOfVectors(vectorsOf(field));
    if (severity !== null) return severity;
  }
  for (const field of [entry, ...affectedFields]) {
    const severity = severityOfWord(wordOf(field));
    if (severity !== null) return severity;
  }
  return null;
}

/**
 * The other names of the vulnerability. Distributions have an entry of their own for each CVE (`DEBIAN-CVE-2024-1`), which names the CVE as its only
 * upstream. An advisory with several is about several vulnerabilities: they find it, and none of them is its other name.
 */
function namesOf(entry: Field): Pick<ListedVulnerability, 'aliases' | 'related'> {
  const own = entry.at('aliases').texts();
  const upstream = entry.at('upstream').texts();
  const aliases = upstream.length === 1 ? [...new Set([...own, ...upstream])] : own;
  const others = [...upstream, ...entry.at('related').texts()].filter((name) => !aliases.includes(name));
  const related = [...new Set(others)].slice(0, RELATED_MAX);
  return { aliases, ...(related.length > 0 ? { related } : {}) };
}

/**
 * Reads an entry of an OSV database.
 *
 * @see https://ossf.github.io/osv-schema/
 */
export function readOsv(document: unknown): Result<ListedVulnerability, FieldRefusal> {
  return readFields(document, (entry) => {
    const id = entry.at('id').text();
    const [published, modified] = [entry.at('published').time(), entry.at('modified')];
    if (!modified.isPresent) modified.refuse('Field required');
    return {
      id,
      ...namesOf(entry),
      published,
      modified: modified.time() ?? published ?? 0,
      withdrawn: entry.at('withdrawn').time(),
      severity: severityOf(entry),
      summary: beginningOf(
        entry.at('summary').optionalText() ?? entry.at('details').optionalText() ?? '',
        SUMMARY_LENGTH,
      ),
      affected: entry
        .at('affected')
        .list()
        .map(packageOf)
        .filter((affected) => affected !== null),
    };
  });
}
