import { MADE_UP, numberedPageFields, pageExample, pageLinksExample } from '../../http/answers/common';
import { component, flag, integer, list, nullable, object, oneOf, text, type TypeOf } from '../../http/shape';
import { comparedFields, comparedPods } from './environment-diff';

/** How two sides differ in an artifact, in the order in which they are listed. */
export const PAIR_KINDS = ['changed', 'only_from', 'only_to', 'scaled', 'same'] as const;

const comparedArtifact = component(
  'ComparedArtifact',
  {
    ...comparedFields,
    instance_count: integer(),
    compliant: nullable(flag('The verdict in this snapshot; null if no policy judges it.')),
  },
  comparedPods,
);
export type ComparedArtifact = TypeOf<typeof comparedArtifact>;

const comparedPair = component('ComparedPair', {
  kind: oneOf(
    PAIR_KINDS,
    '`changed`: another version of the service; `only_from` and `only_to`: no version of it runs on the other side; `scaled`: the same fingerprint in other numbers of instances; `same`: the same fingerprint.',
  ),
  service: text('The name without tag, digest and the prefix of the default registry.'),
  from: nullable(comparedArtifact),
  to: nullable(comparedArtifact),
  diff_url: nullable(text('Address of a page that compares both commits; null unless the kind is `changed`.')),
});
export type ComparedPair = TypeOf<typeof comparedPair>;

/** One page of what runs in two snapshots. */
export const comparison = component('Comparison', {
  from: text('The first snapshot, such as `staging#3`.'),
  to: text('The second snapshot, such as `production#5`.'),
  counts: object({ changed: integer(), only_from: integer(), only_to: integer(), scaled: integer(), same: integer() }),
  ...numberedPageFields,
  pairs: list(
    comparedPair,
    'Two artifacts are of one service if they have the same repository and the same name without tag and digest, or in one repository the same flow and template name; where a repository is unknown, the name decides. Where a side runs more versions of a service than the other, a version stands in several pairs.',
  ),
});
export type Comparison = TypeOf<typeof comparison>;

const web: ComparedArtifact = {
  fingerprint: MADE_UP.fingerprint,
  flow: 'shop-web',
  name: 'shop/web:1.4',
  git_commit: MADE_UP.sha,
  commit_url: `https://github.com/acme/shop/commit/${MADE_UP.sha}`,
  most_recent_timestamp: 1700000889,
  instance_count: 2,
  compliant: true,
};
const earlier = 'ab'.repeat(20);

export const comparisonExample: Comparison = {
  from: 'staging#3',
  to: 'production#5',
  counts: { changed: 1, only_from: 0, only_to: 0, scaled: 0, same: 12 },
  ...pageExample,
  _links: pageLinksExample('/compare/acme', '&from=staging%233&to=production%235&kind=changed'),
  pairs: [
    {
      kind: 'changed',
      service: 'shop/web',
      from: web,
      to: {
        ...web,
        fingerprint: 'beef'.repeat(16),
        name: 'shop/web:1.3',
        git_commit: earlier,
        commit_url: `https://github.com/acme/shop/commit/${earlier}`,
        most_recent_timestamp: 1699900000,
        compliant: null,
      },
      diff_url: `https://github.com/acme/shop/compare/${MADE_UP.sha}...${earlier}`,
    },
  ],
};
