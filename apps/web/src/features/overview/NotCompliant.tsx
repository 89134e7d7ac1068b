import type { Schemas } from '../../api/client';
import { useSnapshot } from '../../api/snapshots';
import { to } from '../../app/paths';
import { ArtifactName } from '../../parts/ArtifactName';
import { Empty, formatCount, Guarded, NameLink, PageLink, Panel, Time, Verdict } from '../../ui';
import css from './NotCompliant.module.css';

/** How many are shown with their reasons. */
export const SHOWN = 6;
const REASONS = 3;

interface Props {
  /** The first of them. */
  readonly environments: readonly Schemas['Environment'][];
  /** How many there are in all. */
  readonly count: number;
}

/** The environments that do not comply now, and why. */
export const NotCompliant = ({ environments, count }: Props) => (
  <Panel title="Not compliant now" note={count > 0 && formatCount(count)} flush>
    {environments.length === 0 ? (
      <Empty icon="check" title="Every environment that is judged complies" />
    ) : (
      <ul className="plain">
        {environments.map((environment) => (
          <li key={environment.name} className={css.one}>
            <span className="line">
              <NameLink className={css.name} to={to.environment(environment.name)}>
                {environment.name}
              </NameLink>
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
                <Reasons env={environment.name} />
              </Guarded>
            )}
          </li>
        ))}
        {count > environments.length && (
          <li>
            <PageLink to={`${to.environments}?state=non-compliant`}>
              {formatCount(count - environments.length)} more
            </PageLink>
          </li>
        )}
      </ul>
    )}
  </Panel>
);

function Reasons({ env }: { readonly env: string }) {
  const { artifacts: failing, total } = useSnapshot(env, '-1', { show: 'non-compliant', perPage: REASONS });
  if (failing.length === 0) return <p className={css.reason}>No policy judges what runs there.</p>;
  return (
    <ul className={css.reasons}>
      {failing.map(({ name, fingerprint, flow_name, reasons_for_incompliance: reasons }) => (
        <li key={fingerprint + name}>
          <ArtifactName flow={flow_name} fingerprint={fingerprint} name={name} />
          <span className={css.reason}>
            <bdi>{reasons.join(' · ') || 'does not comply'}</bdi>
          </span>
        </li>
      ))}
      {total > failing.length && <li className={css.reason}>and {formatCount(total - failing.length)} more</li>}
    </ul>
  );
}
