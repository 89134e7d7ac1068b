/** A commit as reported (specification 2.2). `timestamp` in epoch seconds. */
export interface CommitInfo {
  readonly sha1: string;
  readonly message: string | null;
  readonly author: string | null;
  readonly branch: string | null;
  readonly timestamp: number | null;
  readonly url: string | null;
  readonly authorUsername?: string;
  readonly parents?: readonly string[];
}

/** A repository in an event: its id, and the details that were known at that time. */
export interface RepoRef {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** `github`, `gitlab`, `bitbucket`, `azure-devops`, what the client said, or null. */
  readonly provider: string | null;
}

/** Where a fingerprint is known from: one report in one flow and trail. */
export interface Provenance {
  readonly artifactId: string;
  readonly flow: { readonly id: string; readonly name: string };
  /** Null for the legacy form without a trail. */
  readonly trail: string | null;
  /** The artifact's name in the flow's template; null for the legacy form. */
  readonly template: string | null;
  readonly filename: string;
  /** 40 hexadecimal characters. */
  readonly gitCommit: string;
  readonly commitUrl: string | null;
  readonly buildUrl: string | null;
  readonly commit: CommitInfo | null;
  readonly repo: RepoRef | null;
  /** When it was reported: integer milliseconds. */
  readonly reportedAt: number;
}
