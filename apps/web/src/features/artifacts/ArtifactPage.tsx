import { Link, useParams } from 'react-router';
import { fileUrl, query, type Schemas } from '../../api/client';
import { useOrg } from '../../api/session';
import { to } from '../../app/paths';
import { Decisions } from '../../parts/Decisions';
import { DownloadLink, Empty, Facts, Guarded, Hash, Page, Panel, SafeLink, Table, Time, Verdict } from '../../ui';

export const ArtifactPage = () => (
  <Guarded page>
    <Loaded />
  </Guarded>
);

function Loaded() {
  const org = useOrg();
  const { flow = '', fingerprint = '' } = useParams();
  const { data: artifact } = query.useSuspenseQuery('get', '/artifacts/{org}/{flow}/fingerprint/{fingerprint}', {
    params: { path: { org, flow, fingerprint } },
  });
  const trail = artifact.trail_name;
  return (
    <Page
      title={artifact.filename}
      kind="Artifact"
      above={[
        { text: 'Flows', href: to.flows(org) },
        { text: flow, href: to.flow(org, flow) },
        ...(trail === null ? [] : [{ text: trail, href: to.trail(org, flow, trail) }]),
      ]}
      badges={<Verdict value={artifact.state} />}
      actions={
        <DownloadLink href={fileUrl('artifacts', org, flow, 'fingerprint', artifact.fingerprint, 'audit_package')}>
          Audit package
        </DownloadLink>
      }
    >
      <Panel title="Provenance">
        <Provenance org={org} artifact={artifact} />
      </Panel>
      <div className="columns">
        <Panel title="Runs in" flush>
          <Places org={org} places={artifact.running} head="Snapshot" empty="It runs nowhere now" />
        </Panel>
        <Panel title="Ran in" flush>
          <Places org={org} places={artifact.exited} head="Gone since" empty="It left nowhere yet" />
        </Panel>
      </div>
      <Panel title="Verdicts where it runs" flush>
        <Verdicts org={org} artifact={artifact} />
      </Panel>
      <Panel title="History" flush>
        <ol className="plain">
          {[...artifact.history].reverse().map(({ event, timestamp }, i) => (
            <li key={i} className="line">
              <bdi>{event}</bdi>
              <span className="small quiet end">
                <Time at={timestamp} />
              </span>
            </li>
          ))}
        </ol>
      </Panel>
    </Page>
  );
}

interface Props {
  readonly org: string;
  readonly artifact: Schemas['Artifact'];
}

const Provenance = ({ org, artifact }: Props) => (
  <Facts
    facts={[
      ['Fingerprint', <Hash key="fp" value={artifact.fingerprint} />],
      ['Commit', <Hash key="commit" kind="commit" value={artifact.git_commit} href={artifact.commit_url} />],
      [
        'Build',
        artifact.build_url && (
          <SafeLink key="build" href={artifact.build_url}>
            {artifact.build_url}
          </SafeLink>
        ),
      ],
      [
        'Trail',
        artifact.trail_name && (
          <Link key="trail" to={to.trail(org, artifact.flow_name, artifact.trail_name)}>
            <bdi>{artifact.trail_name}</bdi>
          </Link>
        ),
      ],
      [
        'Name in the template',
        artifact.template_reference_name && <bdi key="ref">{artifact.template_reference_name}</bdi>,
      ],
      ['Reported', <Time key="at" at={artifact.created_at} />],
    ]}
  />
);

interface PlacesProps {
  readonly org: string;
  readonly places: Schemas['Artifact']['running'];
  /** Of the column of snapshots. */
  readonly head: string;
  readonly empty: string;
}

const Places = ({ org, places, head, empty }: PlacesProps) => (
  <Table
    label="Environments"
    rows={places}
    keyOf={({ environment_name }) => environment_name}
    empty={<Empty icon="environments" title={empty} />}
    columns={[
      {
        head: 'Environment',
        kind: 'main',
        cell: ({ environment_name: name }) => (
          <Link to={to.environment(org, name)}>
            <bdi>{name}</bdi>
          </Link>
        ),
      },
      {
        head,
        cell: ({ environment_name: name, snapshot_index: index }) => (
          <Link to={to.snapshot(org, name, index)}>Snapshot {index}</Link>
        ),
      },
    ]}
  />
);

/** How many environments are asked for their verdict. */
const ASKED = 20;

function Verdicts({ org, artifact }: Props) {
  if (artifact.running.length === 0) return <Empty icon="policies" title="No environment judges it now" />;
  return (
    <ul className="plain">
      {artifact.running.slice(0, ASKED).map(({ environment_name: environment }) => (
        <li key={environment}>
          <Guarded lines={2}>
            <VerdictIn org={org} environment={environment} fingerprint={artifact.fingerprint} />
          </Guarded>
        </li>
      ))}
    </ul>
  );
}

function VerdictIn({
  org,
  environment,
  fingerprint,
}: {
  readonly org: string;
  readonly environment: string;
  readonly fingerprint: string;
}) {
  const { data } = query.useSuspenseQuery('get', '/asserts/{org}/fingerprint/{fingerprint}', {
    params: { path: { org, fingerprint }, query: { environment_name: environment } },
  });
  return (
    <div className="stack" style={{ gap: '0.5rem' }}>
      <p className="line" style={{ margin: 0 }}>
        <Link to={to.environment(org, environment)}>
          <bdi>{environment}</bdi>
        </Link>
        <Verdict value={data.compliant} />
        {data.policy_evaluations.length === 0 && <span className="small quiet">No policy is in force there.</span>}
      </p>
      <Decisions org={org} decisions={data.policy_evaluations} />
    </div>
  );
}
