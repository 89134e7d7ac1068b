import type { ResolutionReason } from '@assurance/contracts/policies/answers/decision';
import type { PublishedResolution } from '@assurance/contracts/policies/events';

/**
 * The word that clients know for each of ours. Clients print a sentence for `legacy_flow`, `missing_attestation`, `non_compliant_attestation` and
 * `non_compliant_in_trail` alone, so every reason to refuse is one of these.
 */
const PUBLISHED: Readonly<Record<ResolutionReason, PublishedResolution>> = {
  rule_satisfied: 'rule_satisfied',
  rule_not_applicable: 'rule_not_applicable',
  missing_attestation: 'missing_attestation',
  non_compliant_attestation: 'non_compliant_attestation',
  non_compliant_in_trail: 'non_compliant_in_trail',
  legacy_flow: 'legacy_flow',
  missing_sbom: 'missing_attestation',
  incomplete_sbom: 'non_compliant_attestation',
  denied_component: 'non_compliant_attestation',
  vulnerable_component: 'non_compliant_attestation',
  missing_vulnerabilities: 'non_compliant_attestation',
  unmatched_components: 'non_compliant_attestation',
  incomparable_components: 'non_compliant_attestation',
  empty_sbom: 'non_compliant_attestation',
  not_judged: 'non_compliant_in_trail',
};

/** The published word for a result, with ours beside it where they differ. */
export function published(reason: ResolutionReason): {
  readonly type: PublishedResolution;
  readonly reason?: ResolutionReason;
} {
  const type = PUBLISHED[reason];
  return type === reason ? { type } : { type, reason };
}
