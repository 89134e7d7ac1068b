import type { Severity } from '@assurance/contracts/vulnerabilities/events';
import type { Result } from '@assurance/kernel';
import { type Field, type FieldRefusal, reading } from './field';
import { severityOfScore, severityOfWord } from './severity';

/** What a scanner found in an artifact. */
export interface Finding {
  /** The name of a vulnerability, or the rule of an analysis of code. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly severity: Severity | null;
  readonly title: string | null;
  /** Null where it is about no package. */
  readonly package: { readonly name: string; readonly version: string | null; readonly purl: string | null } | null;
  /** Versions without the vulnerability, as the scanner writes them. */
  readonly fixedIn: readonly string[];
}

type Findings = Result<readonly Finding[], FieldRefusal>;

/**
 * Reads the JSON of `snyk test --json`: one project, or a list of them.
 *
 * @see https://docs.snyk.io/developer-tools/snyk-cli/commands/test
 */
export function readSnyk(document: unknown): Findings {
  return reading(document, (report) =>
    (Array.isArray(report.value) ? report.list() : [report]).flatMap((project) => {
      const vulnerabilities = project.at('vulnerabilities');
      if (!vulnerabilities.isPresent) vulnerabilities.refuse('Field required');
      return vulnerabilities.list().map((vulnerability): Finding => {
        const identifiers = vulnerability.at('identifiers');
        const names = identifiers.isPresent
          ? [...identifiers.at('CVE').texts(), ...identifiers.at('GHSA').texts()]
          : [];
        return {
          id: vulnerability.at('id').text(),
          aliases: names,
          severity: severityOfWord(vulnerability.at('severity').optionalText()),
          title: vulnerability.at('title').optionalText(),
          package: {
            name: vulnerability.at('packageName').text(),
            version: vulnerability.at('version').optionalText(),
            purl: null,
          },
          fixedIn: vulnerability.at('fixedIn').texts(),
        };
      });
    }),
  );
}

/**
 * Reads the JSON of `trivy … --format json`.
 *
 * @see https://trivy.dev/docs/latest/configuration/reporting/
 */
export function readTrivy(document: unknown): Findings {
  return reading(document, (report) => {
    if (report.at('SchemaVersion').value !== 2) report.at('SchemaVersion').refuse('Input should be 2');
    return report
      .at('Results')
      .list()
      .flatMap((result) =>
        result
          .at('Vulnerabilities')
          .list()
          .map((vulnerability): Finding => {
            const identifier = vulnerability.at('PkgIdentifier');
            return {
              id: vulnerability.at('VulnerabilityID').text(),
              aliases: vulnerability.at('VendorIDs').texts(),
              severity: severityOfWord(vulnerability.at('Severity').optionalText()),
              title: vulnerability.at('Title').optionalText(),
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
  });
}

/**
 * Reads the JSON of `grype … -o json`.
 *
 * @see https://oss.anchore.com/docs/guides/vulnerability/
 */
export function readGrype(document: unknown): Findings {
  return reading(document, (report) => {
    if (!report.at('matches').isPresent) report.at('matches').refuse('Field required');
    return report
      .at('matches')
      .list()
      .map((match): Finding => {
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
          package: {
            name: artifact.at('name').text(),
            version: artifact.at('version').optionalText(),
            purl: artifact.at('purl').optionalText(),
          },
          fixedIn: fix.isPresent ? fix.at('versions').texts() : [],
        };
      });
  });
}

/** Levels of SARIF without a score (section 3.27.10). */
const LEVELS = { error: 'high', warning: 'medium', note: 'low', none: null } as const;
const LEVEL_NAMES = Object.keys(LEVELS) as (keyof typeof LEVELS)[];

/** `security-severity` of a bag of properties: a number as a text, as GitHub and scanners write it. */
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

function resultOf(result: Field, rules: readonly Field[], byId: ReadonlyMap<string, Field>): Finding {
  const reference = result.at('rule');
  const index = result.at('ruleIndex').value;
  const indexed = typeof index === 'number' ? rules[index] : undefined;
  const named = result.at('ruleId').optionalText() ?? (reference.isPresent ? reference.at('id').optionalText() : null);
  const id = named ?? indexed?.at('id').text() ?? result.at('ruleId').refuse('Field required, or ruleIndex');
  const rule = indexed ?? byId.get(id);
  const configuration = rule?.at('defaultConfiguration');
  const defaultLevel = configuration?.isPresent ? configuration.at('level') : undefined;
  const level = [result.at('level'), defaultLevel].find((field) => field?.isPresent)?.oneOf(LEVEL_NAMES) ?? 'warning';
  const score = scoreOf(result) ?? scoreOf(rule);
  return {
    id,
    aliases: [],
    severity: score === null ? LEVELS[level] : severityOfScore(score),
    title: result.at('message').isPresent ? result.at('message').at('text').optionalText() : null,
    package: null,
    fixedIn: [],
  };
}

/**
 * Reads the results of a SARIF log. Those that somebody suppressed are no findings.
 *
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/ sections 3.27 and 3.49
 */
export function readSarif(document: unknown): Findings {
  return reading(document, (log) => {
    log.at('version').oneOf(['2.1.0']);
    if (!log.at('runs').isPresent) log.at('runs').refuse('Field required');
    return log
      .at('runs')
      .list()
      .flatMap((run) => {
        const rules = run.at('tool').at('driver').at('rules').list();
        const extensions = run
          .at('tool')
          .at('extensions')
          .list()
          .flatMap((extension) => extension.at('rules').list());
        const byId = new Map([...extensions, ...rules].map((rule) => [rule.at('id').text(), rule]));
        return run
          .at('results')
          .list()
          .filter((result) => !result.at('suppressions').list().some(isAccepted))
          .map((result) => resultOf(result, rules, byId));
      });
  });
}
