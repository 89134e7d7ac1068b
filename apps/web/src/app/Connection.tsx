import { useLostSince } from '../api/connection';
import { Icon, Time } from '../ui';
import css from './Connection.module.css';

/** Shows that the service does not answer, and since when. It disappears when the service answers again. */
export function Connection() {
  const since = useLostSince();
  return (
    <div role="status">
      {since !== null && (
        <p className={css.lost}>
          <Icon name="clock" />
          <span>
            The service has not answered since <Time at={since} />. This page shows what it knew then, and tries again
            by itself.
          </span>
        </p>
      )}
    </div>
  );
}
