import { ok } from '../../http/answers/common';
import { INVALID, route, writes } from '../../http/route';
import type { Component } from '../../http/shape';
import {
  CustomAttestationInput,
  GenericAttestationInput,
  JiraAttestationInput,
  JunitAttestationInput,
  OverrideInput,
  PullRequestAttestationInput,
  SnykAttestationInput,
  SonarAttestationInput,
  SystemAttestationInput,
} from '../bodies/attestation-types';
import { attestationSamples as samples } from './attestation-samples';

const tag = 'Attestations';
const paths = { trail: 'Name of the trail. The trail and its flow are created if they do not exist.' };
const answers = ok('It is recorded.', 201);
const unknownArtifact =
  'Artifact with fingerprint c0ffee… does not exist in trail "build-7" of flow "shop-web" belonging to organization "acme"';
const errors = {
  400: [
    INVALID,
    "Attestation 'unit-test' of artifact 'web' requires at least one of: artifact_fingerprint or git_commit_info.",
    "Flow named 'shop-web' has been archived: nothing new can be added to it",
  ],
  404: [unknownArtifact],
  413: [
    'The trail has reached the limit of 5000 attestations of different names. Report under a name that it has, or on another trail',
  ],
};
const how =
  'With `artifact_fingerprint` it applies to that artifact. With `target_artifacts` and `git_commit_info` it applies to the artifact with that name in the template and that commit, reported before or after. Otherwise it applies to the trail. The newest attestation of a name decides.';

/** Makes the route of one type. The routes differ only in the rule of the type. */
function attest<const Type extends string, B extends object>(
  type: Type,
  { shape, example, rule }: { readonly shape: Component<B>; readonly example: unknown; readonly rule: string },
) {
  return route('POST', `/api/v2/attestations/{org}/{flow}/trail/{trail}/${type}`, {
    ...writes(tag, 'record'),
    summary: `Report a ${type} attestation`,
    description: `${rule} ${how}`,
    paths,
    body: {
      kind: 'multipart',
      shape,
      example,
      field: 'data_json',
      file: 'attachment_file',
      attachments: true,
      evidence: true,
    },
    answers,
    errors,
  });
}

export const attestRoutes = {
  attestGeneric: attest('generic', {
    shape: GenericAttestationInput,
    example: samples.generic,
    rule: 'Compliant if the caller says so.',
  }),
  attestJunit: attest('junit', {
    shape: JunitAttestationInput,
    example: samples.junit,
    rule: 'Compliant if no result has failures or errors.',
  }),
  attestJira: attest('jira', {
    shape: JiraAttestationInput,
    example: samples.jira,
    rule: 'Compliant if there is a reference and every issue exists.',
  }),
  attestSnyk: attest('snyk', {
    shape: SnykAttestationInput,
    example: samples.snyk,
    rule: 'Compliant if all counts are zero.',
  }),
  attestSonar: attest('sonar', {
    shape: SonarAttestationInput,
    example: samples.sonar,
    rule: 'Compliant if the status of the quality gate is `OK`.',
  }),
  attestPullRequest: attest('pull_request', {
    shape: PullRequestAttestationInput,
    example: samples.pullRequest,
    rule: 'Compliant if there is a pull request.',
  }),
  attestCustom: attest('custom', {
    shape: CustomAttestationInput,
    example: samples.custom,
    rule: 'Compliant if the data is valid for the schema of its type and every rule of the type yields true.',
  }),
  attestSystem: attest('system', {
    shape: SystemAttestationInput,
    example: samples.system,
    rule: 'With `type_name` `decision`: a decision, on a control where one is named, compliant or not as decided. The newest decision on a control counts. With `type_name` `sbom`: a software bill of materials as one attached file of at most 64 MiB, compliant if the file could be read. CycloneDX 1.2 to 1.7 in JSON and XML, SPDX 2.2 and 2.3 in JSON and tag-value, and SPDX 3.0 in JSON are read; another file, and one whose digest is not `original_fingerprint`, is 400.',
  }),
  overrideAttestation: route('POST', '/api/v2/attestations/{org}/{flow}/trail/{trail}/override', {
    ...writes(tag, 'record'),
    summary: 'Override an attestation',
    description: `Sets the status of a name with a reason, whether it was attested or not. Existing attestations stay. ${how}`,
    paths,
    body: { kind: 'json', shape: OverrideInput, example: samples.override, evidence: true },
    answers,
    errors,
  }),
} as const;
