import type { Schemas } from '../../api/client';
import { to } from '../../app/paths';
import { nameOfType, NameLink, PageLink, Time, Verdict, wordsOf } from '../../ui';

interface Props {
  readonly flow: string;
  readonly trail: Schemas['Trail'];
}

type Event = Schemas['TrailEvent'];

/** How many of the newest events are shown. */
const SHOWN = 100;

/** The events of a trail, newest first. */
export const TrailTimeline = ({ flow, trail }: Props) => (
  <ol className="plain">
    {[...trail.events]
      .sort((a, b) => b.timestamp - a.timestamp)
      .slice(0, SHOWN)
      .map((event, i) => (
        <li key={i} className="line">
          <span>{wordsOf(event.type)}</span>
          <Subject flow={flow} trail={trail.name} event={event} />
          {event.is_compliant !== undefined && <Verdict value={event.is_compliant} />}
          <span className="small quiet end">
            <Time at={event.timestamp} />
          </span>
        </li>
      ))}
  </ol>
);

function Subject({ flow, trail, event }: Omit<Props, 'trail'> & { readonly trail: string; readonly event: Event }) {
  if (event.environment_name !== undefined && event.snapshot_index !== undefined) {
    return (
      <PageLink to={to.snapshot(event.environment_name, event.snapshot_index)}>
        <bdi>{event.environment_name}</bdi>, snapshot {event.snapshot_index}
      </PageLink>
    );
  }
  if (event.attestation_id !== undefined) {
    const type = nameOfType(event.attestation_type ?? 'attestation');
    return (
      <>
        <NameLink to={to.attestation(flow, trail, event.attestation_id)}>
          {event.template_reference_name ?? type}
        </NameLink>
        <span className="quiet small">{type}</span>
      </>
    );
  }
  if (event.artifact_fingerprint !== undefined) {
    return <NameLink to={to.artifact(flow, event.artifact_fingerprint)}>{event.artifact_name ?? 'artifact'}</NameLink>;
  }
  return null;
}
