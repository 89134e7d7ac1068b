import type { Severity } from '@assurance/contracts/vulnerabilities/events';
import { SNYK_LISTS } from '@assurance/evidence/domain/scan-format';
import { ok, type Result } from '@assurance/kernel';
import { type Field, type FieldRefusal, readFields } from './field';
import { severityOfScore, severityOfWord } from './severity';

/** What a scanner found in an artifact. */
export interface Finding {
  /** The name of a vulnerability, or the id of a code analysis rule. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly severity: Severity | null;
  readonly title: string | null;
  /** Milliseconds since 1970; null if the report does not state it. */
  readonly published: number | null;
  /** Null if the finding is not about a package. */
  readonly package: { readonly name: string; readonly version: string | null; readonly purl: string | null } | null;
  /** Versions without the vulnerability, as the scanner writes them. */
  readonly fixedIn: readonly string[];
}

/** The report of a scanner. */
interface Scan {
  /** The name of the scanner, with its version if the report states it. Empty if the report names no scanner. */
  readonly tool: string;
  readonly findings: readonly Finding[];
  /** How many findings could not be read. */
  readonly unread: number;
}

export type ReadScan = Result<Scan, FieldRefusal>;
/** Reads one item of a report. It returns null if the item is not a finding. */
type ReadFinding = () => Finding | null;

/** Reads a report, or says which field is wrong. It counts findings that cannot be read. */
function readScan(
  document: unknown,
  read: (report: Field) => { readonly tool: string; readonly items: readonly ReadFinding[] },
): ReadScan {
  const report = readFields(document, read);
  if (!report.ok) return report;
  const findings: Finding[] = [];
  let unread = 0;
  for (const item of report.value.items) {
    const one = readFields(null, item);
    if (!one.ok) unread += 1;
    else if (one.value !== null) findings.push(one.value);
  }
  return ok({ tool: report.value.tool, findings, unread });
}

function toolOf(tool: Field): string {
  if (!tool.isPresent) return '';
  return [tool.at('name').optionalText(), tool.at('version').optionalText()].flatMap((text) => text ?? []).join(' ');
}

/** Reads the results of a Snyk scan as clients send them: lists of vulnerabilities by severity. */
export function readSnykResults(document: unknown): ReadScan {
  return readScan(document, (report) => ({
    tool: toolOf(report.at('tool')) || 'Snyk',
    items: report
      .at('results')
      .list()
      .flatMap((result) =>
        SNYK_LISTS.flatMap((severity) =>
          result
            .at(severity)
            .list()
            .map((item) => () => (isLicence(item) ? null : { ...snykFinding(item), severity })),
        ),
      ),
  }));
}

/**
 * Reads the JSON of `snyk test --json` and `snyk container test --json`: one project, or a list of them.
 *
 * @see https://docs.snyk.io/developer-tools/snyk-cli/commands/test
 */
export function readSnyk(document: unknown): ReadScan {
  return readScan(document, (report) => ({
    tool: 'Snyk',
    items: (Array.isArray(report.value) ? report.list() : [report]).flatMap(withApplications).flatMap((project) => {
      const vulnerabilities = project.at('vulnerabilities');
      if (!vulnerabilities.isPresent) {
        // Beside others, a project that Snyk could not test counts as one finding that cannot be read.
        const refuse = () => vulnerabilities.refuse('Field required');
        return Array.isArray(report.value) ? [refuse] : refuse();
      }
      return vulnerabilities.list().map((item) => () => {
        if (isLicence(item)) return null;
        if (!item.at('packageName').isPresent) item.at('packageName').refuse('Field required');
        return { ...snykFinding(item), severity: severityOfWord(item.at('severity').optionalText()) };
      });
    }),
  }));
}

/** Adds the applications of an image. Snyk lists them separately from the vulnerabilities of the distribution. */
function withApplications(project: Field): readonly Field[] {
  return [project, ...project.at('applications').list()];
}

/** Whether an item is about the licence of a package, which is no vulnerability. */
function isLicence(item: Field): boolean {
  return item.at('type').value === 'license';
}

function snykFinding(item: Field): Omit<Finding, 'severity'> {
  const identifiers = item.at('identifiers');
  const name = item.at('packageName');
  return {
    id: item.at('id').text(),
    aliases: identifiers.isPresent ? [...identifiers.at('CVE').texts(), ...identifiers.at('GHSA').texts()] : [],
    title: item.at('title').optionalText() ?? item.at('message').optionalText(),
    published: item.at('publicationTime').time(),
    package: name.isPresent ? { name: name.text(), version: item.at('version').optionalText(), purl: null } : null,
    fixedIn: item.at('fixedIn').texts(),
  };
}

/**
 * Reads the JSON of `trivy … --format json`.
 *
 * @see https://trivy.dev/docs/latest/configuration/reporting/
 */
export function readTrivy(document: unknown): ReadScan {
  return readScan(document, (report) => {
    if (report.at('SchemaVersion').value !== 2) report.at('SchemaVersion').refuse('Input should be 2');
    const items = report
      .at('Results')
      .list()
      .flatMap((result) =>
        result
          .at('Vulnerabilities')
          .list()
          .map((vulnerability) => (): Finding => {
            const identifier = vulnerability.at('PkgIdentifier');
            return {
              id: vulnerability.at('VulnerabilityID').text(),
              aliases: vulnerability.at('VendorIDs').texts(),
              severity: severityOfWord(vulnerability.at('Severity').optionalText()),
              title: vulnerability.at('Title').optionalText(),
              published: vulnerability.at('PublishedDate').time(),
              package: {
                name: vulnerability.at('PkgName').text(),
                version: vulnerability.at('InstalledVersion').optionalText(),
                purl: identifier.isPresent ? identifier.at('PURL').optionalText() : null,
              },
              fixedIn: (vulnerability.at('FixedVersion').optionalText() ?? '')
                .split(',')
                .flatMap((text) => text.trim() || []),
            };
          }),
      );
    return { tool: 'Trivy', items };
  });
}

/**
 * Reads the JSON of `grype … -o json`.
 *
 * @see https://oss.anchore.com/docs/guides/vulnerability/
 */
export function readGrype(document: unknown): ReadScan {
  return readScan(document, (report) => {
    if (!report.at('matches').isPresent) report.at('matches').refuse('Field required');
    const items = report
      .at('matches')
      .list()
      .map((match) => (): Finding => {
        const [vulnerability, artifact] = [match.at('vulnerability'), match.at('artifact')];
        const fix = vulnerability.at('fix');
        return {
          id: vulnerability.at('id').text(),
          aliases: match
            .at('relatedVulnerabilities')
            .list()
            .map((related) => related.at('id').text()),
          severity: severityOfWord(vulnerability.at('severity').optionalText()),
          title: vulnerability.at('description').optionalText(),
          published: null,
          package: {
            name: artifact.at('name').text(),
            version: artifact.at('version').optionalText(),
            purl: artifact.at('purl').optionalText(),
          },
          fixedIn: fix.isPresent ? fix.at('versions').texts() : [],
        };
      });
    return { tool: toolOf(report.at('descriptor')) || 'Grype', items };
  });
}

/** The severity of each SARIF level (section 3.27.10), for results without a score. */
const LEVELS = { error: 'high', warning: 'medium', note: 'low', none: 'none' } as const;
const LEVEL_NAMES = Object.keys(LEVELS) as (keyof typeof LEVELS)[];

/** Returns `security-severity` of a property bag. GitHub and scanners write this number as a text. */
function scoreOf(field: Field | undefined): number | null {
  const properties = field?.at('properties');
  const score = properties?.isPresent ? properties.at('security-severity') : undefined;
  if (!score?.isPresent) return null;
  const value = typeof score.value === 'string' && score.value.trim() !== '' ? Number(score.value) : score.value;
  return typeof value === 'number' && value >= 0 && value <= 10
    ? value
    : score.refuse('Input should be a number from 0 to 10');
}

/** A suppression counts unless it is under review or was rejected (section 3.35.3). */
function isAccepted(suppression: Field): boolean {
  const status = suppression.at('status');
  return !status.isPresent || status.oneOf(['accepted', 'underReview', 'rejected']) === 'accepted';
}

/** The form of names in vulnerability databases. */
const ADVISORY = /^(?:CVE|GHSA|SNYK|OSV|GO|RUSTSEC|PYSEC|MAL|DSA|DLA|USN|RHSA|ALAS|ELSA)-/;

/** Whether a result is about security. Code scanners also report much else. */
function isSecurity(id: string, score: number | null, rule: Field | undefined): boolean {
  if (score !== null || ADVISORY.test(id)) return true;
  const properties = rule?.at('properties');
  const tags = properties?.isPresent ? properties.at('tags').texts() : [];
  return tags.some((tag) => tag.toLowerCase() === 'security');
}

/** Kinds of results that report no problem (section 3.27.9). */
const NO_PROBLEM = new Set<unknown>(['pass', 'notApplicable', 'informational']);

/** The rules of a run: those of its driver, those of each extension, and all by id. */
interface RunRules {
  readonly driver: readonly Field[];
  readonly extensions: readonly (readonly Field[])[];
  readonly byId: ReadonlyMap<string, Field>;
}

function rulesOf(run: Field): RunRules {
  const tool = run.at('tool');
  const driver = tool.at('driver').at('rules').list();
  const extensions = tool
    .at('extensions')
    .list()
    .map((extension) => extension.at('rules').list());
  return {
    driver,
    extensions,
    byId: new Map([...extensions.flat(), ...driver].map((rule) => [rule.at('id').text(), rule])),
  };
}

/** The rule at an index: of the extension that the result names, or of the driver (section 3.52). */
function indexedRule(result: Field, { driver, extensions }: RunRules): Field | undefined {
  const reference = result.at('rule');
  const component = reference.isPresent ? reference.at('toolComponent') : reference;
  const place = component.isPresent ? component.at('index').value : undefined;
  const own = reference.isPresent ? reference.at('index').value : undefined;
  const index = own ?? result.at('ruleIndex').value;
  const rules = typeof place === 'number' ? extensions[place] : driver;
  return typeof index === 'number' ? rules?.[index] : undefined;
}

/** Whether an id is that of a rule, or of a part of it: `CA1000/1` of `CA1000` (section 3.27.5). */
function isOfRule(id: string, rule: Field | undefined): boolean {
  const ruleId = rule?.at('id').optionalText();
  return ruleId !== undefined && ruleId !== null && (id === ruleId || id.startsWith(`${ruleId}/`));
}

/** The rule with an id, or with the longest id of which it is a part. */
function ruleOfId(id: string, byId: ReadonlyMap<string, Field>): Field | undefined {
  for (let end = id.length; end > 0; end = id.lastIndexOf('/', end - 1)) {
    const rule = byId.get(id.slice(0, end));
    if (rule !== undefined) return rule;
  }
  return undefined;
}

function resultOf(result: Field, rules: RunRules): Finding | null {
  if (NO_PROBLEM.has(result.at('kind').value) || result.at('baselineState').value === 'absent') return null;
  const reference = result.at('rule');
  const indexed = indexedRule(result, rules);
  const ruleId = result.at('ruleId').optionalText() ?? (reference.isPresent ? reference.at('id').optionalText() : null);
  const id = ruleId ?? indexed?.at('id').text() ?? result.at('ruleId').refuse('Field required, or ruleIndex');
  const rule = isOfRule(id, indexed) ? indexed : ruleOfId(id, rules.byId);
  const configuration = rule?.at('defaultConfiguration');
  const defaultLevel = configuration?.isPresent ? configuration.at('level') : undefined;
  const level = [result.at('level'), defaultLevel].find((field) => field?.isPresent)?.oneOf(LEVEL_NAMES) ?? 'warning';
  const score = scoreOf(result) ?? scoreOf(rule);
  if (!isSecurity(id, score, rule)) return null;
  return {
    id,
    aliases: [],
    severity: score === null ? LEVELS[level] : severityOfScore(score),
    title: result.at('message').isPresent ? result.at('message').at('text').optionalText() : null,
    published: null,
    package: null,
    fixedIn: [],
  };
}

/**
 * Reads the results of a SARIF log that are about security: their rule has a `security-severity`, the tag `security`, or a name from a vulnerability
 * database. Suppressed results are left out.
 *
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/ sections 3.27 and 3.49
 */
export function readSarif(document: unknown): ReadScan {
  return readScan(document, (log) => {
    log.at('version').oneOf(['2.1.0']);
    if (!log.at('runs').isPresent) log.at('runs').refuse('Field required');
    const runs = log.at('runs').list();
    return {
      tool: runs[0] === undefined ? '' : toolOf(runs[0].at('tool').at('driver')),
      items: runs.flatMap((run) => {
        const rules = rulesOf(run);
        return run
          .at('results')
          .list()
          .map((result) => () => {
            return result.at('suppressions').list().some(isAccepted) ? null : resultOf(result, rules);
          });
      }),
    };
  });
}
