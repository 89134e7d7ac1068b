import { Fragment } from 'react';
import type { Schemas } from '../api/client';
import { useSnapshot } from '../api/snapshots';
import { to } from '../app/paths';
import { formatCount, NameLink, PageLink } from '../ui';
import { demandOf, failureOf, failuresOf } from './demand';
import { Examples } from './Examples';
import { FirstFew } from './FirstFew';
import css from './parts.module.css';

type Cause = Schemas['FailureCause'];

/** How many causes are shown at first, the most frequent first. */
const SHOWN = 6;
/** How many artifacts are read, of which each cause names some. */
const READ = 10;

/** Why artifacts in an environment do not comply. Each cause links to its artifacts. */
export function Causes({ env }: { readonly env: string }) {
  const {
    failure_causes: causes = [],
    artifact_compliance_count: counts,
    artifacts,
  } = useSnapshot(env, '-1', { show: 'non-compliant', perPage: READ });
  if (causes.length === 0) {
    const text = counts.false === 0 ? 'No policy judges what runs there.' : 'Its policies are not known any more.';
    return <p className={css.cause}>{text}</p>;
  }
  return (
    <FirstFew
      className={css.causes}
      count={SHOWN}
      kind="causes"
      items={failuresOf(causes).map(([cause, ...otherCauses]) => (
        <>
          <PageLink to={to.failing(env, cause.failure)}>
            {formatCount(cause.failure_count)}: {failureOf(cause)}
          </PageLink>
          <Policies causes={[cause, ...otherCauses]} />
          <Examples cause={cause} artifacts={artifacts} />
        </>
      ))}
    />
  );
}

/** The requirements of policies that an artifact does not meet, each with its controls. */
function Policies({ causes }: { readonly causes: readonly [Cause, ...Cause[]] }) {
  const controls = new Map<string, Set<string>>();
  for (const cause of causes) {
    const ofPolicy = controls.get(cause.policy_name) ?? new Set();
    const control = controlOf(cause);
    controls.set(cause.policy_name, control === undefined ? ofPolicy : ofPolicy.add(control));
  }
  return (
    <span className={css.cause}>
      Demanded: {demandOf(causes[0])}, by{' '}
      {[...controls].map(([policy, policyControls], i) => (
        <Fragment key={policy}>
          {i > 0 && ', '}
          <NameLink to={to.policy(policy)}>{policy}</NameLink>
          {[...policyControls].map((control, at) => (
            <Fragment key={control}>
              {at === 0 ? ' for ' : ' and '}
              <NameLink to={to.control(control)}>{control}</NameLink>
            </Fragment>
          ))}
        </Fragment>
      ))}
    </span>
  );
}

const controlOf = ({ rule: { definition } }: Cause): string | undefined =>
  'for_control' in definition ? definition.for_control : undefined;
