import { Link } from 'react-router';
import { query } from '../../api/client';
import { useMay, useOrg } from '../../api/session';
import { to } from '../../app/paths';
import { Badge, Empty, Page, Panel, Table, Time } from '../../ui';
import { AttestationTypeForm } from './AttestationTypeForm';

export function AttestationTypesPage() {
  const org = useOrg();
  const may = useMay();
  return (
    <Page
      title="Attestation types"
      actions={may('record') && <AttestationTypeForm org={org} />}
      lead="Kinds of evidence of your own: a schema for what is reported, and rules that judge it."
    >
      <Panel title="Custom types" flush>
        <List org={org} />
      </Panel>
    </Page>
  );
}

function List({ org }: { readonly org: string }) {
  const { data } = query.useSuspenseQuery('get', '/custom-attestation-types/{org}', { params: { path: { org } } });
  return (
    <Table
      label="Custom types"
      rows={data}
      keyOf={({ name }) => name}
      empty={
        <Empty icon="types" title="No custom type yet">
          Types that every organization has: junit, snyk, sonar, jira, pull_request and generic.
        </Empty>
      }
      columns={[
        {
          head: 'Type',
          kind: 'main',
          cell: ({ name, description, archived }) => (
            <span className="pile">
              <span className="line">
                <Link to={to.attestationType(org, name)}>
                  <bdi>{name}</bdi>
                </Link>
                {archived && <Badge tone="warn">Archived</Badge>}
              </span>
              <bdi className="small quiet">{description}</bdi>
            </span>
          ),
        },
        { head: 'Versions', kind: 'number', cell: ({ versions }) => versions.length },
        { head: 'Created by', kind: 'wide', cell: ({ created_by }) => <bdi>{created_by}</bdi> },
        { head: 'Changed', cell: ({ last_modified_at }) => <Time at={last_modified_at} /> },
      ]}
    />
  );
}
