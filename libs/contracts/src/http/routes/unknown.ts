/** Refusals that several routes may return, as the OpenAPI document shows them. */
export const UNKNOWN = {
  flow: "Flow named 'shop-web' does not exist for organization 'acme'",
  trail: "Trail with name 'build-7' does not exist for Organization 'acme' and Flow 'shop-web'",
  artifact: `Artifact with fingerprint '${'c0ffee00'.repeat(8)}' does not exist in flow 'shop-web' belonging to organization 'acme'`,
  fingerprint: `Artifact with fingerprint '${'c0ffee00'.repeat(8)}' does not exist`,
  content: `The attachment 'junit.xml' of attestation '018bcfe5-6800-7000-8000-000000000009' is lost: the store of attachments does not have its content (SHA-256 ${'c0ffee00'.repeat(8)}). Restore the store to a later moment, or attach the same file again`,
  environment: "Environment named 'production' does not exist for organization 'acme'",
  archivedEnvironment: "Environment named 'production' has been archived",
  control: "Control 'SDLC-7' does not exist in organization 'acme'",
  repo: "Repo 'acme/shop' not found",
};

/** For routes whose environment must not be archived. */
export const NO_ENVIRONMENT = [UNKNOWN.environment, UNKNOWN.archivedEnvironment];

/** For routes of a snapshot, by status. */
export const NO_SNAPSHOT = {
  404: [
    UNKNOWN.environment,
    "Org: 'acme'. Snapshot 'production#23' resolves to 'production#23'. len(snapshots) == 3. Indexes are 1-based",
  ],
  410: [
    "The full state of snapshot 'production#2' (resolved to 'production#2') was dropped by the retention of the organization. Its changes are still in the list of events",
  ],
};

/** For routes that only a person may call. */
export const NO_PERSON = "You don't have permission to access this resource";
