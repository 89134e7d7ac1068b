import type { Schemas } from '../../api/client';
import { useListPage } from '../../api/use-answer';
import { to } from '../../app/paths';
import {
  DescribedLink,
  Empty,
  Icon,
  PageLink,
  Pager,
  Panel,
  Table,
  Time,
  usePageNumber,
  Verdict,
  type Column,
} from '../../ui';
import css from './TrailMatrix.module.css';

type Trail = Schemas['TrailListItem'];
type Status = Schemas['AttestationStatus'];

const PER_PAGE = 15;

/** The trails of a flow in comparison with the requirements of their templates. */
export function TrailMatrix({ flow }: { readonly flow: string }) {
  const page = usePageNumber();
  const [data, more] = useListPage('/trails/{org}/{flow}', { flow }, { page, per_page: PER_PAGE });
  const trails = 'data' in data ? data.data : data;
  const statuses = new Map(trails.map(({ name, compliance_status }) => [name, statusesOf(compliance_status)]));
  const demands = [...new Set([...statuses.values()].flatMap((status) => [...status.keys()]))];
  return (
    <Panel
      title="Trails against their template"
      flush
      note="A column for each kind of evidence that a template asks for or a pipeline sent."
    >
      <Table
        label="Trails"
        rows={trails}
        columns={columnsFor(flow, demands, statuses)}
        keyOf={({ name }) => name}
        empty={
          <Empty icon="flows" title="No trail yet">
            A pipeline begins a trail when it reports its first artifact or attestation.
          </Empty>
        }
      />
      <Pager page={page} pages={{ more }} />
    </Panel>
  );
}

/** The statuses by requirement: `review`, or `web / tests` for a requirement on an artifact. */
function statusesOf({ attestations_statuses, artifacts_statuses }: Schemas['ComplianceStatus']): Map<string, Status> {
  const ofArtifacts = Object.entries(artifacts_statuses).flatMap(([artifact, { attestations_statuses: statuses }]) =>
    statuses.map((status) => [`${artifact} / ${status.attestation_name}`, status] as const),
  );
  return new Map([
    ...attestations_statuses.map((status) => [status.attestation_name, status] as const),
    ...ofArtifacts,
  ]);
}

const columnsFor = (
  flow: string,
  demands: readonly string[],
  statuses: ReadonlyMap<string, ReadonlyMap<string, Status>>,
): readonly Column<Trail>[] => [
  {
    head: 'Trail',
    kind: 'main',
    cell: ({ name, description }) => <DescribedLink to={to.trail(flow, name)} name={name} description={description} />,
  },
  { head: 'State', cell: ({ compliance_state }) => <Verdict value={compliance_state} /> },
  ...demands.map((demand) => ({
    head: demand,
    cell: ({ name }: Trail) => <Cell flow={flow} trail={name} status={statuses.get(name)?.get(demand)} />,
  })),
  { head: 'Changed', cell: ({ last_modified_at }) => <Time at={last_modified_at} /> },
];

interface CellProps {
  readonly flow: string;
  readonly trail: string;
  readonly status: Status | undefined;
}

function Cell({ flow, trail, status }: CellProps) {
  if (status === undefined) return <span className="quiet">none</span>;
  const { tone, icon, text } = signOf(status);
  const sign = (
    <>
      <Icon name={icon} />
      {text}
    </>
  );
  if (status.attestation_id === null)
    return (
      <span className={css.sign} data-tone={tone}>
        {sign}
      </span>
    );
  return (
    <PageLink className={css.sign} data-tone={tone} to={to.attestation(flow, trail, status.attestation_id)}>
      {sign}
    </PageLink>
  );
}

function signOf({ status, is_compliant }: Status) {
  if (status === 'MISSING') return { tone: 'warn', icon: 'clock', text: 'missing' } as const;
  return is_compliant === false
    ? ({ tone: 'bad', icon: 'cross', text: 'failed' } as const)
    : ({ tone: 'good', icon: 'check', text: 'passed' } as const);
}
