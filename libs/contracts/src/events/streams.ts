/** Stream ids. They consist of ids that never change, so a rename rewrites nothing. See `docs/reference/streams.md`. */
export const streams = {
  organization: (id: string) => `organization/${id}`,
  user: (id: string) => `user/${id}`,
  membership: (org: string, principal: string) => `membership/${org}/${principal}`,
  /** The administrators of an organization. The order of events in the stream ensures that at least one remains. */
  administrators: (org: string) => `administrators/${org}`,
  /** All invitations of one address to one organization, in order. @param address SHA-256 of the address in lower case */
  invitation: (org: string, address: string) => `invitation/${org}/${address}`,
  /** A person, as identified by an OpenID Connect provider. @param key SHA-256 of the issuer and the subject */
  externalIdentity: (key: string) => `external-identity/${key}`,
  /** The applied states of one part of the bootstrap file. @param part such as `user/ada` */
  declaration: (part: string) => `declaration/${part}`,
  serviceAccount: (id: string) => `service-account/${id}`,
  environment: (id: string) => `environment/${id}`,
  flow: (id: string) => `flow/${id}`,
  trail: (flow: string, name: string) => `trail/${flow}/${name}`,
  /** An artifact that was reported without a trail (the legacy form). */
  artifact: (flow: string, fingerprint: string) => `artifact/${flow}/${fingerprint}`,
  attestationType: (id: string) => `attestation-type/${id}`,
  control: (id: string) => `control/${id}`,
  policy: (id: string) => `policy/${id}`,
  repo: (id: string) => `repo/${id}`,
  /** The retention rules and legal holds of an organization. */
  retention: (org: string) => `retention/${org}`,
  /** The vulnerabilities and VEX statements that an organization imported. */
  vulnerabilities: (org: string) => `vulnerabilities/${org}`,
  /** The vulnerabilities that were found in the running artifacts of an environment. */
  exposure: (environment: string) => `exposure/${environment}`,
  /** All spaces of an organization. */
  spaces: (org: string) => `spaces/${org}`,
  notification: (org: string, number: number) => `notification/${org}/${number}`,
  /** Counts an organization's notifications. */
  notificationNumbers: (org: string) => `notification-numbers/${org}`,
  targetConfig: (id: string) => `target-config/${id}`,
  /** The one stream of signed checkpoints. It has no aggregate. */
  checkpoints: 'checkpoint/-',
  /** The register of names. The first append decides who holds a name. `org` is `-` for names that the installation shares. */
  name: (org: string, kind: NameKind, name: string) => `name/${org}/${kind}/${name}`,
} as const;

/** Kinds of things with unique names. Users and organizations share `account`. */
export type NameKind =
  | 'account'
  | 'account-any-case'
  | 'attestation-type'
  | 'control'
  | 'environment'
  | 'flow'
  | 'notification'
  | 'policy'
  | 'service-account'
  | 'service-account-any-case'
  | 'target-config'
  | 'repo-id'
  | 'repo-url';

/** The organization of streams that belong to no organization. */
export const NO_ORGANIZATION = '-';

/** The actor of commits that the service itself makes. The value is stored, so it must never change. */
export const SYSTEM = 'system';

/** The first segment of a stream id: the kind of aggregate. */
export function kindOf(stream: string): string {
  return stream.slice(0, stream.indexOf('/'));
}

/** The part of a stream id after the first segment. */
export function keyOf(stream: string): string {
  return stream.slice(stream.indexOf('/') + 1);
}
