import type { Schemas } from '../../api/client';
import { to } from '../../app/paths';
import { Badge, formatCount, NameLink, PageLink, Time } from '../../ui';
import css from '../parts.module.css';

type Place = Schemas['ComponentPlace'];

interface Props {
  readonly artifact: { readonly environments: readonly Place[]; readonly environment_count: number };
}

/** How many environments of an artifact are shown at first. */
const SHOWN = 5;

/** Where an artifact runs, and where and until when it ran. */
export function Places({ artifact: { environments, environment_count: count } }: Props) {
  if (count === 0) return <span className="quiet">nowhere, as far as reports say</span>;
  const moreEnvironments = environments.slice(SHOWN);
  return (
    <ul className={css.causes}>
      {environments.slice(0, SHOWN).map((place) => (
        <PlaceItem key={place.environment} place={place} />
      ))}
      {moreEnvironments.length > 0 && (
        <li>
          <details className={css.more}>
            <summary>{formatCount(count - SHOWN)} more environments</summary>
            <ul className={css.causes}>
              {moreEnvironments.map((place) => (
                <PlaceItem key={place.environment} place={place} />
              ))}
            </ul>
            {count > environments.length && <p className="quiet">The first {environments.length} are shown.</p>}
          </details>
        </li>
      )}
    </ul>
  );
}

const PlaceItem = ({ place }: { readonly place: Place }) => (
  <li>
    <span className="line" style={{ flexBasis: '100%' }}>
      <NameLink to={to.environment(place.environment)}>{place.environment}</NameLink>
      {place.running && <Badge tone="none">Runs now</Badge>}
    </span>
    <span>
      since <Time at={place.first_seen} />,{' '}
      <PageLink to={to.snapshot(place.environment, place.first_snapshot)}>snapshot {place.first_snapshot}</PageLink>
    </span>
    {!place.running && (
      <span>
        gone <Time at={place.last_seen} none="at an unknown time" />
        {place.last_snapshot !== null && (
          <>
            ,{' '}
            <PageLink to={to.snapshot(place.environment, place.last_snapshot)}>snapshot {place.last_snapshot}</PageLink>
          </>
        )}
      </span>
    )}
  </li>
);
