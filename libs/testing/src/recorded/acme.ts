import { externalIdentity } from '@assurance/access/domain/external-identity';
import { invitation } from '@assurance/access/domain/invitation';
import { membership } from '@assurance/access/domain/membership';
import { name } from '@assurance/access/domain/name';
import { organization } from '@assurance/access/domain/organization';
import { serviceAccount } from '@assurance/access/domain/service-account';
import { spaceTree } from '@assurance/access/domain/tree';
import { user } from '@assurance/access/domain/user';
import { ROOT_SPACE } from '@assurance/contracts/access/events';
import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import { type NameKind, NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import type { TrailEvent } from '@assurance/contracts/flows/events';
import type { ListedVulnerability } from '@assurance/contracts/vulnerabilities/events';
import { environment } from '@assurance/environments/domain/environment';
import { attestationType } from '@assurance/evidence/domain/attestation-type';
import { retention } from '@assurance/evidence/domain/retention';
import { flow } from '@assurance/flows/domain/flow';
import { repo } from '@assurance/flows/domain/repo';
import { trail } from '@assurance/flows/domain/trail';
import { notification } from '@assurance/notifications/domain/notification';
import { targetConfig } from '@assurance/notifications/domain/target-config';
import { control } from '@assurance/policies/domain/control';
import { policy } from '@assurance/policies/domain/policy';
import type { CommitIndex, Engines } from '@assurance/storage-ports';
import { vulnerabilities } from '@assurance/vulnerabilities/domain/imports';
import {
  change,
  commitAt,
  environmentCreated,
  fingerprintOf,
  provenance,
  repoNamed,
  snapshotRecorded,
} from '../deciders/samples';
import { record } from './record';

/** The beginning of the history: 2023-11-14T22:13:20Z, in milliseconds. */
const AT = 1_700_000_000_000;

/** Ids and names in the history that `recordAcme` records. */
export const ACME = {
  org: { id: 'org-acme', name: 'acme' },
  ada: 'user-ada',
  eve: 'user-eve',
  identity: fingerprintOf('identity'),
  at: AT,
  fingerprint: fingerprintOf('web:1'),
  gitCommit: 'c'.repeat(40),
  attestation: 'attestation-1',
  repo: repoNamed('shop'),
} as const;

const by = { org: ACME.org.id, actor: ACME.ada, at: AT };
const nowhere = { ...by, org: NO_ORGANIZATION };
const commit = commitAt(AT / 1_000 - 3_600);
const web = provenance('web:1', {
  trail: 'build-1',
  gitCommit: ACME.gitCommit,
  commit,
  repo: ACME.repo,
  reportedAt: AT,
});

/**
 * Records the history of organization `acme`: `ada` administers it and `eve` is no member. Flow `shop` has trail `build-1` with artifact
 * `web:1` and an attestation `tests`. Environment `production` ran that artifact in snapshot 1 and nothing in snapshot 2. There is one of
 * everything else.
 */
export async function recordAcme(engines: Engines): Promise<void> {
  await recordPeople(engines);
  await recordBuilds(engines);
  await recordStandards(engines);
  await recordRunning(engines);
  await recordVulnerabilities(engines);
}

async function recordPeople(engines: Engines): Promise<void> {
  const { org, ada, eve } = ACME;
  for (const [id, userName] of [
    [ada, 'ada'],
    [eve, 'eve'],
  ] as const) {
    const email = `${userName}@acme.test`;
    const added = { id: `key-${userName}`, hash: fingerprintOf(userName), description: 'laptop', expiresAt: 0 };
    await claim(engines, NO_ORGANIZATION, 'account', userName, id);
    await record(engines, user, id, nowhere, [
      { type: 'UserCreated', version: 1, data: { id, name: userName, email } },
      { type: 'ApiKeyAdded', version: 1, data: added },
      ...(id === ada
        ? [{ type: 'DefaultOrganizationChosen' as const, version: 1 as const, data: { organization: org.id } }]
        : []),
    ]);
  }
  const identity = { issuer: 'https://id.test', subject: 'ada', email: 'ada@id.test', user: ada, userName: 'ada' };
  await record(engines, externalIdentity, ACME.identity, nowhere, [
    { type: 'ExternalIdentityAttached', version: 1, data: identity },
  ]);
  await claim(engines, NO_ORGANIZATION, 'account', org.name, org.id);
  await record(engines, organization, org.id, by, [
    { type: 'OrganizationCreated', version: 1, data: { ...org, personal: false } },
  ]);
  const admin = { user: ada, userName: 'ada', source: 'script', role: 'admin' } as const;
  await record(engines, membership, `${org.id}/${ada}`, by, [{ type: 'MemberAdded', version: 1, data: admin }]);
  const invited = { id: 'invitation-1', email: 'kim@acme.test', role: 'member', invitedBy: 'ada' } as const;
  const secret = { tokenHash: fingerprintOf('token'), expiresAt: AT / 1_000 + 3_600 };
  await record(engines, invitation, `${org.id}/${fingerprintOf(invited.email)}`, by, [
    { type: 'MemberInvited', version: 1, data: { ...invited, ...secret } },
  ]);
  await claim(engines, org.id, 'service-account', 'ci', 'account-ci');
  const account = { id: 'account-ci', name: 'ci', privilege: 'snapshotter', description: 'builds' } as const;
  await record(engines, serviceAccount, account.id, by, [{ type: 'ServiceAccountCreated', version: 1, data: account }]);
}

async function recordBuilds(engines: Engines): Promise<void> {
  const { org, repo: shop } = ACME;
  const { id, ...facts } = shop;
  const recorded = { id, ...facts, description: null, externalId: null };
  await record(engines, repo, id, by, [
    { type: 'RepoRecorded', version: 1, data: recorded },
    { type: 'RepoTagged', version: 1, data: { set: { team: 'tea' }, removed: [] } },
  ]);
  const { flow: shopFlow } = web;
  await claim(engines, org.id, 'flow', shopFlow.name, shopFlow.id);
  const settings = {
    description: 'the shop',
    visibility: 'private',
    template: { yaml: '' },
    templateId: 't-1',
  } as const;
  await record(engines, flow, shopFlow.id, by, [
    { type: 'FlowCreated', version: 1, data: { ...shopFlow, ...settings } },
  ]);

  const { sha256, size } = await engines.blobs.put(org.id, bytesOf('report'), 6);
  const commits: (TrailEvent | readonly [TrailEvent, TrailEvent])[] = [
    {
      type: 'TrailBegun',
      version: 1,
      data: { flow: shopFlow, name: 'build-1', templateId: 't-1', commit, repo: shop },
    },
    {
      type: 'ArtifactReported',
      version: 1,
      data: {
        fingerprint: ACME.fingerprint,
        provenance: web,
        first: null,
        reported: web.artifactId,
        externalUrls: {},
        annotations: {},
      },
    },
    [
      {
        type: 'AttestationReported',
        version: 1,
        data: {
          id: ACME.attestation,
          name: 'tests',
          type: 'generic',
          countsAs: 'generic',
          target: { kind: 'trail' },
          compliant: true,
          previous: null,
          overriddenId: null,
          typeVersion: null,
          control: null,
          commit: null,
          repo: null,
          originUrl: null,
          attachments: [{ filename: 'report.txt', sha256, size }],
        },
      },
      {
        type: 'AttestationPayloadKept',
        version: 1,
        data: {
          id: ACME.attestation,
          payload: {},
          userData: {},
          description: null,
          externalUrls: {},
          annotations: {},
        },
      },
    ],
  ];
  await record(engines, trail, `${shopFlow.id}/build-1`, by, commits);
}

async function recordStandards(engines: Engines): Promise<void> {
  const { org } = ACME;
  const text = { comment: '', yaml: '_schema: https://schemas.example.com/policy/v1\n' };
  const none = { required: false, exceptions: [] };
  const rules = { provenance: { required: true, exceptions: [] }, trailCompliance: none, attestations: [] };
  await claim(engines, org.id, 'policy', 'strict', 'policy-1');
  await record(engines, policy, 'policy-1', by, [
    { type: 'PolicyCreated', version: 1, data: { id: 'policy-1', name: 'strict', description: '', ...text, rules } },
  ]);
  await claim(engines, org.id, 'control', 'C-1', 'control-1');
  const review = { id: 'control-1', identifier: 'C-1', name: 'Review', description: '', links: {} };
  await record(engines, control, 'control-1', by, [{ type: 'ControlCreated', version: 1, data: review }]);
  await claim(engines, org.id, 'attestation-type', 'coverage', 'type-1');
  const coverage = { id: 'type-1', name: 'coverage', description: null, schema: null, rules: [], summary: null };
  await record(engines, attestationType, 'type-1', by, [
    { type: 'AttestationTypeCreated', version: 1, data: coverage },
  ]);
  await record(engines, retention, org.id, by, [
    { type: 'RetentionSet', version: 1, data: { attachments: 3_650, payloads: null, snapshots: null } },
    { type: 'HoldPlaced', version: 1, data: { flow: web.flow.id, trail: 'build-1', reason: 'audit' } },
  ]);
  await record(engines, spaceTree, org.id, by, [
    { type: 'SpaceCreated', version: 1, data: { id: 'space-1', name: 'payments', parent: ROOT_SPACE } },
  ]);
}

async function recordRunning(engines: Engines): Promise<void> {
  const { org } = ACME;
  const artifact = { fingerprint: ACME.fingerprint, name: 'web:1', instances: [AT / 1_000] };
  const since = { snapshot: 1, at: AT + 1_000, deployedAt: AT / 1_000 };
  const flows = [{ ...web, deploymentDiff: null, leadTime: 3_600 }];
  const events: EnvironmentEvent[] = [
    environmentCreated(),
    snapshotRecorded(1, change('started', { ...artifact, since, flows })),
    snapshotRecorded(2, change('exited', { ...artifact, since, flows })),
  ];
  const indexOf = (event: EnvironmentEvent): CommitIndex => {
    const snapshot = event.type === 'SnapshotRecorded' ? event.data.snapshot : 0;
    return { snapshot, full: 0, runs: '', runsCounted: '' };
  };
  await claim(engines, org.id, 'environment', 'production', 'prod');
  await record(engines, environment, 'prod', by, events, indexOf);
  const mail = { id: 'target-1', type: 'EMAIL', emails: 'ops@acme.test' } as const;
  await claim(engines, org.id, 'target-config', 'shared', 'config-1');
  await record(engines, targetConfig, 'config-1', by, [
    { type: 'TargetConfigCreated', version: 1, data: { id: 'config-1', name: 'shared', targets: [mail] } },
  ]);
  const settings = { name: 'ops', environments: ['prod'], triggers: ['ON_STARTED_ARTIFACT'], targets: [mail] } as const;
  await claim(engines, org.id, 'notification', 'ops', '1');
  await record(engines, notification, `${org.id}/1`, by, [
    { type: 'NotificationCreated', version: 1, data: { number: 1, type: 'env', ...settings } },
  ]);
}

async function recordVulnerabilities(engines: Engines): Promise<void> {
  const file = { filename: 'osv.json', sha256: fingerprintOf('osv.json'), size: 100 };
  const entry: ListedVulnerability = {
    id: 'OSV-1',
    aliases: ['CVE-2023-1'],
    published: AT,
    modified: AT,
    withdrawn: null,
    severity: 'high',
    summary: 'Reads too much',
    affected: [],
  };
  await record(engines, vulnerabilities, ACME.org.id, by, [
    { type: 'VulnerabilityImportBegun', version: 1, data: file },
    { type: 'VulnerabilitiesListed', version: 1, data: { vulnerabilities: [entry] } },
    { type: 'VulnerabilitiesImported', version: 1, data: { ...file, vulnerabilities: 1, statements: 0, unread: 0 } },
  ]);
}

function claim(engines: Engines, org: string, kind: NameKind, text: string, id: string): Promise<void> {
  const [, key = ''] = /^name\/(.*)$/s.exec(streams.name(org, kind, text)) ?? [];
  return record(engines, name, key, { ...by, org }, [{ type: 'NameClaimed', version: 1, data: { id } }]);
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
