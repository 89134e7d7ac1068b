import { assertAnswer, assertExample, okAnswer, policyAnswer, policyExample } from '../answers';
import { AllowlistPutInput, PolicyNamesInput, PolicyPutInput } from '../bodies';
import { text, texts } from '../params';
import { list } from '../shape';
import { INVALID, route } from '../route';

const tag = 'Policies';
const unknownPolicy = "Policy 'build-process' does not exist in organization 'acme'";
const unknownEnvironment = "Environment named 'production' does not exist for organization 'acme'";
const archivedEnvironment = "Environment named 'production' has been archived";
const ok = (description: string) => ({ 200: { description, shape: okAnswer, example: 'OK' } });

/** Routes of policies, of their attachments, and of asserts. */
export const policyRoutes = {
  putPolicy: route({
    id: 'putPolicy',
    method: 'PUT',
    path: '/api/v2/policies/{org}',
    owner: 'ingestion',
    permission: 'record',
    tag,
    summary: 'Create a policy, or give it a new version',
    description:
      'The file is YAML as `/schemas/policy/v1` says. The same text again makes no new version; a new version of an attached policy makes a new snapshot of every environment that it is attached to.',
    body: {
      kind: 'multipart',
      dto: PolicyPutInput,
      example: { name: 'build-process', description: 'What runs was built and reviewed', comment: '', type: 'env' },
      field: 'payload',
      file: 'policy_file',
      requiredFile: '_schema: https://example.com/schemas/policy/v1\nartifacts:\n  provenance:\n    required: true\n',
    },
    answers: {
      200: { description: 'It was there.', shape: okAnswer, example: 'OK' },
      201: { description: 'It was made.', shape: okAnswer, example: 'OK' },
    },
    errors: { 400: [INVALID] },
  }),
  listPolicies: route({
    id: 'listPolicies',
    method: 'GET',
    path: '/api/v2/policies/{org}',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'List policies',
    description: 'All policies, by name, with their versions and what happened to them.',
    answers: { 200: { description: 'The policies.', shape: list(policyAnswer), example: [policyExample] } },
  }),
  getPolicy: route({
    id: 'getPolicy',
    method: 'GET',
    path: '/api/v2/policies/{org}/{policy}',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'Get a policy',
    description: 'One policy with its versions and what happened to it.',
    paths: { policy: 'Name of the policy.' },
    answers: { 200: { description: 'The policy.', shape: policyAnswer, example: policyExample } },
    errors: { 404: [unknownPolicy] },
  }),
  attachPolicies: route({
    id: 'attachPolicies',
    method: 'POST',
    path: '/api/v2/environments/{org}/{env}/policies',
    owner: 'ingestion',
    permission: 'environment.update',
    tag,
    summary: 'Attach policies to an environment',
    description: 'What runs there is judged again, which makes a new snapshot. Again does no harm.',
    body: { kind: 'json', dto: PolicyNamesInput, example: { policy_names: ['build-process'] } },
    answers: ok('They are attached.'),
    errors: { 400: [INVALID], 404: [unknownPolicy, unknownEnvironment, archivedEnvironment] },
  }),
  detachPolicies: route({
    id: 'detachPolicies',
    method: 'DELETE',
    path: '/api/v2/environments/{org}/{env}/policies',
    owner: 'ingestion',
    permission: 'environment.update',
    tag,
    summary: 'Detach policies from an environment',
    description: 'What runs there is judged again, which makes a new snapshot. Again does no harm.',
    body: { kind: 'json', dto: PolicyNamesInput, example: { policy_names: ['build-process'] } },
    answers: ok('They are not attached.'),
    errors: { 400: [INVALID], 404: [unknownPolicy, unknownEnvironment, archivedEnvironment] },
  }),
  putAllowlist: route({
    id: 'putAllowlist',
    method: 'PUT',
    path: '/api/v2/allowlists/{org}/{env}',
    owner: 'ingestion',
    permission: 'environment.update',
    tag,
    summary: 'Allow an artifact in an environment',
    description: 'It counts as compliant there from now on, whatever the policies say. Again does no harm.',
    body: {
      kind: 'json',
      dto: AllowlistPutInput,
      example: {
        artifact_fingerprint: 'c0ffee00'.repeat(8),
        artifact_name: 'nginx:1.27',
        description: 'By its vendor',
      },
    },
    answers: ok('It is allowed.'),
    errors: { 400: [INVALID], 404: [unknownEnvironment, archivedEnvironment] },
  }),
  assertArtifact: route({
    id: 'assertArtifact',
    method: 'GET',
    path: '/api/v2/asserts/{org}/fingerprint/{fingerprint}',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'Ask whether an artifact is compliant',
    description:
      'By the policies of an environment, by the policies that are named, else by its flows. Answers from what is committed: whoever attested something and got a success finds it counted.',
    query: {
      flow_name: text({ description: 'Only what is known of it in this flow.', empty: 'refused' }),
      environment_name: text({ description: 'By the policies that are attached to it.', empty: 'refused' }),
      policy_name: texts('By this policy; repeat the parameter for several.'),
    },
    answers: { 200: { description: 'Whether it is, and why.', shape: assertAnswer, example: assertExample } },
    errors: {
      400: [INVALID],
      404: [
        `Artifact with fingerprint '${'c0ffee00'.repeat(8)}' does not exist in flow 'shop-web' belonging to organization 'acme'`,
        `Artifact with fingerprint '${'c0ffee00'.repeat(8)}' does not exist`,
        "Flow named 'shop-web' does not exist for organization 'acme'",
        unknownPolicy,
        unknownEnvironment,
        archivedEnvironment,
      ],
    },
  }),
} as const;
