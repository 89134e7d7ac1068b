import type { Route } from './route';

/** How many answers with a weight of 1 a process makes at the same time. */
export const ANSWERS_AT_ONCE = 16;

/** How much of a process's memory for answers each route needs. Answers of other routes have less than some MiB. */
const WEIGHTS: Readonly<Record<string, number>> = {
  getSnapshot: 4,
  // These answers need two snapshots.
  compareEnvironments: 8,
  diffEnvironments: 8,
  getTrailPackage: 2,
  getTrailPdf: 2,
  getPackageOfArtifact: 2,
  getEnvironmentAuditLog: 2,
  getRepoDeploymentStatistics: 2,
  getArtifactPackage: 2,
  getAttestationPackage: 2,
  getEvidence: 1,
  getDeploymentMetrics: 2,
  getDeliveryFigures: 1,
  getTrail: 1,
  listTrails: 1,
  listFlowTrails: 1,
  getArtifact: 1,
  listArtifacts: 4,
  listFlowArtifacts: 4,
  getArtifactsOfCommit: 1,
  search: 1,
  listAttestations: 1,
  listFlowAttestations: 1,
  listTrailAttestations: 1,
  listArtifactAttestations: 1,
  listEnvironmentEvents: 1,
  assertArtifact: 1,
  listAllowed: 1,
  listAllAllowed: 1,
  listControlDecisions: 1,
  getControlDecision: 1,
  listFlows: 1,
  listEnvironments: 1,
  listRepos: 1,
  listRepoTags: 4,
  getRepoFilterOptions: 1,
  getRepoLiveArtifacts: 2,
  getBuildStatistics: 1,
  listAttestationTypes: 1,
  listPolicies: 1,
  getPolicy: 1,
  findComponents: 4,
  listArtifactComponents: 1,
  listEnvironmentComponents: 4,
  // The answer needs two inventories.
  compareComponents: 8,
  listVulnerabilities: 4,
  getVulnerability: 4,
  listArtifactVulnerabilities: 4,
  getEnvironmentExposure: 4,
  // The answer needs the evidence of all judged artifacts.
  judgePolicyDraft: 4,
};

/** The cost of an answer of the route, in parts of `ANSWERS_AT_ONCE`; 0 for small answers. */
export function answerWeight({ id }: Pick<Route, 'id'>): number {
  return WEIGHTS[id] ?? 0;
}
