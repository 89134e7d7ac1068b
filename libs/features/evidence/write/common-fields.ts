import type { AttestationInput } from '@assurance/contracts/evidence/bodies/attestation';
import { patternMessage, PATTERNS } from '@assurance/contracts/http/patterns';
import { commitInfoOf } from '@assurance/flows/write/commit-info';
import { type CallAttachment, RefusalError } from '@assurance/http';
import type { Attest, RequestedTarget } from '../domain/attest';

/** The fields that attestations of all types have. */
export type CommonFields = Omit<Attest, 'type' | 'compliant' | 'payload' | 'original' | 'typeVersion' | 'control'>;

/**
 * Reads the fields that attestations of all types have.
 *
 * @throws RefusalError
 */
export function commonOf(body: AttestationInput, attachments: readonly CallAttachment[]): CommonFields {
  const { git_commit_info, origin_url, user_data, description, external_urls, annotations } = body;
  const { name, artifact } = namesOf(body);
  return {
    name,
    target: targetOf(body, name, artifact),
    commit: git_commit_info === undefined ? null : commitInfoOf(git_commit_info),
    originUrl: origin_url || null,
    attachments,
    userData: user_data ?? {},
    description: description ?? null,
    externalUrls: external_urls ?? {},
    annotations: annotations ?? {},
  };
}

/** Clients send artifact and name separately. A name of the form `<artifact>.<name>` means the same. */
function namesOf({ attestation_name: value, target_artifacts }: AttestationInput) {
  const [artifact] = target_artifacts ?? [];
  const cut = value.indexOf('.');
  if (cut === -1) return { name: value, artifact };
  const [before, name] = [value.slice(0, cut), value.slice(cut + 1)];
  if (before === '' || name === '' || name.includes('.') || artifact !== undefined) {
    const problem = 'Input should have no dot, or be <artifact>.<name> without target_artifacts';
    throw new RefusalError({ kind: 'invalid', errors: { attestation_name: problem } });
  }
  return { name, artifact: before };
}

function targetOf(
  { artifact_fingerprint: fingerprint, git_commit_info: commit }: AttestationInput,
  name: string,
  artifact: string | undefined,
): RequestedTarget {
  if (fingerprint !== undefined) return { kind: 'artifact', fingerprint };
  if (artifact === undefined) return { kind: 'trail' };
  if (commit === undefined) throw new RefusalError({ kind: 'attestation-unbound', name, artifact });
  // Artifacts have only Git commits, so another commit could never match one.
  if (!PATTERNS.gitCommit.matches(commit.sha1)) {
    const errors = { 'git_commit_info.sha1': patternMessage(PATTERNS.gitCommit, commit.sha1) };
    throw new RefusalError({ kind: 'invalid', errors });
  }
  return { kind: 'awaited', template: artifact, commit: commit.sha1 };
}
