import { useParams } from 'react-router';
import type { Schemas } from '../../api/client';
import { useSnapshot } from '../../api/snapshots';
import { to } from '../../app/paths';
import { ArtifactName } from '../../parts/ArtifactName';
import { FirstFew } from '../../parts/FirstFew';
import { RunningTable } from '../../parts/RunningTable';
import {
  Badge,
  ButtonLink,
  Empty,
  Figures,
  formatCount,
  Hash,
  NameLink,
  Page,
  PageLink,
  Panel,
  RecordedTime,
  Time,
  Verdict,
  wordsOfChange,
} from '../../ui';

export function SnapshotPage() {
  const { env = '', index = '-1' } = useParams();
  const data = useSnapshot(env, index, { show: 'running' });
  const counts = data.artifact_compliance_count;
  return (
    <Page
      title={`Snapshot ${data.index}`}
      above={[
        { text: 'Environments', href: to.environments },
        { text: env, href: to.environment(env) },
      ]}
      badges={
        <>
          <Verdict value={data.is_judged ? data.compliant : null} />
          {data.is_latest && <Badge tone="none">Latest</Badge>}
        </>
      }
      lead={<Period snapshot={data} />}
      actions={<Neighbours env={env} snapshot={data} />}
    >
      <Figures
        figures={[
          ['compliant', formatCount(counts.true)],
          ['not compliant', formatCount(counts.false)],
          ['not judged', formatCount(counts.null)],
          ['policies applied', data.applied_policies.length],
        ]}
      />
      <Panel title="What changed" flush>
        <Changes env={env} expr={index} />
      </Panel>
      <Panel title="What ran" flush>
        <RunningTable env={env} expr={index} />
      </Panel>
      <AppliedPolicies policies={data.applied_policies} ranCount={counts.true + counts.false + counts.null} />
    </Page>
  );
}

const Period = ({ snapshot }: { readonly snapshot: Schemas['Snapshot'] }) => (
  <>
    In force since <RecordedTime at={snapshot.timestamp} />
    {snapshot.next_snapshot_timestamp !== null && (
      <>
        , until <Time at={snapshot.next_snapshot_timestamp} />
      </>
    )}
  </>
);

interface NeighboursProps {
  readonly env: string;
  readonly snapshot: Schemas['Snapshot'];
}

const Neighbours = ({ env, snapshot: { index, is_latest } }: NeighboursProps) => (
  <>
    {index > 1 && (
      <>
        <ButtonLink to={to.compare(`${env}#${index - 1}`, `${env}#${index}`)} icon="swap">
          Compare with {index - 1}
        </ButtonLink>
        <ButtonLink to={to.snapshot(env, index - 1)}>Earlier</ButtonLink>
      </>
    )}
    {!is_latest && <ButtonLink to={to.snapshot(env, index + 1)}>Later</ButtonLink>}
  </>
);

/** How many changes are shown at first. */
const CHANGES = 10;

function Changes({ env, expr }: { readonly env: string; readonly expr: string }) {
  const { artifacts, total, index } = useSnapshot(env, expr, { show: 'changed' });
  if (artifacts.length === 0)
    return (
      <Empty icon="dash" title="Nothing that runs changed">
        Verdicts or policies did.
      </Empty>
    );
  return (
    <>
      <FirstFew
        className="plain"
        count={CHANGES}
        kind="changes"
        items={artifacts.map(({ name, fingerprint, flow_name, annotation }) => (
          <span className="line">
            <Badge tone="none">{wordsOfChange(annotation.type)}</Badge>
            <ArtifactName flow={flow_name} fingerprint={fingerprint} name={name} />
            <Hash value={fingerprint} />
            {annotation.was !== annotation.now && (
              <span className="small quiet">
                {annotation.was} → {annotation.now} {annotation.now === 1 ? 'instance' : 'instances'}
              </span>
            )}
          </span>
        ))}
      />
      {total > artifacts.length && (
        <p className="small quiet">
          These are the first {artifacts.length} of {formatCount(total)}.{' '}
          {index > 1 && (
            <PageLink to={to.compare(`${env}#${index - 1}`, `${env}#${index}`)}>Compare with {index - 1}</PageLink>
          )}
        </p>
      )}
    </>
  );
}

interface PoliciesProps {
  readonly policies: readonly Schemas['AppliedPolicy'][];
  /** How many artifacts ran. */
  readonly ranCount: number;
}

function AppliedPolicies({ policies, ranCount }: PoliciesProps) {
  if (policies.length === 0) return null;
  return (
    <Panel title="Policies applied" flush>
      <ul className="plain">
        {policies.map(({ id, name, version, failing_count: violating = 0, allowed_count: allowed = 0 }) => (
          <li key={id} className="line">
            <NameLink to={to.policy(name)}>{name}</NameLink>
            <span className="quiet small">version {version}</span>
            {ranCount === 0 ? (
              <span className="quiet">Nothing ran</span>
            ) : (
              <Verdict value={violating === allowed}>
                {violating === allowed
                  ? `All ${allowed > 0 ? 'others ' : ''}pass`
                  : `${formatCount(violating - allowed)} fail`}
              </Verdict>
            )}
            {allowed > 0 && <span className="small">{formatCount(allowed)} allowed despite it</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
