import type { Route } from '@assurance/contracts/http/route';
import { routes } from '@assurance/contracts/http/routes/routes';

/** A route of the API as a tool of assistants. */
export interface Tool {
  readonly route: Route;
  /** Its name; without it, the name is made from the id of the route. */
  readonly name?: string;
  /** When to use the tool, in addition to the description of its route. */
  readonly hint: string;
  /** The page that shows it, below the public URL, with the names of arguments in braces. */
  readonly page: string;
  /** It can be read as a resource too, because its path says everything. */
  readonly resource?: true;
  /** Absent for a reading route. `adds`: existing data stays. `replaces`: something is replaced or removed. */
  readonly changes?: 'adds' | 'replaces';
  /** Set if it sends something out of the installation. */
  readonly sends?: true;
}

/** Tools that read: reading routes of the API, named like the route unless a shorter name is given. */
export const QUESTIONS: readonly Tool[] = [
  {
    route: routes.getSession,
    hint: 'Begin here: it names the organizations that other tools take as `org`.',
    page: '/',
    resource: true,
  },
  { route: routes.listEnvironments, hint: 'Tells which environments comply now.', page: '/{org}/environments' },
  {
    route: routes.getEnvironment,
    hint: 'Its policies, and when it was reported last.',
    page: '/{org}/environments/{env}',
    resource: true,
  },
  {
    route: routes.getSnapshot,
    hint: 'What runs: take `-1` as `expr` for now, `@{2026-11-02T12:00:00}` for a moment. Artifacts that do not comply say why.',
    page: '/{org}/environments/{env}',
    resource: true,
  },
  {
    route: routes.listSnapshots,
    hint: 'When an environment changed.',
    page: '/{org}/environments/{env}?tab=history',
  },
  {
    route: routes.diffEnvironments,
    hint: 'What changed between two moments, or what differs between two environments.',
    page: '/{org}/compare?a={snappish1}&b={snappish2}',
  },
  {
    route: routes.listEnvironmentEvents,
    hint: 'What happened in an environment, in order; `start_ts` and `end_ts` bound it.',
    page: '/{org}/environments/{env}?tab=events',
  },
  {
    route: routes.assertArtifact,
    hint: 'Why an artifact is not compliant: the resolution of each rule.',
    page: '/{org}/search?q={fingerprint}',
  },
  {
    route: routes.listDeployments,
    hint: 'What was deployed where and when, and how long it took.',
    page: '/{org}/deployments',
  },
  {
    route: routes.listDetailedDeployments,
    hint: 'What a deployment was (a rollback, a restart) and what it replaced; `kind` chooses.',
    page: '/{org}/deployments',
  },
  {
    route: routes.getDeploymentMetrics,
    hint: 'Deployment frequency, lead time, rollbacks and recovery. Baselines and restarts do not count.',
    page: '/{org}/deployments',
  },
  {
    route: routes.listRepoDeployments,
    hint: 'Deployments of one repository.',
    page: '/{org}/repositories/{repo}',
  },
  { route: routes.listRepos, hint: '', page: '/{org}/repositories' },
  { route: routes.listFlows, hint: '', page: '/{org}/flows' },
  {
    route: routes.getFlow,
    hint: 'Its template says which evidence is expected.',
    page: '/{org}/flows/{flow}',
    resource: true,
  },
  { route: routes.listTrails, hint: '', page: '/{org}/flows' },
  {
    route: routes.getTrail,
    hint: 'The evidence of one run: what was built, attested and is missing.',
    page: '/{org}/flows/{flow}/trails/{trail}',
    resource: true,
  },
  {
    route: routes.listTrailAttestations,
    hint: 'The attestations of one name in a trail, with their payload.',
    page: '/{org}/flows/{flow}/trails/{trail}',
  },
  {
    route: routes.listArtifactAttestations,
    hint: 'The attestations of one name of an artifact, with their payload.',
    page: '/{org}/flows/{flow}/artifacts/{fingerprint}',
  },
  { route: routes.listAttestations, hint: '', page: '/{org}/flows' },
  {
    route: routes.getArtifact,
    hint: 'Where it runs and ran, and from which commit it was built.',
    page: '/{org}/flows/{flow}/artifacts/{fingerprint}',
    resource: true,
  },
  {
    route: routes.search,
    hint: 'Finds artifacts by the beginning of a commit or fingerprint.',
    page: '/{org}/search?q={value}',
  },
  {
    route: routes.findComponents,
    name: 'where_runs',
    hint: 'Which environments run a component, since when, from which commit, and when it was gone. An empty list is an all-clear only if `without_sbom`, `incomplete_sbom` and `not_comparable.total_count` are 0: always tell these numbers.',
    page: '/{org}/components',
  },
  {
    route: routes.listArtifactComponents,
    name: 'components_of_artifact',
    hint: 'Without an SBOM nobody knows what it contains.',
    page: '/{org}/search?q={fingerprint}',
  },
  {
    route: routes.listEnvironmentComponents,
    name: 'components_of_environment',
    hint: 'Now, or at a time. `without_sbom` counts what may contain anything.',
    page: '/{org}/environments/{env}',
  },
  {
    route: routes.compareComponents,
    name: 'diff_components',
    hint: 'Which components came and went between two moments, or differ between two environments.',
    page: '/{org}/compare?a={snappish1}&b={snappish2}&tab=components',
  },
  {
    route: routes.listVulnerabilities,
    hint: 'The vulnerabilities of what runs and ran, the worst first; `environment` for what runs there now.',
    page: '/{org}/vulnerabilities',
  },
  {
    route: routes.getVulnerability,
    hint: 'From when to when each environment was exposed to it, and which deployment ended that.',
    page: '/{org}/vulnerabilities/{id}',
  },
  {
    route: routes.listArtifactVulnerabilities,
    name: 'vulnerabilities_of_artifact',
    hint: 'Which vulnerabilities one artifact has, by which component, who says so, and where it runs. An empty list is an all-clear only if `last_import` is recent and `without_sbom`, `incomplete_sbom` and `unmatched_components` are 0: always tell these.',
    page: '/{org}/search?q={fingerprint}',
  },
  {
    route: routes.getEnvironmentExposure,
    name: 'exposure',
    hint: 'To how many vulnerabilities an environment is and was exposed, by day and severity. Zeros are an all-clear only if `last_import` is recent and `without_sbom`, `incomplete_sbom` and `unmatched_components` are 0: always tell these.',
    page: '/{org}/environments/{env}?tab=exposure',
  },
  { route: routes.listPolicies, hint: '', page: '/{org}/policies' },
  {
    route: routes.getPolicy,
    hint: 'The rules themselves, with their versions.',
    page: '/{org}/policies/{policy}',
    resource: true,
  },
];

/**
 * Tools that write, if the installation allows them; the key's role limits them further. They do what a person does
 * after reading. None changes who has access, and none removes recorded data.
 */
export const CHANGES: readonly Tool[] = [
  {
    route: routes.attestGeneric,
    hint: 'Records evidence, such as the result of a review.',
    page: '/{org}/flows/{flow}/trails/{trail}',
    changes: 'adds',
  },
  {
    route: routes.attestSystem,
    hint: 'Records a decision on a control, such as an approval.',
    page: '/{org}/flows/{flow}/trails/{trail}',
    changes: 'adds',
  },
  {
    route: routes.overrideAttestation,
    hint: 'Decides against what was attested: ask the person first.',
    page: '/{org}/flows/{flow}/trails/{trail}',
    changes: 'replaces',
  },
  {
    route: routes.putAllowlist,
    hint: 'Overrules every policy for one artifact: ask the person first.',
    page: '/{org}/environments/{env}',
    changes: 'replaces',
  },
  { route: routes.attachPolicies, hint: '', page: '/{org}/environments/{env}', changes: 'adds' },
  { route: routes.detachPolicies, hint: '', page: '/{org}/environments/{env}', changes: 'replaces' },
  { route: routes.patchTags, hint: '', page: '/{org}', changes: 'replaces' },
  {
    route: routes.testNotification,
    hint: 'A message goes to people.',
    page: '/{org}/notifications/{notification_number}',
    changes: 'adds',
    sends: true,
  },
];

/** The name of a tool: `listEnvironments` is `list_environments` unless the tool has a name of its own. */
export function toolName({ route: { id }, name }: Tool): string {
  return name ?? id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Names of the arguments in a path. */
export function pathNames(path: string): readonly string[] {
  return [...path.matchAll(/\{([a-z_0-9]+)\}/gi)].map(([, name = '']) => name);
}
