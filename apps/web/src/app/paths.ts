const part = encodeURIComponent;
const path = (...parts: readonly (string | number)[]) =>
  parts.map((candidate) => `/${part(String(candidate))}`).join('');

/** The address of a page of an organization, below the base path. @param page one of `to`; the overview if left out */
export const pageIn = (org: string, page = ''): string => path(org) + page;

/**
 * Addresses of pages relative to their organization: those in `html_url` and `_links` of the API's answers, and others in the same form. `PageLink`
 * and the components like it add the organization of the page.
 */
export const to = {
  overview: '',
  environments: '/environments',
  environment: (environment: string) => path('environments', environment),
  /** @param cause the key of a cause of failures */
  failing: (environment: string, cause: string) => `${path('environments', environment)}?cause=${part(cause)}`,
  snapshot: (environment: string, index: number) => path('environments', environment, 'snapshots', index),
  /** @param time epoch seconds */
  snapshotAt: (environment: string, time: number) =>
    path('environments', environment, 'snapshots', `@{${new Date(time * 1000).toISOString().slice(0, 19)}}`),
  compare: (a: string, b: string) => `/compare?a=${part(a)}&b=${part(b)}`,
  deployments: '/deployments',
  components: '/components',
  /** @param component package URL or name @param version a version of it; all versions if neither this nor the package URL has one */
  component: (component: string, version?: string | null) =>
    `/components?component=${part(component)}${version == null ? '' : `&version=${part(version)}`}`,
  vulnerabilities: '/vulnerabilities',
  vulnerability: (id: string) => path('vulnerabilities', id),
  flows: '/flows',
  flow: (flow: string) => path('flows', flow),
  trail: (flow: string, trail: string) => path('flows', flow, 'trails', trail),
  attestation: (flow: string, trail: string, id: string) => `${to.trail(flow, trail)}?attestation_id=${part(id)}`,
  artifact: (flow: string, fingerprint: string) => path('flows', flow, 'artifacts', fingerprint),
  /** For an artifact that no flow knows. */
  unknownArtifact: (fingerprint: string) => path('artifacts', fingerprint),
  repositories: '/repositories',
  /** @param id needed if several repositories have the name */
  repository: (name: string, id?: string) =>
    `${path('repositories', name)}${id === undefined ? '' : `?id=${part(id)}`}`,
  policies: '/policies',
  policy: (policy: string) => path('policies', policy),
  controls: '/controls',
  control: (control: string) => path('controls', control),
  auditLog: '/audit-log',
  firstSteps: '/first-steps',
  attestationTypes: '/attestation-types',
  attestationType: (type: string) => path('attestation-types', type),
  notifications: '/notifications',
  notification: (number: number) => path('notifications', number),
  /** The first section if none is given. */
  settings: (...section: readonly [] | readonly [string]) => path('settings', ...section),
  search: (text: string) => `/search?q=${part(text)}`,
} as const;
