const part = encodeURIComponent;
const under = (org: string, ...parts: readonly (string | number)[]) =>
  `/${[org, ...parts].map((one) => part(String(one))).join('/')}`;

/** Addresses of pages, below the base path: those that `html_url` and `_links` of the API's answers have, and more of the kind. */
export const to = {
  organization: (org: string) => under(org),
  environments: (org: string) => under(org, 'environments'),
  environment: (org: string, environment: string) => under(org, 'environments', environment),
  snapshot: (org: string, environment: string, index: number) =>
    under(org, 'environments', environment, 'snapshots', index),
  compare: (org: string, one: string, other: string) => `${under(org, 'compare')}?a=${part(one)}&b=${part(other)}`,
  deployments: (org: string) => under(org, 'deployments'),
  flows: (org: string) => under(org, 'flows'),
  flow: (org: string, flow: string) => under(org, 'flows', flow),
  trail: (org: string, flow: string, trail: string) => under(org, 'flows', flow, 'trails', trail),
  attestation: (org: string, flow: string, trail: string, id: string) =>
    `${to.trail(org, flow, trail)}?attestation_id=${part(id)}`,
  artifact: (org: string, flow: string, fingerprint: string) => under(org, 'flows', flow, 'artifacts', fingerprint),
  repositories: (org: string) => under(org, 'repositories'),
  repository: (org: string, name: string) => under(org, 'repositories', name),
  policies: (org: string) => under(org, 'policies'),
  policy: (org: string, policy: string) => under(org, 'policies', policy),
  controls: (org: string) => under(org, 'controls'),
  control: (org: string, control: string) => under(org, 'controls', control),
  attestationTypes: (org: string) => under(org, 'attestation-types'),
  attestationType: (org: string, type: string) => under(org, 'attestation-types', type),
  notifications: (org: string) => under(org, 'notifications'),
  notification: (org: string, number: number) => under(org, 'notifications', number),
  settings: (org: string, section = 'members') => under(org, 'settings', section),
  search: (org: string, text: string) => `${under(org, 'search')}?q=${part(text)}`,
} as const;
