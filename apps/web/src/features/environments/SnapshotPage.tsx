import { Link, useParams } from 'react-router';
import type { Schemas } from '../../api/client';
import { useOrg } from '../../api/session';
import { useSnapshot } from '../../api/snapshots';
import { to } from '../../app/paths';
import { ArtifactName } from '../../parts/ArtifactName';
import { RunningTable } from '../../parts/RunningTable';
import {
  Badge,
  ButtonLink,
  Empty,
  Figure,
  Figures,
  formatCount,
  Guarded,
  Hash,
  Page,
  Panel,
  Time,
  Verdict,
  wordsOf,
} from '../../ui';

export const SnapshotPage = () => (
  <Guarded page>
    <Loaded />
  </Guarded>
);

function Loaded() {
  const org = useOrg();
  const { env = '', index = '-1' } = useParams();
  const data = useSnapshot(org, env, index, { show: 'running' });
  const counts = data.artifact_compliance_count;
  return (
    <Page
      title={`Snapshot ${data.index}`}
      above={[
        { text: 'Environments', href: to.environments(org) },
        { text: env, href: to.environment(org, env) },
      ]}
      badges={
        <>
          <Verdict value={data.compliant} />
          {data.is_latest && <Badge tone="none">Latest</Badge>}
        </>
      }
      lead={<Period snapshot={data} />}
      actions={<Neighbours org={org} env={env} snapshot={data} />}
    >
      <Figures>
        <Figure label="compliant">{formatCount(counts.true)}</Figure>
        <Figure label="not compliant">{formatCount(counts.false)}</Figure>
        <Figure label="not judged">{formatCount(counts.null)}</Figure>
        <Figure label="policies applied">{data.applied_policies.length}</Figure>
      </Figures>
      <Panel title="What changed" flush>
        <Changes org={org} env={env} expr={index} />
      </Panel>
      <Panel title="What ran" flush>
        <RunningTable org={org} env={env} expr={index} />
      </Panel>
      <AppliedPolicies org={org} policies={data.applied_policies} />
    </Page>
  );
}

const Period = ({ snapshot }: { readonly snapshot: Schemas['Snapshot'] }) => (
  <>
    In force since <Time at={snapshot.timestamp} />
    {snapshot.next_snapshot_timestamp !== null && (
      <>
        , until <Time at={snapshot.next_snapshot_timestamp} />
      </>
    )}
  </>
);

interface NeighboursProps {
  readonly org: string;
  readonly env: string;
  readonly snapshot: Schemas['Snapshot'];
}

const Neighbours = ({ org, env, snapshot: { index, is_latest } }: NeighboursProps) => (
  <>
    {index > 1 && (
      <>
        <ButtonLink to={to.compare(org, `${env}#${index - 1}`, `${env}#${index}`)} icon="swap">
          Compare with {index - 1}
        </ButtonLink>
        <ButtonLink to={to.snapshot(org, env, index - 1)}>Earlier</ButtonLink>
      </>
    )}
    {!is_latest && <ButtonLink to={to.snapshot(org, env, index + 1)}>Later</ButtonLink>}
  </>
);

interface ChangesProps {
  readonly org: string;
  readonly env: string;
  readonly expr: string;
}

function Changes({ org, env, expr }: ChangesProps) {
  const { artifacts, total } = useSnapshot(org, env, expr, { show: 'changed' });
  if (artifacts.length === 0)
    return (
      <Empty icon="check" title="Nothing that runs changed">
        Verdicts or policies did.
      </Empty>
    );
  return (
    <ul className="plain">
      {artifacts.map(({ name, fingerprint, flow_name, annotation }) => (
        <li key={fingerprint + name} className="line">
          <Badge tone="none">{wordsOf(annotation.type.replaceAll('-', ' '))}</Badge>
          <ArtifactName org={org} flow={flow_name} fingerprint={fingerprint} name={name} />
          <Hash value={fingerprint} />
          {annotation.was !== annotation.now && (
            <span className="small quiet">
              {annotation.was} → {annotation.now} {annotation.now === 1 ? 'instance' : 'instances'}
            </span>
          )}
        </li>
      ))}
      {total > artifacts.length && <li className="quiet">and {formatCount(total - artifacts.length)} more</li>}
    </ul>
  );
}

function AppliedPolicies({
  org,
  policies,
}: {
  readonly org: string;
  readonly policies: readonly Schemas['AppliedPolicy'][];
}) {
  if (policies.length === 0) return null;
  return (
    <Panel title="Policies applied" flush>
      <ul className="plain">
        {policies.map(({ id, name, version, failing_count: failing = 0 }) => (
          <li key={id} className="line">
            <Link to={to.policy(org, name)}>
              <bdi>{name}</bdi>
            </Link>
            <span className="quiet small">version {version}</span>
            <Verdict value={failing === 0}>{failing === 0 ? 'All pass' : `${formatCount(failing)} fail`}</Verdict>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
