import { useParams } from 'react-router';
import { fileUrl, type Schemas } from '../../api/client';
import { useOrg } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { CommitLine } from '../../parts/CommitLine';
import {
  Badge,
  CodeLines,
  DownloadLink,
  Empty,
  Facts,
  Hash,
  NameLink,
  nameOfType,
  Page,
  Panel,
  SafeLink,
  Time,
  Verdict,
} from '../../ui';
import { Attestations } from './Attestations';
import { TrailTimeline } from './TrailTimeline';

export function TrailPage() {
  const org = useOrg();
  const { flow = '', trail: name = '' } = useParams();
  const trail = useAnswer('/trails/{org}/{flow}/{trail}', { flow, trail: name });
  return (
    <Page
      title={trail.name}
      kind="Trail"
      above={[
        { text: 'Flows', href: to.flows },
        { text: flow, href: to.flow(flow) },
      ]}
      badges={<TrailVerdict trail={trail} />}
      lead={trail.description}
      actions={
        <DownloadLink href={fileUrl('trails', org, flow, trail.name, 'audit_package')}>Audit package</DownloadLink>
      }
    >
      <Panel title="About">
        <About trail={trail} />
      </Panel>
      <div className="columns">
        <Panel title="Against the template" note="what it asks for, and what came beyond" flush>
          <Demands flow={flow} trail={trail} />
        </Panel>
        <Panel title="Timeline" flush>
          <TrailTimeline flow={flow} trail={trail} />
        </Panel>
      </div>
      <Attestations flow={flow} trail={trail} />
      {trail.template.content !== '' && (
        <Panel title="Template of this trail" note={`version ${trail.template.version}`}>
          <CodeLines text={trail.template.content} label="Template" />
        </Panel>
      )}
    </Page>
  );
}

function About({ trail }: { readonly trail: Schemas['Trail'] }) {
  const commit = trail.git_commit_info;
  return (
    <Facts
      facts={[
        [
          'Commit',
          commit && <CommitLine sha={commit.sha1} url={commit.url} message={commit.message} author={commit.author} />,
        ],
        ['Branch', commit && <bdi>{commit.branch}</bdi>],
        ['Committed', commit && <Time at={commit.timestamp} />],
        ['Run', trail.origin_url && <SafeLink href={trail.origin_url} />],
        ['Begun', <Time at={trail.created_at} />],
        ['Begun by', <bdi>{trail.created_by}</bdi>],
        ...Object.entries(trail.external_urls ?? {}).map(
          ([name, { href }]) => [name, <SafeLink key={name} href={href} />] as const,
        ),
      ]}
    />
  );
}

/** The state of the trail. One of which nothing is asked has nothing to comply with. */
function TrailVerdict({ trail: { compliance_state, compliance_status } }: { readonly trail: Schemas['Trail'] }) {
  const { attestations_statuses, artifacts_statuses } = compliance_status;
  const isEmpty = attestations_statuses.length === 0 && Object.keys(artifacts_statuses).length === 0;
  if (isEmpty && compliance_state === 'COMPLIANT') return <Badge tone="none">Nothing is asked for</Badge>;
  return <Verdict value={compliance_state} />;
}

function Demands({ flow, trail }: { readonly flow: string; readonly trail: Schemas['Trail'] }) {
  const { attestations_statuses, artifacts_statuses } = trail.compliance_status;
  const artifacts = Object.entries(artifacts_statuses);
  if (attestations_statuses.length === 0 && artifacts.length === 0)
    return <Empty icon="types" title="Nothing is asked for" />;
  return (
    <ul className="plain">
      {attestations_statuses.map((status) => (
        <Demand key={status.attestation_name} status={status} to={(id) => to.attestation(flow, trail.name, id)} />
      ))}
      {artifacts.map(([name, artifact]) => (
        <li key={name} className="stack" style={{ gap: '0.375rem' }}>
          <span className="line">
            <strong>
              {artifact.artifact_fingerprint === null ? (
                <bdi>{name}</bdi>
              ) : (
                <NameLink to={to.artifact(flow, artifact.artifact_fingerprint)}>{name}</NameLink>
              )}
            </strong>
            <span className="quiet small">{artifact.unexpected ? 'artifact, not asked for' : 'artifact'}</span>
            {artifact.artifact_fingerprint !== null && <Hash value={artifact.artifact_fingerprint} />}
            <Verdict value={artifact.status} />
          </span>
          <ul className="plain nested">
            {artifact.attestations_statuses.map((status) => (
              <Demand key={status.attestation_name} status={status} to={(id) => to.attestation(flow, trail.name, id)} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Demand({
  status,
  to: addressOf,
}: {
  readonly status: Schemas['AttestationStatus'];
  readonly to: (id: string) => string;
}) {
  const { attestation_name: name, attestation_type: type, attestation_id: id, is_compliant, unexpected } = status;
  return (
    <li className="line">
      {id === null ? <bdi>{name}</bdi> : <NameLink to={addressOf(id)}>{name}</NameLink>}
      <span className="quiet small">
        <bdi>{nameOfType(type)}</bdi>
        {unexpected && ', not asked for'}
      </span>
      <Verdict value={status.status === 'MISSING' ? 'MISSING' : is_compliant} />
    </li>
  );
}
