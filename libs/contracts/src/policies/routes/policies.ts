import { allowedAnswer, allowedExample, allowlistExample, allowlistPage } from '../../environments/answers/allowlist';
import { WHOLE_LIST_MAX } from '../../environments/answers/catalogue';
import { gives, ok } from '../../http/answers/common';
import { followed, names } from '../../http/params';
import { reads, route, writes } from '../../http/route';
import { NO_ENVIRONMENT, UNKNOWN } from '../../http/routes/unknown';
import { list, text } from '../../http/shape';
import { assertAnswer, assertExample } from '../answers/decision';
import { policyDraftAnswer, policyDraftExample } from '../answers/draft';
import { policyAnswer, policyExample } from '../answers/policy';
import { AllowlistPutInput, PolicyDraftInput, PolicyNamesInput, PolicyPutInput } from '../bodies/policy';

const tag = 'Policies';
const unknownPolicy = "Policy 'build-process' does not exist in organization 'acme'";
/** Common fields of the routes that attach and detach policies. */
const attachments = {
  ...writes(tag, 'environment.update'),
  description:
    'The running artifacts are judged again, which creates a new snapshot. Repeating the request changes nothing.',
  body: { kind: 'json', shape: PolicyNamesInput, example: { policy_names: ['build-process'] } },
  errors: { 404: [unknownPolicy, ...NO_ENVIRONMENT] },
} as const;

/** Routes of policies, their attachments, and asserts. */
export const policyRoutes = {
  putPolicy: route('PUT', '/api/v2/policies/{org}', {
    ...writes(tag, 'record'),
    summary: 'Create a policy, or give it a new version',
    description:
      'The file is YAML that is valid for `/schemas/policy/v1`. A new policy needs it; without it, only the description changes. An equal text creates no version. A new version of an attached policy creates a new snapshot of each environment to which it is attached.',
    body: {
      kind: 'multipart',
      shape: PolicyPutInput,
      example: { name: 'build-process', description: 'What runs was built and reviewed', comment: '', type: 'env' },
      field: 'payload',
      file: 'policy_file',
      exampleFile: '_schema: https://example.com/schemas/policy/v1\nartifacts:\n  provenance:\n    required: true\n',
    },
    answers: { ...ok('It existed.'), ...ok('It was created.', 201) },
  }),
  listPolicies: route('GET', '/api/v2/policies/{org}', {
    ...reads(tag),
    summary: 'List policies',
    description: 'All policies with their versions and events, ordered by name.',
    answers: gives('The policies.', list(policyAnswer), [policyExample]),
  }),
  getPolicy: route('GET', '/api/v2/policies/{org}/{policy}', {
    ...reads(tag),
    summary: 'Get a policy',
    description: 'One policy with its versions and events.',
    paths: { policy: 'Name of the policy.' },
    answers: gives('The policy.', policyAnswer, policyExample),
    errors: { 404: [unknownPolicy] },
  }),
  judgePolicyDraft: route('POST', '/api/v2/policies/{org}/{policy}/draft', {
    ...reads(tag),
    summary: 'Show what a draft of a policy would change',
    description:
      'Judges what runs now and what was deployed in the last 30 days, by the draft and by the current version, in the environments to which the policy is attached or in those that the body names. Other policies and the allow-list of an environment count as usual. Nothing is stored. At most 2,000 artifacts of 50 environments are judged: those that run first, then the newest deployments. Logical environments are left out, because their members are judged.',
    paths: { policy: 'Name of the policy.' },
    body: {
      kind: 'json',
      shape: PolicyDraftInput,
      example: {
        policy_yaml: '_schema: https://example.com/schemas/policy/v1\nartifacts:\n  provenance:\n    required: true\n',
        environments: ['production'],
      },
    },
    answers: gives('What the draft would change.', policyDraftAnswer, policyDraftExample),
    errors: { 404: [unknownPolicy, ...NO_ENVIRONMENT] },
  }),
  attachPolicies: route('POST', '/api/v2/environments/{org}/{env}/policies', {
    ...attachments,
    summary: 'Attach policies to an environment',
    answers: ok('The policies are attached.'),
  }),
  detachPolicies: route('DELETE', '/api/v2/environments/{org}/{env}/policies', {
    ...attachments,
    summary: 'Detach policies from an environment',
    answers: ok('The policies are detached.'),
  }),
  putAllowlist: route('PUT', '/api/v2/allowlists/{org}/{env}', {
    ...writes(tag, 'environment.update'),
    summary: 'Allow an artifact in an environment',
    description:
      'The artifact counts as compliant in this environment from now on, or until `expires_at`, despite policies. One that is allowed gets the given name, reason and end; this sends no message.',
    body: {
      kind: 'json',
      shape: AllowlistPutInput,
      example: {
        artifact_fingerprint: 'c0ffee00'.repeat(8),
        artifact_name: 'nginx:1.27',
        description: 'By its vendor',
      },
    },
    answers: { ...ok('It was allowed before.'), ...ok('It is allowed now.', 201) },
    errors: { 404: NO_ENVIRONMENT },
  }),
  listAllowed: route('GET', '/api/v2/allowlists/{org}/{env}', {
    ...reads(tag),
    summary: 'List the allowed artifacts of an environment',
    description:
      'The artifacts that count as compliant in this environment despite policies. The last one allowed comes first.',
    query: followed('Artifacts'),
    answers: gives('The allow-list.', allowlistPage, allowlistExample, 200, 'Link'),
    errors: { 404: [UNKNOWN.environment] },
  }),
  listAllAllowed: route('GET', '/api/v2/allowlists/{org}', {
    ...reads(tag),
    summary: 'List the allowed artifacts of an organization',
    description: `The allow-lists of all environments that are not archived, ordered by environment; the last one allowed comes first. The answer is a plain list of at most ${WHOLE_LIST_MAX}. If there are more, the header \`X-Total-Count\` has their number.`,
    answers: gives('The allow-lists.', list(allowedAnswer), [allowedExample], 200, 'X-Total-Count'),
  }),
  assertArtifact: route('GET', '/api/v2/asserts/{org}/fingerprint/{fingerprint}', {
    ...reads(tag),
    summary: 'Assert that an artifact is compliant',
    description:
      'Judges the artifact by the policies of an environment, by the named policies, or else by its flows. The answer includes every acknowledged attestation.',
    query: {
      flow_name: text('Only its data in this flow.', { min: 1 }),
      environment_name: text('Judged by the policies that are attached to the environment.', { min: 1 }),
      policy_name: names('Judge by this policy; repeat the parameter for several.'),
    },
    answers: gives('The verdict with its reasons.', assertAnswer, assertExample, 200, 'X-Assurance-Verdict'),
    errors: {
      404: [UNKNOWN.artifact, UNKNOWN.fingerprint, UNKNOWN.flow, unknownPolicy, ...NO_ENVIRONMENT],
    },
    // That nobody recorded an artifact is a verdict.
    errorHeaders: { 404: ['X-Assurance-Verdict'] },
  }),
} as const;
