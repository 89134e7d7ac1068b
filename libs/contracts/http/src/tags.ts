/** Groups of routes in the order of the document, and what they are about. */
export const TAGS: Readonly<Record<string, string>> = {
  Environments: 'Where software runs: what reporters say of it, and what happened there.',
  Snapshots: 'What ran in an environment, from one change to the next.',
  Deployments: 'When an artifact began to run somewhere, and how long the way from its commit was.',
  Flows: 'The ways by which products are built, with templates of what every build has to show.',
  Trails: 'Single runs of a flow: one build, one change.',
  Artifacts: 'What was built, by its fingerprint, with the commit that it was built from.',
  Notifications: 'Messages to Slack, webhooks and mail addresses about what happens in environments.',
  Attestations: 'What was stated of trails and artifacts: tests, scans, reviews, decisions, with their evidence.',
  Repositories: 'Where code is. They are recorded with the artifacts that are built from them.',
  'Attestation types': 'What an organization makes of attestations for itself: a schema of their data, and rules.',
  Controls: 'Requirements of the organization, which policies and decisions refer to.',
  Tags: 'Words by which environments, flows, controls and repositories are found.',
  Users: 'What is about the caller alone.',
  Members: 'Who belongs to an organization, in which role, and how that came about.',
  'Service accounts': 'Who calls without being a person, and with which keys.',
  Meta: 'What the service says of itself; no key is needed.',
};
