import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { Empty, NameLink, PageLink, Panel, Table, Time, Verdict } from '../../ui';

/** How many attestations are shown, and among how many those of a control are looked for: a page of the API has no more. */
const [NEWEST, AMONG] = [10, 100];

interface Props {
  /** As the API has it, such as `custom:coverage`. */
  readonly type: string;
  /** Only decisions on this control. */
  readonly control?: string;
}

/** The newest attestations of a type, with what was decided in each. */
export const Reported = (props: Props) => (
  <Panel
    title="Decided lately"
    note={`the newest ${NEWEST}${props.control === undefined ? '' : ` among ${AMONG} decisions`}`}
    flush
  >
    <List {...props} />
  </Panel>
);

function List({ type, control }: Props) {
  const per_page = control === undefined ? NEWEST : AMONG;
  const data = useAnswer('/attestations/{org}', {}, { attestation_type: type, page: 1, per_page });
  const rows = data.data.filter((one) => control === undefined || one.control === control).slice(0, NEWEST);
  return (
    <Table
      label="Attestations"
      rows={rows}
      keyOf={({ attestation_id }) => attestation_id}
      empty={
        <Empty
          icon="types"
          title={control === undefined ? 'Nothing was reported with it yet' : 'Nothing was decided on it lately'}
        />
      }
      columns={[
        {
          head: 'Attestation',
          kind: 'main',
          cell: ({ attestation_name, attestation_id, flow_name, trail_name }) => (
            <NameLink to={to.attestation(flow_name, trail_name, attestation_id)}>{attestation_name}</NameLink>
          ),
        },
        { head: 'State', cell: ({ is_compliant }) => <Verdict value={is_compliant} /> },
        {
          head: 'Trail',
          kind: 'wide',
          cell: ({ flow_name, trail_name }) => (
            <PageLink to={to.trail(flow_name, trail_name)}>
              <bdi>{flow_name}</bdi> / <bdi>{trail_name}</bdi>
            </PageLink>
          ),
        },
        { head: 'By', cell: ({ reported_by }) => <bdi>{reported_by}</bdi> },
        { head: 'Reported', cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  );
}
