import type { DeploymentKind } from '@assurance/contracts/environments/events';

/** A kind that a snapshot changed after it was decided. */
export interface KindRevision {
  readonly environment: string;
  /** The snapshot that changed it. */
  readonly by: number;
  readonly snapshot: number;
  readonly fingerprint: string;
  readonly name: string;
  readonly was: RevisedResult;
  readonly is: RevisedResult;
  /** Whether no later report changes the new kind. */
  readonly final: boolean;
}

interface RevisedResult {
  readonly kind: DeploymentKind;
  /** What it replaced; null if nothing. */
  readonly replaced: { readonly fingerprint: string; readonly name: string | null } | null;
}
