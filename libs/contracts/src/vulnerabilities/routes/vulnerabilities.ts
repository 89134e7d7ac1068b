import { gives, MADE_UP, pageExample, pageLinksExample } from '../../http/answers/common';
import { paged } from '../../http/params';
import { INVALID, reads, route, writes } from '../../http/route';
import { NO_ENVIRONMENT, UNKNOWN } from '../../http/routes/unknown';
import { windowed } from '../../http/routes/window';
import { oneOf, text } from '../../http/shape';
import { environmentExposure } from '../answers/exposure';
import { artifactVulnerabilities, importedFile, vulnerability, vulnerabilityList } from '../answers/vulnerabilities';
import { VulnerabilityFileData } from '../bodies/vulnerability-file';
import { SEVERITIES } from '../events';

const tag = 'Vulnerabilities';
const silence =
  'An empty list is an all-clear only if databases were imported and every artifact has a bill of materials whose components can be compared: see `last_import`, `without_sbom`, `incomplete_sbom` and `unmatched_components`.';
const sources = [
  {
    kind: 'database',
    name: 'GHSA-jfh8-c2jp-5v3q',
    severity: 'critical',
    at: 1705161600,
    attestation_id: null,
    attestation_name: null,
  },
  {
    kind: 'scanner',
    name: 'Trivy',
    severity: 'critical',
    at: 1700000050,
    attestation_id: '01933a7b-7c00-7000-8000-000000000001',
    attestation_name: 'scan',
  },
] as const;
const item = {
  sources,
  id: 'CVE-2021-44228',
  aliases: ['GHSA-jfh8-c2jp-5v3q'],
  severity: 'critical',
  summary: 'Remote code injection in Log4j',
  published: 1639134000,
  modified: 1705161600,
  exposed: false,
  artifact_count: 1,
  environment_count: 1,
  environments: [
    {
      environment: 'production',
      exposed: false,
      first_snapshot: 3,
      exposed_since: 1700000889,
      gone_snapshot: 9,
      gone_at: 1700086400,
    },
  ],
  vex: { not_affected: 1, affected: 0, fixed: 0, under_investigation: 0, none: 0 },
} as const;
const file = { filename: 'all.jsonl', sha256: MADE_UP.fingerprint };
const counts = { vulnerabilities: 500, statements: 0, unread: 0, unknown_ecosystems: [] };
const unjudged = { without_sbom: 1, incomplete_sbom: 0, unmatched_components: 0 };
const lastImport = {
  filename: file.filename,
  sha256: file.sha256,
  imported_at: 1700000000,
  imported_by: 'ada',
  ...counts,
};
const exposed = { critical: 1, high: 2, medium: 0, low: 0, none: 0, unknown: 0, ...unjudged };
const vulnerable = {
  component: {
    purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
    name: 'org.apache.logging.log4j/log4j-core',
    version: '2.14.1',
    licences: ['Apache-2.0'],
    sha256: null,
  },
  sources,
  certain: true,
  entries: ['GHSA-jfh8-c2jp-5v3q'],
  fixed_in: ['2.15.0'],
  vex: {
    status: 'not_affected',
    justification: 'vulnerable_code_not_in_execute_path',
    by: 'Acme Security',
    at: 1700000100,
  },
} as const;

export const vulnerabilityRoutes = {
  importVulnerabilities: route('POST', '/api/v2/vulnerabilities/{org}', {
    ...writes(tag, 'organization'),
    summary: 'Import a file of vulnerabilities',
    description:
      'Records the entries or the VEX statements of one attached file of at most 32 MiB: OSV (one entry, an array, or one entry a line), OpenVEX, or CycloneDX 1.4 and later with vulnerabilities. An entry takes the place of one with the same id that was modified earlier. The same file again changes nothing. Entries and statements that cannot be read are counted and named, and the others recorded. A file without any that can be read is 400.',
    body: {
      kind: 'multipart',
      shape: VulnerabilityFileData,
      example: { format: 'osv' },
      field: 'data_json',
      file: 'attachment_file',
      attachments: true,
    },
    answers: gives(
      'It is recorded.',
      importedFile,
      { imported: true, ...file, size: 1048576, ...counts, problems: [] },
      201,
    ),
    errors: { 400: [INVALID] },
  }),
  listVulnerabilities: route('GET', '/api/v2/vulnerabilities/{org}', {
    ...reads(tag),
    summary: 'List the vulnerabilities of artifacts',
    description: `Vulnerabilities of the components that bills of materials list, and those that reports of scanners in attestations name, the worst first. Names of one vulnerability are one row. A component without a package URL is compared with none. VEX statements change the state of a row, never the list. ${silence}`,
    query: {
      min_severity: oneOf(SEVERITIES, 'Only vulnerabilities of this severity or a worse one.'),
      environment: text('Only vulnerabilities of what runs now in the environment of this name.', { min: 1 }),
      ...paged('Vulnerabilities'),
    },
    answers: gives('One page.', vulnerabilityList, {
      ...pageExample,
      _links: pageLinksExample('/vulnerabilities/acme'),
      ...unjudged,
      last_import: lastImport,
      vulnerabilities: [item],
    }),
    errors: { 404: NO_ENVIRONMENT },
  }),
  getEnvironmentExposure: route('GET', '/api/v2/vulnerabilities/{org}/exposure/{env}', {
    ...reads(tag),
    summary: 'Get the exposure of an environment over time',
    description:
      'How many vulnerabilities an environment was exposed to on each day of a time zone, by severity. A day counts a vulnerability if an artifact that may have it ran there at any time of the day. The entries that are known now tell it, also of days before they were published. VEX statements change no count. Each day says how many artifacts that ran have no bill of materials, so that silence is never read as safety. At most 366 days.',
    query: {
      ...windowed('Days'),
      time_zone: text('An IANA name such as `Europe/Berlin`; UTC unless given.'),
    },
    answers: gives('The exposure.', environmentExposure, {
      environment: 'production',
      time_zone: 'UTC',
      last_import: lastImport,
      now: exposed,
      days: [{ date: '2026-11-02', start: 1793577600, end: 1793664000, ...exposed }],
    }),
    errors: { 404: NO_ENVIRONMENT },
  }),
  listArtifactVulnerabilities: route('GET', '/api/v2/vulnerabilities/{org}/artifacts/{fingerprint}', {
    ...reads(tag),
    summary: 'List the vulnerabilities of an artifact',
    description: `Each vulnerability of the artifact with each of its components that has it, the worst first, and what VEX statements say of it. ${silence}`,
    paths: { fingerprint: 'SHA-256 of the artifact.' },
    query: paged('Vulnerabilities'),
    answers: gives('One page.', artifactVulnerabilities, {
      fingerprint: MADE_UP.fingerprint,
      ...pageExample,
      _links: pageLinksExample(`/vulnerabilities/acme/artifacts/${MADE_UP.fingerprint}`),
      ...unjudged,
      without_sbom: 0,
      last_import: lastImport,
      environment_count: 1,
      environments: MADE_UP.places,
      vulnerabilities: [
        { id: item.id, aliases: item.aliases, severity: item.severity, summary: item.summary, ...vulnerable },
      ],
    }),
    errors: { 404: [UNKNOWN.fingerprint] },
  }),
  getVulnerability: route('GET', '/api/v2/vulnerabilities/{org}/{id}', {
    ...reads(tag),
    summary: 'Get a vulnerability',
    description: `One vulnerability by any of its names, in any letter case: the artifacts that have it, from when to when each environment was exposed, and what VEX statements say of each. One whose entries were all withdrawn affects nothing. ${silence}`,
    paths: { id: 'A CVE, a GHSA, an id of OSV, or an alias of one.' },
    query: paged('Rows of artifacts'),
    answers: gives('The vulnerability.', vulnerability, {
      ...item,
      ...pageExample,
      _links: pageLinksExample(`/vulnerabilities/acme/${item.id}`),
      ...unjudged,
      withdrawn: null,
      exposures: [
        {
          environment: 'production',
          first_snapshot: 3,
          exposed_since: 1700000889,
          gone_snapshot: 9,
          gone_at: 1700086400,
        },
      ],
      entries: [
        {
          id: 'GHSA-jfh8-c2jp-5v3q',
          severity: 'critical',
          published: 1639134000,
          modified: 1705161600,
          withdrawn: null,
        },
      ],
      artifacts: [
        {
          ...vulnerable,
          fingerprint: MADE_UP.fingerprint,
          artifact_name: 'shop/web:1.4',
          flow: 'shop-web',
          git_commit: MADE_UP.sha,
          repository: 'acme/shop',
          environment_count: 1,
          environments: MADE_UP.places,
        },
      ],
    }),
    errors: {
      404: ["No imported entry and no finding of a scanner in org 'acme' names the vulnerability 'CVE-2021-44228'"],
    },
  }),
} as const;
