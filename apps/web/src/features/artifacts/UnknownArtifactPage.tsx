import { useParams } from 'react-router';
import { useSnapshot } from '../../api/snapshots';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { VerdictWhereItRuns } from '../../parts/VerdictWhereItRuns';
import { Badge, Empty, Facts, Guarded, Hash, NameLink, Page, PageLink, Panel, Time, Verdict } from '../../ui';

/** The page of an artifact that runs or ran but that no flow knows. */
export function UnknownArtifactPage() {
  const { fingerprint = '' } = useParams();
  const { artifacts } = useAnswer('/search/{org}/sha/{value}', { value: fingerprint });
  const withProvenance = artifacts.filter(({ has_provenance }) => has_provenance);
  const [first] = artifacts;
  const [running = [], exited = []] = [first?.running_in, first?.exited_from];
  return (
    <Page
      title={first?.name ?? fingerprint.slice(0, 12)}
      kind="Artifact"
      above={[{ text: 'Environments', href: to.environments }]}
      badges={
        <>
          {withProvenance.length === 0 && <Badge tone="warn">No provenance</Badge>}
          <VerdictWhereItRuns running={first?.running ?? []} />
        </>
      }
    >
      <Panel title="Provenance">
        <Facts facts={[['Fingerprint', <Hash value={fingerprint} />]]} />
        {withProvenance.length === 0 ? (
          <p>No flow reported it. Its commit is unknown, and it has no evidence.</p>
        ) : (
          <ul>
            {withProvenance.map(({ flow }) => (
              <li key={flow}>
                <NameLink to={to.artifact(flow, fingerprint)}>{flow}</NameLink>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel title="Where it ran" flush>
        {running.length + exited.length === 0 ? (
          <Empty icon="environments" title="It ran nowhere yet" />
        ) : (
          <ul className="plain">
            {running.map((env) => (
              <li key={env}>
                <Guarded lines={1}>
                  <RunsIn env={env} fingerprint={fingerprint} />
                </Guarded>
              </li>
            ))}
            {exited.map((env) => (
              <li key={env} className="line">
                <NameLink to={to.environment(env)}>{env}</NameLink>
                <span className="quiet">no longer runs there</span>
                <PageLink className="small" to={`${to.environment(env)}?tab=events`}>
                  Events
                </PageLink>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </Page>
  );
}

function RunsIn({ env, fingerprint }: { readonly env: string; readonly fingerprint: string }) {
  const { artifacts } = useSnapshot(env, '-1', { show: 'running', search: fingerprint, perPage: 1 });
  const [artifact] = artifacts;
  return (
    <span className="line">
      <NameLink to={to.environment(env)}>{env}</NameLink>
      {artifact !== undefined && (
        <>
          <Verdict value={artifact.compliant} />
          <span className="small quiet">
            since <Time at={Math.min(...artifact.creationTimestamp)} />
          </span>
        </>
      )}
    </span>
  );
}
