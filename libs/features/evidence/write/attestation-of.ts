import type { AttestationInput } from '@assurance/contracts/evidence/bodies/attestation';
import { PATTERNS } from '@assurance/contracts/http/patterns';
import { reportedRepo } from '@assurance/flows/domain/record-repo';
import { type Call, RefusalError } from '@assurance/http';
import { callerOf } from '@assurance/http/command-caller';
import type { Attest as Attested } from '../domain/attest';
import { Attest } from './attest';
import { commonOf } from './common-fields';

/** The fields of an attestation that depend on its type. */
export type TypedAttestation = Pick<Attested, 'type' | 'compliant' | 'payload'> &
  Partial<Pick<Attested, 'original' | 'typeVersion' | 'control' | 'components'>>;
export type AttestCall = Call<AttestationInput, unknown, { readonly flow: string; readonly trail: string }>;

/**
 * Builds the command that records the attestation of a call.
 *
 * @throws RefusalError if no flow or trail can have the given name
 */
export function attestationOf(call: AttestCall, typedAttestation: TypedAttestation): Attest {
  const { flow, trail } = call.params;
  const org = call.org.name;
  if (!PATTERNS.flow.matches(flow)) throw new RefusalError({ kind: 'flow-unknown', org, name: flow });
  if (!PATTERNS.trail.matches(trail)) throw new RefusalError({ kind: 'trail-unknown', org, flow, name: trail });
  const commonFields = commonOf(call.body, call.attachments);
  const input: Attested = { original: null, typeVersion: null, control: null, ...commonFields, ...typedAttestation };
  return new Attest(callerOf(call), flow, trail, input, reportedRepo(call.body.repo_info ?? null, null));
}
