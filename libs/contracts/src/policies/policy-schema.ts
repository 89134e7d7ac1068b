import { attestationType } from '../flows/flow-template';
import {
  document,
  either,
  flag,
  integer,
  type JsonSchema,
  list,
  nullable,
  object,
  oneOf,
  text,
  type TypeOf,
  withKeywords,
} from '../http/shape';
import { SEVERITIES } from '../vulnerabilities/events';

/** The most rules and exceptions of one list. Every rule is checked for every artifact. */
const LIST_MAX = 200;
/** The longest grace period (days). */
const GRACE_MAX = 3_650;

const items = { maxItems: LIST_MAX };
const filled = { minLength: 1, title: 'a text that is not empty' };
const expressionText = withKeywords(text(), { title: 'an expression' });
const expressionObject = object({ text: expressionText });
const expression = withKeywords(either(nullable(text()), expressionObject), {
  title: 'an expression',
  description: 'An expression such as `${{ flow.tags.kind == "build" }}`.',
});
const booleanRule = (description: string) =>
  withKeywords(
    nullable(
      object(
        {},
        {
          required: withKeywords(flag(), { default: false }),
          exceptions: nullable(
            withKeywords(list(object({}, { if: expression }), 'Where one of them holds, nothing is required.'), items),
          ),
        },
      ),
    ),
    { description },
  );

const purl = withKeywords(
  text('A package URL such as `pkg:npm/@acme/*@1.2.0`. `*` stands for any characters, the version may be left out.'),
  {
    title: 'a package URL such as pkg:npm/lodash or pkg:maven/org.example/*',
    pattern: '^pkg:[^/]+/.',
    maxLength: 512,
  },
);
const range = withKeywords(text('Bounds of versions such as `>=2,<2.17`, by the rules of the ecosystem.'), {
  title: 'a range such as >=2,<2.17',
});
// An exception without a condition applies everywhere. So an empty condition is not accepted, because it may be a mistake.
const timed = {
  if: withKeywords(either(text(), expressionObject, 'Where it is one; everywhere unless given.'), {
    title: 'an expression',
  }),
  until: withKeywords(text('From this moment on it is none any more; without it, it has no end.'), {
    title: 'a time such as 2027-01-31T00:00:00Z',
    format: 'date-time',
  }),
};
const exceptions = <F extends Parameters<typeof object>[0]>(description: string, fields: F, whole: JsonSchema = {}) =>
  nullable(withKeywords(list(withKeywords(object({}, fields), { minProperties: 1, ...whole }), description), items));

const artifacts = object(
  {},
  {
    provenance: booleanRule('It is known from a flow.'),
    'trail-compliance': booleanRule('It is compliant in a trail.'),
    attestations: nullable(
      withKeywords(
        list(
          object(
            { type: attestationType },
            {
              name: withKeywords(text('`*` takes any name.'), { ...filled, default: '*' }),
              if: withKeywords(expression, { description: 'Where the rule applies; everywhere unless given.' }),
              must_be_compliant: withKeywords(flag(), { default: true }),
              for_control: withKeywords(nullable(text('Identifier of the control of a decision.')), filled),
            },
          ),
          'What is attested of it, or of its trail.',
        ),
        items,
      ),
    ),
    sbom: nullable(
      withKeywords(
        object(
          {},
          {
            required: withKeywords(flag(), { default: false }),
            allow_empty: withKeywords(flag('Whether an SBOM without components counts. A scan that failed looks so.'), {
              default: false,
            }),
            exceptions: exceptions('Where one of them holds, nothing is required. Each has one key or more.', timed),
          },
        ),
        { description: 'It has an SBOM of which every component is recorded.' },
      ),
    ),
    components: nullable(
      withKeywords(
        object(
          {},
          {
            deny: nullable(
              withKeywords(
                list(withKeywords(either(purl, object({ purl }, { range })), { title: purl.schema['title'] })),
                items,
              ),
            ),
            exceptions: exceptions(
              'What is not denied. Each has one key or more, and `range` only with `purl`.',
              { ...timed, purl, range },
              { dependentRequired: { range: ['purl'] } },
            ),
          },
        ),
        { description: 'What its SBOMs must not list.' },
      ),
    ),
    vulnerabilities: nullable(
      withKeywords(
        object(
          {
            max_severity: oneOf(
              SEVERITIES,
              'The worst severity that is accepted. A severity that nobody states counts as critical.',
            ),
          },
          {
            grace_days: withKeywords(
              integer('Days after a vulnerability was published in which it is accepted, whatever its severity.'),
              {
                title: `a whole number of days from 0 to ${GRACE_MAX}`,
                minimum: 0,
                maximum: GRACE_MAX,
                default: 0,
              },
            ),
            allow_unmatched: withKeywords(
              flag('Whether components that no database of vulnerabilities can be compared with are accepted.'),
              { default: false },
            ),
            exceptions: exceptions('What does not count. Each has one key or more.', {
              ...timed,
              vulnerability: withKeywords(
                text('Any of its names, such as `CVE-2021-44228`; all vulnerabilities unless given.'),
                { title: 'the name of a vulnerability with at most 256 characters', minLength: 1, maxLength: 256 },
              ),
            }),
          },
        ),
        { description: 'It has a complete SBOM, and no component with a vulnerability that is worse than may be.' },
      ),
    ),
  },
);

const policy = object(
  {
    // Only the version at the end of the URL counts.
    _schema: withKeywords(text('The URL of this document.'), {
      title: 'a URL that ends in /v1',
      pattern: '^[A-Za-z][A-Za-z0-9+.-]*://[^?#\\s]+/v1([?#].*)?$',
    }),
  },
  { artifacts: nullable(artifacts) },
);

/** The content of a policy of version 1. Expressions, patterns of packages and combinations of fields are checked later. */
export type PolicyYaml = TypeOf<typeof policy>;
/** The types of the policy's parts. */
export type PolicyExpression = TypeOf<typeof expression>;

/** The JSON Schema of policies. Editors use it, and the service checks policies with it. */
export const policySchema = document(
  policy,
  'Environment policy, version 1',
  'What an artifact must have to run in the environments that the policy is attached to.',
);
