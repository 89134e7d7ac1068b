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
  /** Whether the provider found the commit's signature valid, and what it says about the signature. */
  readonly verified?: boolean;
  readonly signatureState?: string;
}

/** A repository in an event: its id, and the details that were known at that time. */
export interface RepoRef {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** `github`, `gitlab`, `bitbucket`, `azure-devops`, what the client said, or null. */
  readonly provider: string | null;
}
