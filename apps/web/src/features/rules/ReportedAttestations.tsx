import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { Empty, NameLink, PageLink, Panel, Table, Time, Verdict } from '../../ui';

/** How many attestations are shown. */
const NEWEST = 10;

/** The newest attestations of a type, with the decision in each. @param type as in the API, such as `custom:coverage` */
export const ReportedAttestations = ({ type }: { readonly type: string }) => (
  <Panel title="Decided lately" note={`the newest ${NEWEST}`} flush>
    <List type={type} />
  </Panel>
);

function List({ type }: { readonly type: string }) {
  const data = useAnswer('/attestations/{org}', {}, { attestation_type: type, page: 1, per_page: NEWEST });
  return (
    <AttestationTable
      attestations={data.data}
      empty={<Empty icon="types" title="Nothing was reported with it yet" />}
    />
  );
}

interface Props {
  readonly attestations: readonly Schemas['Attestation'][];
  readonly empty: ReactNode;
}

/** Attestations, with the decision in each. */
export function AttestationTable({ attestations, empty }: Props) {
  return (
    <Table
      label="Attestations"
      rows={attestations}
      keyOf={({ attestation_id }) => attestation_id}
      empty={empty}
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
