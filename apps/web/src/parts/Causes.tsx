import type { Schemas } from '../api/client';
import { useSnapshot } from '../api/snapshots';
import { to } from '../app/paths';
import { formatCount, NameLink, PageLink } from '../ui';
import { demandOf, failureOf } from './demand';
import { FirstFew } from './FirstFew';
import css from './parts.module.css';

type Cause = Schemas['FailureCause'];

/** How many causes are shown at once: the API has the greatest first. */
const SHOWN = 6;

/** Why what runs in an environment does not comply: each cause with a link to the artifacts that it concerns. */
export function Causes({ env }: { readonly env: string }) {
  const { failure_causes: causes = [], artifact_compliance_count: counts } = useSnapshot(env, '-1', {
    show: 'non-compliant',
    perPage: 1,
  });
  if (causes.length === 0) {
    const text = counts.false === 0 ? 'No policy judges what runs there.' : 'Its policies are not known any more.';
    return <p className={css.cause}>{text}</p>;
  }
  return (
    <FirstFew
      className={css.causes}
      count={SHOWN}
      kind="causes"
      items={causes.map((cause) => (
        <>
          <PageLink to={to.failing(env, cause.key)}>
            {formatCount(cause.count)}: {failureOf(cause)}
          </PageLink>
          <span className={css.cause}>
            Demanded: {demandOf(cause)}, by <NameLink to={to.policy(cause.policy_name)}>{cause.policy_name}</NameLink>
            <Control cause={cause} />
          </span>
        </>
      ))}
    />
  );
}

function Control({ cause: { rule } }: { readonly cause: Cause }) {
  const control = 'for_control' in rule.definition ? rule.definition.for_control : undefined;
  if (control === undefined) return null;
  return (
    <>
      {' for '}
      <NameLink to={to.control(control)}>{control}</NameLink>
    </>
  );
}
