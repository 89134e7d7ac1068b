import type { routes } from '@assurance/contracts/http/routes/routes';

type RouteTable = typeof routes;
/** The routes that read. */
type Reads = { [Id in keyof RouteTable]: RouteTable[Id]['method'] extends 'GET' ? Id : never }[keyof RouteTable];

/** By what a route is attacked, or why it is not. */
export type Attacked =
  /** A file of `cases`, without its ending. */
  { readonly by: string } | { readonly not: string };

const SMALL = { not: 'its answer is one small object' } as const;
const PUBLIC = { not: 'it is the same short document for everybody, and reads no store' } as const;
const FEW = { not: 'at most 500 things of some hundred bytes each' } as const;
const LARGEST = { by: 'largest-answers' } as const;

/**
 * What the suite attacks with the largest answer that a route can give, and what it does not attack: a route that is added needs a line here. Routes that
 * write answer with `OK` or with the one thing that they made, so that none of them is in the list; cases attack them with large bodies.
 */
export const ATTACKED: Readonly<Record<Reads, Attacked>> = {
  getSnapshot: { by: 'readers-of-snapshots' },
  diffEnvironments: { by: 'comparisons' },
  followChanges: { by: 'followers-of-one-user' },
  getDeploymentMetrics: LARGEST,
  getTrail: LARGEST,
  listTrails: LARGEST,
  listFlowTrails: LARGEST,
  listAttestations: LARGEST,
  listTrailAttestations: LARGEST,
  listFlowAttestations: { not: 'it makes its answer as listArtifactAttestations does, within the same 32 MiB' },
  listCommitAttestations: { not: 'it makes its answer as listArtifactAttestations does, within the same 32 MiB' },
  listSystemAttestationTypes: PUBLIC,
  listArtifactAttestations: LARGEST,
  listArtifacts: LARGEST,
  listFlowArtifacts: LARGEST,
  getArtifact: LARGEST,
  getArtifactsOfCommit: LARGEST,
  search: LARGEST,
  assertArtifact: LARGEST,
  getTrailPackage: LARGEST,
  getArtifactPackage: LARGEST,
  getAttestationPackage: LARGEST,
  getEvidence: LARGEST,
  listEnvironmentEvents: LARGEST,
  listDeployments: LARGEST,
  listDetailedDeployments: LARGEST,
  listRepoDeployments: LARGEST,
  listSnapshots: LARGEST,
  findAnything: { not: 'at most 140 results of some hundred bytes each' },
  listFlows: LARGEST,
  listEnvironments: LARGEST,
  listRepos: LARGEST,
  listPolicies: LARGEST,
  getPolicy: LARGEST,
  listAllowed: LARGEST,
  listAllAllowed: LARGEST,
  listAttestationTypes: LARGEST,
  getAttestationType: { not: 'one schema of at most 1 MiB, which the list has as well' },
  listControls: { not: 'its texts are short, and a page has 100' },
  getControl: SMALL,
  listControlTags: { not: 'at most 50 short pairs for each control, which administrators write' },
  listControlVersions: { not: 'its texts are short, and a page has 100' },
  getControlVersion: SMALL,
  listControlDecisions: LARGEST,
  getControlDecision: LARGEST,
  getControlCoverage: { not: 'it has a line for each policy of the organization, at most 500' },
  getLatestCommit: SMALL,
  getFlow: SMALL,
  getEnvironment: SMALL,
  getRepo: SMALL,
  listSpaces: { not: 'a tree of at most some hundred names' },
  getSpace: SMALL,
  getRetention: SMALL,
  getOrganization: SMALL,
  listMembers: { not: 'a line of some hundred bytes for each member, whom administrators let in' },
  listAuditLog: { not: 'a page of at most 100 entries, whose values are short' },
  listEvents: { not: 'at most 500 events of about one KiB' },
  listMembershipEvents: { not: 'a page of at most 100 lines' },
  listInvitations: FEW,
  listNotifications: FEW,
  getNotification: SMALL,
  listActions: FEW,
  getAction: SMALL,
  listDeliveries: { not: 'a page of at most 100 lines' },
  listTargetConfigs: FEW,
  getTargetConfig: SMALL,
  listServiceAccounts: { not: 'a line of some hundred bytes for each, which administrators make' },
  getServiceAccount: SMALL,
  listServiceAccountKeys: { not: 'at most 50 keys' },
  getServiceAccountKey: SMALL,
  listUserKeys: { not: 'at most 50 keys' },
  listIdentities: SMALL,
  getDefaultOrganization: SMALL,
  getSession: SMALL,
  getVersion: SMALL,
  getSignIn: PUBLIC,
  live: PUBLIC,
  ready: PUBLIC,
  openapi: { by: 'public-documents' },
  docHome: PUBLIC,
  doc: PUBLIC,
  signingKeys: PUBLIC,
  flowTemplateSchema: PUBLIC,
  policySchema: PUBLIC,
  environmentPolicySchema: PUBLIC,
};
