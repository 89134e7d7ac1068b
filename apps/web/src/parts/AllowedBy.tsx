import type { Schemas } from '../api/client';
import { Time, Verdict } from '../ui';
import css from './parts.module.css';

interface Props {
  readonly listing: Pick<Schemas['AllowListing'], 'user_name' | 'timestamp' | 'description' | 'expires_at'>;
}

/** Shows that an artifact is allowed despite policies: by whom, since when, why and until when. */
export const AllowedBy = ({ listing: { user_name, timestamp, description, expires_at } }: Props) => (
  <span className={css.name}>
    <Verdict value={true}>Allowed</Verdict>
    <span className="small">
      by <bdi>{user_name}</bdi>, <Time at={timestamp} />
      {expires_at !== null && (
        <>
          , until <Time at={expires_at} />
        </>
      )}
      {description !== '' && (
        <>
          , because: <bdi>{description}</bdi>
        </>
      )}
    </span>
  </span>
);
