import type { Schemas } from '../../api/client';
import { to } from '../../app/paths';
import { formatCount, NameLink, PageLink, Panel, Time } from '../../ui';

interface Props {
  /** The first late environments. */
  readonly environments: readonly Schemas['Environment'][];
  /** How many there are in total. */
  readonly count: number;
}

/** Environments with late reports, so it is not known what runs there now. Empty if there are none. */
export function LateEnvironments({ environments, count }: Props) {
  if (count === 0) return null;
  return (
    <Panel title="Reports are late" note={formatCount(count)} flush>
      <ul className="plain">
        {environments.map(({ name, last_reported_at, late_since }) => (
          <li key={name} className="line">
            <NameLink to={to.environment(name)}>{name}</NameLink>
            <span className="small quiet end">
              last seen <Time at={last_reported_at} none="never" />, due <Time at={late_since} />
            </span>
          </li>
        ))}
        {count > environments.length && (
          <li>
            <PageLink to={`${to.environments}?late=true`}>{formatCount(count - environments.length)} more</PageLink>
          </li>
        )}
      </ul>
    </Panel>
  );
}
