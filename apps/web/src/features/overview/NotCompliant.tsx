import type { Schemas } from '../../api/client';
import { to } from '../../app/paths';
import { Causes } from '../../parts/Causes';
import { Empty, formatCount, Guarded, NameLink, NamesInText, PageLink, Panel, Time, Verdict } from '../../ui';
import css from './NotCompliant.module.css';

/** How many environments are shown with their reasons. */
export const SHOWN = 6;

interface Props {
  /** The first environments. */
  readonly environments: readonly Schemas['Environment'][];
  /** How many there are in total. */
  readonly count: number;
  /** How many environments comply. */
  readonly compliantCount: number;
}

/** The environments that do not comply now, and why. */
export const NotCompliant = ({ environments, count, compliantCount }: Props) => (
  <Panel title="Not compliant now" note={count > 0 && formatCount(count)} flush>
    {count + compliantCount === 0 ? (
      <Empty icon="policies" title="No environment is judged">
        Attach a policy to an environment, and it is judged.
      </Empty>
    ) : count === 0 ? (
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
                as a whole: <NamesInText names={environment.included_environments} to={to.environment} />
              </p>
            ) : (
              <Guarded lines={2}>
                <Causes env={environment.name} />
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
