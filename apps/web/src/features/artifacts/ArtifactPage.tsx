import { useParams } from 'react-router';
import { fileUrl, type Schemas } from '../../api/client';
import { useOrg } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { AllowedBy } from '../../parts/AllowedBy';
import { Decisions } from '../../parts/Decisions';
import {
  DownloadLink,
  Empty,
  Facts,
  Guarded,
  Hash,
  NameLink,
  Page,
  PageLink,
  Panel,
  SafeLink,
  Table,
  Time,
  Verdict,
} from '../../ui';

export function ArtifactPage() {
  const org = useOrg();
  const { flow = '', fingerprint = '' } = useParams();
  const artifact = useAnswer('/artifacts/{org}/{flow}/fingerprint/{fingerprint}', { flow, fingerprint });
  const trail = artifact.trail_name;
  return (
    <Page
      title={artifact.filename}
      kind="Artifact"
      above={[
        { text: 'Flows', href: to.flows },
        { text: flow, href: to.flow(flow) },
        ...(trail === null ? [] : [{ text: trail, href: to.trail(flow, trail) }]),
      ]}
      badges={<Verdict value={artifact.state} />}
      actions={
        <DownloadLink href={fileUrl('artifacts', org, flow, 'fingerprint', artifact.fingerprint, 'audit_package')}>
          Audit package
        </DownloadLink>
      }
    >
      <Panel title="Provenance">
        <Provenance artifact={artifact} />
      </Panel>
      <div className="columns">
        <Panel title="Runs in" flush>
          <Places places={artifact.running} head="Snapshot" empty="It runs nowhere now" />
        </Panel>
        <Panel title="Ran in" flush>
          <Places places={artifact.exited} head="Gone since" empty="It left nowhere yet" />
        </Panel>
      </div>
      <Panel title="Verdicts where it runs" flush>
        <Verdicts artifact={artifact} />
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
  readonly artifact: Schemas['Artifact'];
}

const Provenance = ({ artifact }: Props) => (
  <Facts
    facts={[
      ['Fingerprint', <Hash value={artifact.fingerprint} />],
      ['Commit', <Hash kind="commit" value={artifact.git_commit} href={artifact.commit_url} />],
      ['Build', artifact.build_url && <SafeLink href={artifact.build_url} />],
      [
        'Trail',
        artifact.trail_name && (
          <NameLink to={to.trail(artifact.flow_name, artifact.trail_name)}>{artifact.trail_name}</NameLink>
        ),
      ],
      ['Name in the template', artifact.template_reference_name && <bdi>{artifact.template_reference_name}</bdi>],
      ['Reported', <Time at={artifact.created_at} />],
    ]}
  />
);

interface PlacesProps {
  readonly places: Schemas['Artifact']['running'];
  /** Of the column of snapshots. */
  readonly head: string;
  readonly empty: string;
}

const Places = ({ places, head, empty }: PlacesProps) => (
  <Table
    label="Environments"
    rows={places}
    keyOf={({ environment_name }) => environment_name}
    empty={<Empty icon="environments" title={empty} />}
    columns={[
      {
        head: 'Environment',
        kind: 'main',
        cell: ({ environment_name: name }) => <NameLink to={to.environment(name)}>{name}</NameLink>,
      },
      {
        head,
        cell: ({ environment_name: name, snapshot_index: index }) => (
          <PageLink to={to.snapshot(name, index)}>Snapshot {index}</PageLink>
        ),
      },
    ]}
  />
);

/** How many environments are asked for their verdict. */
const ASKED = 20;

function Verdicts({ artifact }: Props) {
  if (artifact.running.length === 0) return <Empty icon="policies" title="No environment judges it now" />;
  return (
    <ul className="plain">
      {artifact.running.slice(0, ASKED).map(({ environment_name: environment }) => (
        <li key={environment}>
          <Guarded lines={2}>
            <VerdictIn environment={environment} fingerprint={artifact.fingerprint} />
          </Guarded>
        </li>
      ))}
    </ul>
  );
}

function VerdictIn({ environment, fingerprint }: { readonly environment: string; readonly fingerprint: string }) {
  const data = useAnswer(
    '/asserts/{org}/fingerprint/{fingerprint}',
    { fingerprint },
    { environment_name: environment },
  );
  return (
    <div className="stack" style={{ gap: '0.5rem' }}>
      <p className="line" style={{ margin: 0 }}>
        <NameLink to={to.environment(environment)}>{environment}</NameLink>
        {data.allow_listing === null ? <Verdict value={data.compliant} /> : <AllowedBy listing={data.allow_listing} />}
        {data.policy_evaluations.length === 0 && <span className="small quiet">No policy is in force there.</span>}
      </p>
      <Decisions decisions={data.policy_evaluations} fingerprint={fingerprint} />
    </div>
  );
}
