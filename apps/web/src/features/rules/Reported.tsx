import { Link } from 'react-router';
import { query } from '../../api/client';
import { to } from '../../app/paths';
import { Empty, Panel, Table, Time, Verdict } from '../../ui';

/** How many attestations are shown, and among how many those of a control are looked for: a page of the API has no more. */
const [NEWEST, AMONG] = [10, 100];

interface Props {
  readonly org: string;
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

function List({ org, type, control }: Props) {
  const per_page = control === undefined ? NEWEST : AMONG;
  const { data } = query.useSuspenseQuery('get', '/attestations/{org}', {
    params: { path: { org }, query: { attestation_type: type, page: 1, per_page } },
  });
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
            <Link to={to.attestation(org, flow_name, trail_name, attestation_id)}>
              <bdi>{attestation_name}</bdi>
            </Link>
          ),
        },
        { head: 'State', cell: ({ is_compliant }) => <Verdict value={is_compliant} /> },
        {
          head: 'Trail',
          kind: 'wide',
          cell: ({ flow_name, trail_name }) => (
            <Link to={to.trail(org, flow_name, trail_name)}>
              <bdi>{flow_name}</bdi> / <bdi>{trail_name}</bdi>
            </Link>
          ),
        },
        { head: 'By', cell: ({ reported_by }) => <bdi>{reported_by}</bdi> },
        { head: 'Reported', cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  );
}
