import { complianceFields, trailState } from '../../flows/answers/trail';
import { MADE_UP } from '../../http/answers/common';
import {
  component,
  either,
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  type TypeOf,
  oneOf,
  text,
} from '../../http/shape';
import { SEVERITIES } from '../../vulnerabilities/events';
import { PUBLISHED_RESOLUTIONS, RESOLUTIONS } from '../events';

const expression = object({ text: text('The result without its envelope.') });
const exception = object({ if: nullable(expression) });

const until = nullable(number('From this moment on it is none any more, in epoch seconds; null: it has no end.'));
const pattern = { purl: text('`*` stands for any characters.'), range: nullable(text()) };
const denied = list(object(pattern), 'What is denied.');
const vulnerable = {
  max_severity: oneOf(SEVERITIES, 'The worst severity that is accepted.'),
  grace_days: integer('Days after its publication in which a vulnerability is accepted.'),
  allow_unmatched: flag(
    'Whether components that no database can be compared with are accepted. True in versions from before this field was there.',
  ),
};
const vulnerability = nullable(text('Any name of a vulnerability; null: all of them.'));

const allowEmpty = flag(
  'Whether a bill of materials without components counts. True in versions from before this field was there.',
);

const named = {
  name: text('What the rule is about, where a client of attestations reads a name.'),
  type: text('The type of attestation that the rule reads: `sbom`.'),
};

/** A rule in the form that decisions show. */
const rule = object({
  type: oneOf(['provenance', 'trail-compliance', 'attestation', 'sbom', 'components', 'vulnerabilities']),
  definition: either(
    object({ required: flag(), exceptions: list(exception) }),
    either(
      object(
        { if: nullable(expression), name: text(), type: text(), must_be_compliant: flag() },
        { for_control: text('Identifier of the control of a decision.') },
      ),
      either(
        object({
          ...named,
          required: flag(),
          allow_empty: allowEmpty,
          exceptions: list(object({ if: nullable(expression), until })),
        }),
        either(
          object({
            ...named,
            deny: denied,
            exceptions: list(object({ if: nullable(expression), until, component: nullable(object(pattern)) })),
          }),
          object({
            ...named,
            ...vulnerable,
            exceptions: list(object({ if: nullable(expression), until, vulnerability })),
          }),
        ),
      ),
    ),
  ),
});

/** What decides the result of a rule: a resolution, or `not_judged` where the policy took longer than it may. */
export const RESOLUTION_REASONS = [...RESOLUTIONS, 'not_judged'] as const;
export type ResolutionReason = (typeof RESOLUTION_REASONS)[number];

/** The result of a rule, with one resolution for each flow and trail of the artifact. */
export const ruleEvaluation = component('RuleEvaluation', {
  rule,
  satisfied: nullable(flag('Null if it applies to no flow, or if it was not judged.')),
  ignored: flag(),
  resolutions: list(
    object(
      {
        type: oneOf(PUBLISHED_RESOLUTIONS, 'A word that every client knows.'),
        context: object(
          {
            flow_name: text(),
            trail_name: nullable(text()),
            artifact_status: nullable(trailState),
          },
          { for_control: text() },
        ),
      },
      { reason: oneOf(RESOLUTION_REASONS, 'More exactly why, only where `type` has no word for it.') },
    ),
  ),
});
export type RuleEvaluation = TypeOf<typeof ruleEvaluation>;

/** A cause for artifacts that do not comply: one rule of one policy, violated in one way. */
export const failureCause = component('FailureCause', {
  key: text('For the filter `cause`.'),
  policy_name: text(),
  rule,
  resolution: nullable(oneOf(RESOLUTIONS, 'Null if no flow knows the artifact.')),
  count: integer('How many artifacts fail for this cause; each counts for each of its causes.'),
  failure: text(
    'For the filter `cause`, too: the same for all causes that demand the same of the artifact, whatever the policy, its exceptions and its severities. All causes of artifacts that no flow knows have one.',
  ),
  failure_count: integer('How many artifacts fail in this way, for whatever policy.'),
});
export type FailureCause = TypeOf<typeof failureCause>;

const status = oneOf(['COMPLIANT', 'NON-COMPLIANT']);

export const policyDecision = component('PolicyDecision', {
  policy_name: text(),
  policy_version: integer(),
  status,
  rule_evaluations: list(ruleEvaluation),
});
export type PolicyDecision = TypeOf<typeof policyDecision>;

const dumpException = object({ if_condition: nullable(expression) });
const dumpRule = object({ required: flag(), exceptions: list(dumpException) });

/** A policy as it was applied. */
export const appliedPolicy = component(
  'AppliedPolicy',
  {
    id: text(),
    name: text(),
    version: integer(),
    failing_artifacts: list(
      text(),
      'Fingerprints of running artifacts that violate it; with a page, only those on the page.',
    ),
    policy_dump: object({
      schema_version: text(),
      artifacts: object(
        {
          provenance: dumpRule,
          trail_compliance: dumpRule,
          attestations: list(
            object(
              { if_condition: nullable(expression), name: text(), type: text(), must_be_compliant: flag() },
              { for_control: text() },
            ),
          ),
        },
        {
          sbom: object({
            required: flag(),
            allow_empty: allowEmpty,
            exceptions: list(object({ if_condition: nullable(expression), until })),
          }),
          components: object({
            deny: denied,
            exceptions: list(
              object({ if_condition: nullable(expression), until, component: nullable(object(pattern)) }),
            ),
          }),
          vulnerabilities: object({
            ...vulnerable,
            exceptions: list(object({ if_condition: nullable(expression), until, vulnerability })),
          }),
        },
      ),
    }),
  },
  {
    failing_count: integer('How many artifacts violate it; only with a page.'),
    allowed_count: integer('How many of these the allow-list of the environment accepts; only with a page.'),
  },
);
export type AppliedPolicyAnswer = TypeOf<typeof appliedPolicy>;

/** The status of the trail with the artifact. */
const assertedStatus = component('AssertedStatus', {
  ...complianceFields,
  unexpected: flag('Whether the template does not declare the artifact.'),
});
export type AssertedStatusAnswer = TypeOf<typeof assertedStatus>;
/** The entry of an allow-list that makes an artifact compliant. */
export const allowListing = component('AllowListing', {
  allowlist_id: text('Id of the environment, and the fingerprint.'),
  allowed_by_user_id: text('Id of the user or service account that allowed it.'),
  user_name: text('Name of the user or service account that allowed it.'),
  timestamp: number('When it was allowed, in epoch seconds.'),
  description: text('Why it is allowed. Empty if no reason was given.'),
  expires_at: nullable(number('From this moment on it is not allowed any more, in epoch seconds; null: never.')),
});
export type AllowListing = TypeOf<typeof allowListing>;

/** Whether the `compliant` field beside it is a verdict. */
export const isJudged = flag(
  'Whether anything judged it: a policy, or `require_provenance`. Where false, `compliant` is no verdict.',
);

export const assertAnswer = component(
  'Assertion',
  {
    fingerprint: text(),
    flow: text('The first of `flows`; empty without provenance.'),
    trail: text('Of the first of `flows`; empty if it was reported without a trail.'),
    compliance_status: nullable(assertedStatus),
    compliant: flag(),
    is_judged: isJudged,
    scope: oneOf(['flow', 'environment', 'policy']),
    policy_evaluations: list(policyDecision, 'In the order of the request, or of attachment.'),
    allow_listing: nullable(allowListing),
    flows: list(
      object({
        flow: text(),
        trail: nullable(text()),
        compliant: flag('Whether its state in this flow is COMPLIANT.'),
        compliance_status: nullable(assertedStatus),
        html_url: text(),
      }),
      'The flows of the artifact, in order of the first report.',
    ),
    html_url: text(),
  },
  {
    environment: text('Only for the scope environment, as the two below.'),
    environment_last_reported_at: nullable(
      number('When the environment was last seen: its newest report, in epoch seconds; null before the first.'),
    ),
    environment_late_since: nullable(
      number('By when its next report was due, in epoch seconds; null unless it is late.'),
    ),
  },
);
export type AssertAnswer = TypeOf<typeof assertAnswer>;

const html = `${MADE_UP.host}/acme/flows/shop-web/artifacts/${MADE_UP.fingerprint}`;

export const assertExample: AssertAnswer = {
  fingerprint: MADE_UP.fingerprint,
  flow: 'shop-web',
  trail: MADE_UP.sha,
  compliance_status: null,
  compliant: true,
  is_judged: true,
  scope: 'policy',
  policy_evaluations: [
    {
      policy_name: 'build-process',
      policy_version: 1,
      status: 'COMPLIANT',
      rule_evaluations: [
        {
          rule: { type: 'provenance', definition: { required: true, exceptions: [] } },
          satisfied: true,
          ignored: false,
          resolutions: [
            {
              type: 'rule_satisfied',
              context: { flow_name: 'shop-web', trail_name: MADE_UP.sha, artifact_status: null },
            },
          ],
        },
      ],
    },
  ],
  allow_listing: null,
  flows: [{ flow: 'shop-web', trail: MADE_UP.sha, compliant: true, compliance_status: null, html_url: html }],
  html_url: html,
};
