import { lazy, Suspense, useDeferredValue, useState } from 'react';
import type { Schemas } from '../api/client';
import { useMay } from '../api/session';
import { ARTIFACTS_PER_PAGE, useSnapshot } from '../api/snapshots';
import { to } from '../app/paths';
import { ArtifactName } from './ArtifactName';
import {
  Badge,
  Button,
  Duration,
  Empty,
  formatCount,
  Hash,
  NameLink,
  NamesInText,
  Pager,
  Table,
  Time,
  usePageNumber,
  Verdict,
  wordsOfChange,
  type Column,
} from '../ui';
import { SearchInput } from '../ui/Fields';
import { useFilter } from '../ui/use-filter';
import { AllowedBy } from './AllowedBy';
import { CommitLine } from './CommitLine';
import { demandOf, failureOf, failuresOf } from './demand';
import { FirstFew } from './FirstFew';
import { byText } from './reasons';
import { RanBefore } from './RanBefore';
import css from './parts.module.css';

const Decisions = lazy(async () => ({ default: (await import('./Decisions')).Decisions }));
const AllowArtifact = lazy(async () => ({ default: (await import('./AllowArtifact')).AllowArtifact }));

type Artifact = Schemas['SnapshotArtifact'];

/** How many places of an artifact are listed. */
const CONTEXTS = 100;
/** How many reasons are shown at first. */
const REASONS = 3;
/** The parameter of the address with the number of the page. */
const PAGE = 'artifacts';
/** The expression for the newest snapshot. */
const LATEST = '-1';
/** A filter is shown from this number of artifacts on. */
const FILTER_MIN = 15;

interface Props {
  readonly env: string;
  /** The snapshot in the form of the API: `-1` is the newest. */
  readonly expr: string;
}

/** The running artifacts of a snapshot with their provenance, start and verdict. */
export function RunningTable({ env, expr }: Props) {
  const [filter, setFilter] = useFilter('artifact', { page: PAGE, typed: true });
  const may = useMay();
  const [cause, setCause] = useFilter('cause', { page: PAGE });
  const page = usePageNumber(PAGE);
  const query = useDeferredValue({
    ...(cause === '' ? { show: 'running' as const } : { show: 'non-compliant' as const, cause }),
    search: filter.trim(),
    page,
  });
  const snapshot = useSnapshot(env, expr, query);
  const { artifacts, artifact_compliance_count: counts, total, failure_causes } = snapshot;
  // A logical environment does not judge by itself, so nothing can be allowed there.
  const mayAllow = expr === LATEST && may('record') && snapshot.type !== 'logical';
  const selectedCauses = failuresOf(failure_causes ?? [])
    .flat()
    .find(({ key, failure }) => key === cause || failure === cause);
  const runningCount = counts.true + counts.false + counts.null;
  return (
    <>
      {runningCount > FILTER_MIN && (
        <div className={css.filter}>
          <SearchInput label="Filter by name, flow or fingerprint" value={filter} onChange={setFilter} />
        </div>
      )}
      {cause !== '' && (
        <p className={`line ${css.filter ?? ''}`}>
          {selectedCauses === undefined
            ? 'What failed for this cause'
            : `${failureOf(selectedCauses)}: ${demandOf(selectedCauses)}`}
          <Button onPress={() => setCause('')}>Show all</Button>
        </p>
      )}
      <Table
        label="Artifacts"
        rows={artifacts}
        columns={columnsOf(env, expr === LATEST, mayAllow)}
        keyOf={({ fingerprint, name }) => `${fingerprint} ${name}`}
        empty={<Empty icon="environments" title={runningCount === 0 ? 'Nothing runs here' : 'Nothing matches'} />}
      />
      <Pager page={page} pages={Math.ceil(total / ARTIFACTS_PER_PAGE)} total={total} name={PAGE} />
    </>
  );
}

/** The earliest of some times in epoch seconds; 0 counts as no time. Null if there is none. */
function oldest(times: readonly number[]): number | null {
  return times.reduce<number | null>(
    (least, time) => (time === 0 || (least !== null && least <= time) ? least : time),
    null,
  );
}

/** @param mayAllow whether artifacts that fail can be allowed here */
const columnsOf = (env: string, isLatest: boolean, mayAllow: boolean): readonly Column<Artifact>[] => [
  { head: 'Artifact', kind: 'main', cell: (artifact) => <Name artifact={artifact} isLatest={isLatest} /> },
  {
    head: 'Verdict',
    kind: 'wide',
    cell: (artifact) => <ArtifactVerdict env={env} artifact={artifact} mayAllow={mayAllow} />,
  },
  { head: 'Ran before', cell: (artifact) => <RanBefore env={env} artifact={artifact} /> },
  { head: 'From', kind: 'text', cell: (artifact) => <From artifact={artifact} /> },
  {
    head: 'Since',
    cell: ({ creationTimestamp }) => <Time at={oldest(creationTimestamp)} />,
  },
  { head: 'Lead time', kind: 'number', cell: ({ commit_lead_time }) => <Duration seconds={commit_lead_time} /> },
  { head: 'Instances', kind: 'number', cell: ({ annotation }) => formatCount(annotation.now) },
  { head: 'Change', cell: ({ annotation }) => <Change annotation={annotation} /> },
];

interface OneProps {
  readonly artifact: Artifact;
}

/** The commit, and the flow and trail that built it. */
function From({ artifact: { flows, flow_name, git_commit, commit_url } }: OneProps) {
  if (flow_name === null) return <Badge tone="warn">No provenance</Badge>;
  const info = flows[0]?.git_commit_info;
  const trail = flows[0]?.trail_name;
  return (
    <span className="pile">
      <CommitLine sha={git_commit ?? ''} url={commit_url ?? info?.url} message={info?.message} author={info?.author} />
      <span className="small">
        <NameLink to={to.flow(flow_name)}>{flow_name}</NameLink>
        {trail != null && (
          <>
            {' / '}
            <NameLink to={to.trail(flow_name, trail)}>{trail}</NameLink>
          </>
        )}
      </span>
    </span>
  );
}

interface ArtifactVerdictProps extends OneProps {
  readonly env: string;
  readonly mayAllow: boolean;
}

/** The verdict with its reasons, and below it the decision of each rule. */
function ArtifactVerdict({ artifact, env, mayAllow }: ArtifactVerdictProps) {
  const {
    compliant,
    reasons_for_incompliance: reasons,
    policy_decisions: decisions,
    allow_listing: listing,
  } = artifact;
  return (
    <span className={css.name}>
      {listing === null ? <Verdict value={compliant} /> : <AllowedBy listing={listing} />}
      {reasons.length > 0 && (
        <FirstFew
          className={css.reasons}
          count={REASONS}
          kind="reasons"
          items={byText(reasons).map(({ text, policies }) => (
            <>
              <bdi>{text}</bdi>{' '}
              {policies.length > 0 && (
                <span className="small">
                  by <NamesInText names={policies} to={to.policy} />
                </span>
              )}
            </>
          ))}
        />
      )}
      {decisions.length > 0 && <RuleByRule decisions={decisions} fingerprint={artifact.fingerprint} />}
      {mayAllow && compliant === false && artifact.fingerprint !== '' && <Allow env={env} artifact={artifact} />}
    </span>
  );
}

/** The button for the allow-list. Its form is loaded on request. */
function Allow(props: { readonly env: string; readonly artifact: Artifact }) {
  const [isRequested, request] = useState(false);
  const button = <Button onPress={() => request(true)}>Allow</Button>;
  return isRequested ? (
    <Suspense fallback={button}>
      <AllowArtifact {...props} />
    </Suspense>
  ) : (
    button
  );
}

interface RulesProps {
  readonly decisions: Artifact['policy_decisions'];
  readonly fingerprint: string;
}

/** The decision of each rule, loaded when it is opened. */
function RuleByRule(props: RulesProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className={css.more} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Rule by rule</summary>
      {open && (
        <Suspense>
          <Decisions {...props} />
        </Suspense>
      )}
    </details>
  );
}

function Change({ annotation: { type } }: Pick<Artifact, 'annotation'>) {
  const words = wordsOfChange(type);
  return type === 'unchanged' ? <span className="quiet">{words}</span> : <Badge tone="none">{words}</Badge>;
}

function Name({ artifact, isLatest }: OneProps & { readonly isLatest: boolean }) {
  const { name, fingerprint, flow_name } = artifact;
  const contexts = contextsOf(artifact);
  const places = artifact.running_in ?? [];
  return (
    <span className={css.name}>
      <ArtifactName flow={flow_name} fingerprint={fingerprint} name={name} />
      <Hash value={fingerprint} />
      {places.length > 0 && (
        <span className="small">
          {isLatest ? 'runs in ' : 'ran in '}
          <NamesInText names={places} to={to.environment} />
        </span>
      )}
      {contexts.length > 0 && (
        <details className={css.more}>
          <summary>Instances</summary>
          <ul className={css.pods}>
            {contexts.map((context) => (
              <li key={context}>
                <bdi>{context}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </span>
  );
}

/** Where the instances of an artifact run, in the terms of the environment's kind. */
function contextsOf({ pods, ecs_context, azure_context, cloud_run_context }: Artifact): readonly string[] {
  const contexts = [
    ...Object.entries(pods ?? {}).map(([pod, { namespace }]) => `${namespace} / ${pod}`),
    ...(ecs_context ? [ecs_context.cluster_name, ecs_context.service_name, ecs_context.task_arn] : []),
    ...(azure_context ? [azure_context.app_name, azure_context.app_kind] : []),
    ...(cloud_run_context
      ? [cloud_run_context.service_name, cloud_run_context.revision_name, cloud_run_context.job_name]
      : []),
  ];
  return contexts.filter((text) => text != null && text !== '').slice(0, CONTEXTS) as readonly string[];
}
