import { lazy } from 'react';
import { useParams } from 'react-router';
import { fileUrl, type Schemas } from '../../api/client';
import { useOrg } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { AllowedBy } from '../../parts/AllowedBy';
import { CommitLine } from '../../parts/CommitLine';
import { Decisions } from '../../parts/Decisions';
import { VerdictWhereItRuns } from '../../parts/VerdictWhereItRuns';
import {
  Badge,
  DownloadLink,
  Empty,
  Facts,
  Guarded,
  Hash,
  NameLink,
  Page,
  Panel,
  SafeLink,
  Time,
  Verdict,
} from '../../ui';
import { Tabs } from '../../ui/Tabs';
import { Runs } from './Runs';
import { runsOf } from './runs';

const Attestations = lazy(async () => ({ default: (await import('../flows/Attestations')).Attestations }));
// Loaded when their tabs are opened.
const Components = lazy(async () => ({ default: (await import('./Components')).Components }));
const Vulnerabilities = lazy(async () => ({ default: (await import('./Vulnerabilities')).Vulnerabilities }));

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
      badges={
        <>
          <OwnVerdict artifact={artifact} />
          <VerdictWhereItRuns running={artifact.running} />
        </>
      }
      actions={
        <DownloadLink href={fileUrl('artifacts', org, flow, 'fingerprint', artifact.fingerprint, 'audit_package')}>
          Audit package
        </DownloadLink>
      }
    >
      <Tabs
        label="Parts of the artifact"
        tabs={[
          { id: 'about', title: 'Provenance and evidence', content: <About artifact={artifact} /> },
          { id: 'components', title: 'Components', content: <Components fingerprint={artifact.fingerprint} /> },
          {
            id: 'vulnerabilities',
            title: 'Vulnerabilities',
            content: <Vulnerabilities fingerprint={artifact.fingerprint} />,
          },
        ]}
      />
    </Page>
  );
}

interface Props {
  readonly artifact: Schemas['Artifact'];
}

/** The verdict by its attestations. Without any, and where none is asked for, there is nothing to comply with. */
function OwnVerdict({ artifact: { state, evidence } }: Props) {
  if (state === 'COMPLIANT' && Object.keys(evidence).length === 0) return <Badge tone="none">No attestation</Badge>;
  return (
    <>
      <Verdict value={state} />
      <span className="small quiet">by its own attestations</span>
    </>
  );
}

function About({ artifact }: Props) {
  const { flow_name: flow, trail_name: trail } = artifact;
  return (
    <div className="stack">
      <Panel title="Provenance">
        <Provenance artifact={artifact} />
      </Panel>
      <Panel title="Where it ran" note="from when to when, and what it replaced" flush>
        {trail === null ? (
          <Places artifact={artifact} />
        ) : (
          <RunsOfTrail flow={flow} trail={trail} fingerprint={artifact.fingerprint} />
        )}
      </Panel>
      {trail !== null && (
        <Guarded lines={3}>
          <Evidence flow={flow} trail={trail} fingerprint={artifact.fingerprint} />
        </Guarded>
      )}
      <Panel title="Verdicts where it runs" flush>
        <Verdicts artifact={artifact} />
      </Panel>
      <Panel title="History" flush>
        <ol className="plain">
          {newestFirst(artifact.history).map(({ event, timestamp }, i) => (
            <li key={i} className="line">
              <bdi>{event}</bdi>
              <span className="small quiet end">
                <Time at={timestamp} />
              </span>
            </li>
          ))}
        </ol>
      </Panel>
    </div>
  );
}

const Provenance = ({ artifact }: Props) => (
  <Facts
    facts={[
      ['Fingerprint', <Hash value={artifact.fingerprint} />],
      [
        'Commit',
        <CommitLine
          sha={artifact.git_commit}
          url={artifact.commit_url}
          message={artifact.git_commit_info?.message}
          author={artifact.git_commit_info?.author}
        />,
      ],
      ['Branch', artifact.git_commit_info?.branch && <bdi>{artifact.git_commit_info.branch}</bdi>],
      ['Committed', artifact.git_commit_info && <Time at={artifact.git_commit_info.timestamp} />],
      [
        'Repository',
        artifact.repo_info && (
          <NameLink to={to.repository(artifact.repo_info.name)}>{artifact.repo_info.name}</NameLink>
        ),
      ],
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

interface TrailProps {
  readonly flow: string;
  readonly trail: string;
  readonly fingerprint: string;
}

function RunsOfTrail({ flow, trail, fingerprint }: TrailProps) {
  const { events } = useAnswer('/trails/{org}/{flow}/{trail}', { flow, trail });
  return <Runs runs={runsOf(events, fingerprint)} fingerprint={fingerprint} />;
}

function Evidence({ flow, trail: name, fingerprint }: TrailProps) {
  const trail = useAnswer('/trails/{org}/{flow}/{trail}', { flow, trail: name });
  return <Attestations flow={flow} trail={trail} fingerprint={fingerprint} />;
}

/** For an artifact without a trail: the snapshots in which it started and ended. */
function Places({ artifact: { running, exited, fingerprint } }: Props) {
  const runs = [
    ...running.map(({ environment_name: env, snapshot_index: started }) => ({ env, started, stopped: null })),
    ...exited.map(({ environment_name: env, snapshot_index: stopped }) => ({ env, started: null, stopped })),
  ];
  return (
    <Runs
      runs={runs.map((run) => ({
        ...run,
        from: run.started === null ? null : 0,
        until: run.stopped === null ? null : 0,
      }))}
      fingerprint={fingerprint}
    />
  );
}

/** For how many environments the verdict is requested. */
const ASKED = 20;

/** In the order of time. The API has the report first, which can name a later time than what ran. */
const newestFirst = (history: Schemas['Artifact']['history']) =>
  [...history].reverse().sort((a, b) => b.timestamp - a.timestamp);

function Verdicts({ artifact }: Props) {
  if (artifact.running.length === 0) return <Empty icon="policies" title="No environment judges it now" />;
  const more = artifact.running.length - ASKED;
  return (
    <ul className="plain">
      {artifact.running.slice(0, ASKED).map(({ environment_name: environment }) => (
        <li key={environment}>
          <Guarded lines={2}>
            <VerdictIn environment={environment} fingerprint={artifact.fingerprint} />
          </Guarded>
        </li>
      ))}
      {more > 0 && <li className="quiet">{more} more environments run it. Their pages have the verdict.</li>}
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
        {data.allow_listing === null ? (
          <Verdict value={data.is_judged ? data.compliant : null} />
        ) : (
          <AllowedBy listing={data.allow_listing} />
        )}
        {!data.is_judged && <span className="small quiet">No policy is in force there.</span>}
      </p>
      <Decisions decisions={data.policy_evaluations} fingerprint={fingerprint} />
    </div>
  );
}
