import { Link } from 'react-router';
import { query, type Schemas } from '../../api/client';
import { to } from '../../app/paths';
import { ArtifactName } from '../../parts/ArtifactName';
import { Empty, formatCount, Guarded, Panel, Time, Verdict } from '../../ui';
import css from './NotCompliant.module.css';

/** How many are shown with their reasons. */
const SHOWN = 6;
const REASONS = 3;

interface Props {
  readonly org: string;
  readonly environments: readonly Schemas['Environment'][];
}

/** The environments that do not comply now, and why. */
export const NotCompliant = ({ org, environments }: Props) => (
  <Panel title="Not compliant now" note={environments.length > 0 && formatCount(environments.length)} flush>
    {environments.length === 0 ? (
      <Empty icon="check" title="Every environment that is judged complies" />
    ) : (
      <ul className="plain">
        {environments.slice(0, SHOWN).map((environment) => (
          <li key={environment.name} className={css.one}>
            <span className="line">
              <Link className={css.name} to={to.environment(org, environment.name)}>
                <bdi>{environment.name}</bdi>
              </Link>
              <Verdict value={false} />
              <span className="small quiet end">
                changed <Time at={environment.last_changed_at} />
              </span>
            </span>
            {environment.included_environments ? (
              <p className={css.reason}>
                as a whole: <bdi>{environment.included_environments.join(', ')}</bdi>
              </p>
            ) : (
              <Guarded lines={2}>
                <Reasons org={org} env={environment.name} />
              </Guarded>
            )}
          </li>
        ))}
        {environments.length > SHOWN && (
          <li>
            <Link to={to.environments(org)}>{formatCount(environments.length - SHOWN)} more</Link>
          </li>
        )}
      </ul>
    )}
  </Panel>
);

function Reasons({ org, env }: { readonly org: string; readonly env: string }) {
  const { data } = query.useSuspenseQuery('get', '/snapshots/{org}/{env}/{expr}', {
    params: { path: { org, env, expr: '-1' } },
  });
  const failing = data.artifacts.filter(({ compliant, annotation }) => compliant === false && annotation.now > 0);
  if (failing.length === 0) return <p className={css.reason}>No policy judges what runs there.</p>;
  return (
    <ul className={css.reasons}>
      {failing.slice(0, REASONS).map(({ name, fingerprint, flow_name, reasons_for_incompliance: reasons }) => (
        <li key={fingerprint + name}>
          <ArtifactName org={org} flow={flow_name} fingerprint={fingerprint} name={name} />
          <span className={css.reason}>
            <bdi>{reasons.join(' · ') || 'does not comply'}</bdi>
          </span>
        </li>
      ))}
      {failing.length > REASONS && <li className={css.reason}>and {formatCount(failing.length - REASONS)} more</li>}
    </ul>
  );
}
