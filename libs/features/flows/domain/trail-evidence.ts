import type { JudgedTrail } from '@assurance/contracts/policies/events';

/** The evidence about an artifact from one flow and trail. */
export interface TrailEvidence {
  readonly flow: { readonly name: string; readonly tags: Readonly<Record<string, string>> };
  /** The trail is null for the legacy form. */
  readonly first: { readonly trail: string | null };
  readonly artifactStatus: JudgedTrail['status'];
  /** The status of the trail for this artifact. */
  readonly trailStatus: JudgedTrail['status'];
  /** Attestations of the artifact and of its trail. */
  readonly attestations: readonly RuleAttestation[];
}

/** The fields of an attestation that rules read. It is the newest of its name. */
export interface RuleAttestation {
  readonly name: string;
  readonly type: string;
  /** The type that rules compare with. */
  readonly countsAs: string;
  readonly compliant: boolean;
  readonly control: { readonly identifier: string } | null;
}
