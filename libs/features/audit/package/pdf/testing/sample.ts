import type { ListedFile } from '../../manifest';
import type { AuditReport, EvidenceRow } from '../report';

/** 64 digits that look like a digest. Each number gives another one. */
export function digest(number: number): string {
  return number.toString(16).padStart(8, '0').repeat(8);
}

export function file(path: string, number: number): ListedFile {
  return { path, sha256: digest(number), size: 1_234 };
}

const AT = Date.UTC(2026, 10, 21, 12);
const WEB = { name: 'shop/web:1.4', fingerprint: digest(0xabc) };

export function evidenceRow(number: number, name = `check-${number}`): EvidenceRow {
  return {
    id: `id-${number}`,
    name,
    type: 'junit',
    about: WEB,
    compliant: true,
    silence: null,
    counts: true,
    at: AT - 1_000,
    by: 'ci',
    note: null,
    file: file(`attestations/${number}/attestation.json`, number),
    attachments: [],
  };
}

/** A report of a small trail, with content in each section. */
export function sample(changes: Partial<AuditReport> = {}): AuditReport {
  return {
    what: { kind: 'trail' },
    organization: 'acme',
    flow: 'web-shop',
    trail: 'release-7',
    at: AT,
    by: 'ada',
    description: 'The basket',
    service: { url: 'https://assurance.example.com', region: 'eu' },
    commit: {
      sha1: 'c'.repeat(40),
      message: 'Add the basket',
      author: 'Ada <ada@example.com>',
      branch: 'main',
      timestamp: AT / 1_000 - 3_600,
      url: 'https://git.example.com/shop/commit/c',
    },
    repository: { name: 'shop', url: 'https://git.example.com/shop' },
    verdict: {
      status: 'NON-COMPLIANT',
      requirements: [
        { artifact: null, name: 'review', type: 'pull_request', compliant: true, unexpected: false },
        { artifact: 'web', name: 'scan', type: 'snyk', compliant: false, unexpected: false },
      ],
      missingArtifacts: ['worker'],
    },
    chains: [{ stream: 'trail/1/release-7', from: 1, to: 3, head: digest(0xdef) }],
    timeline: [
      { at: AT - 9_000, by: 'ci', what: { kind: 'begun' } },
      { at: AT, by: null, what: { kind: 'started', artifact: WEB.name, environment: 'prod', snapshot: 17 } },
    ],
    evidence: [
      {
        ...evidenceRow(1, 'scan'),
        attachments: [{ ...file('attestations/1/scan.json', 2), filename: 'scan result.json' }],
      },
    ],
    sboms: [
      {
        name: 'bom',
        about: WEB.name,
        document: 'attestations/2/files/001-bom.json',
        sha256: digest(2),
        format: 'cyclonedx-1.6',
        tools: ['syft 1.2', 'a', 'b', 'c'],
        newest_of_its_name: true,
        components: { listed: 20_000, left: 17 },
      },
    ],
    vex: {
      rows: [
        {
          vulnerability: 'CVE-2021-44228',
          artifact: WEB.name,
          components: ['pkg:npm/a@1', 'pkg:npm/b@1'],
          status: 'not_affected',
          justification: 'component_not_present',
          by: 'Acme Security',
          holds: true,
          at: new Date(AT - 7_000).toISOString(),
          document: {
            filename: 'log4j.openvex.json',
            sha256: digest(4),
            size: 1_234,
            when: new Date(AT).toISOString(),
            by_whom: { id: 'u', name: 'ada' },
            recorded: { stream: 'vulnerabilities/1', seq: 1 },
          },
        },
      ],
      isComplete: true,
    },
    silent: [],
    artifacts: [
      {
        ...WEB,
        template: 'web',
        status: 'NON-COMPLIANT',
        at: AT - 8_000,
        by: 'ci',
        gitCommit: 'c'.repeat(40),
        buildUrl: 'https://ci.example.com/17',
      },
    ],
    deployments: [
      {
        artifact: WEB.name,
        fingerprint: WEB.fingerprint,
        environment: 'prod',
        environmentType: 'docker',
        since: AT,
        until: null,
        snapshot: 17,
        compliant: false,
        allowance: null,
      },
    ],
    olderDeployments: false,
    policies: [
      {
        name: 'prod-rules',
        version: 3,
        file: file('policies/prod-rules-3.yaml', 3),
        verdicts: [
          {
            artifact: WEB.name,
            environment: 'prod',
            snapshot: 17,
            compliant: false,
            allowed: false,
            allowance: null,
            reasons: ['artifact is missing required scan'],
          },
        ],
      },
    ],
    ...changes,
  };
}
