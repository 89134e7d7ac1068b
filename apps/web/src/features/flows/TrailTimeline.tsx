import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { to } from '../../app/paths';
import { Time, Verdict, wordsOf } from '../../ui';

interface Props {
  readonly org: string;
  readonly flow: string;
  readonly trail: Schemas['Trail'];
}

type Event = Schemas['TrailEvent'];

/** How many events are shown: the newest. */
const SHOWN = 100;

/** The events of a trail, newest first. */
export const TrailTimeline = ({ org, flow, trail }: Props) => (
  <ol className="plain">
    {[...trail.events]
      .sort((a, b) => b.timestamp - a.timestamp)
      .slice(0, SHOWN)
      .map((event, i) => (
        <li key={i} className="line">
          <span>{wordsOf(event.type)}</span>
          <Subject org={org} flow={flow} trail={trail.name} event={event} />
          {event.is_compliant !== undefined && <Verdict value={event.is_compliant} />}
          <span className="small quiet end">
            <Time at={event.timestamp} />
          </span>
        </li>
      ))}
  </ol>
);

function Subject({
  org,
  flow,
  trail,
  event,
}: Omit<Props, 'trail'> & { readonly trail: string; readonly event: Event }) {
  if (event.environment_name !== undefined && event.snapshot_index !== undefined) {
    return (
      <Link to={to.snapshot(org, event.environment_name, event.snapshot_index)}>
        <bdi>{event.environment_name}</bdi> #{event.snapshot_index}
      </Link>
    );
  }
  if (event.attestation_id !== undefined) {
    return (
      <Link to={to.attestation(org, flow, trail, event.attestation_id)}>
        <bdi>{event.attestation_type ?? 'attestation'}</bdi>
      </Link>
    );
  }
  if (event.artifact_fingerprint !== undefined) {
    return (
      <Link to={to.artifact(org, flow, event.artifact_fingerprint)}>
        <bdi>{event.artifact_name ?? 'artifact'}</bdi>
      </Link>
    );
  }
  return null;
}
