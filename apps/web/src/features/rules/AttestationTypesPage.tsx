import { useMay } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { Command } from '../../parts/Command';
import { Badge, CodeLines, Empty, NameLink, Page, Panel, Table, Time } from '../../ui';
import { AttestationTypeForm } from './AttestationTypeForm';

/** The rule of the type that the commands of the empty list create. */
const RULE = '.coverage >= 80';

export function AttestationTypesPage() {
  const may = useMay();
  return (
    <Page
      title="Attestation types"
      actions={may('record') && <AttestationTypeForm />}
      lead="Kinds of evidence of your own: a schema for what is reported, and rules that judge it."
    >
      <Panel title="Custom types" flush>
        <List />
      </Panel>
    </Page>
  );
}

function List() {
  const data = useAnswer('/custom-attestation-types/{org}', {});
  return (
    <Table
      label="Custom types"
      rows={data}
      keyOf={({ name }) => name}
      empty={
        <Empty icon="types" title="No custom type yet">
          Types that every organization has: junit, snyk, sonar, jira, pull_request, decision, sbom and generic. A type
          of your own says which values comply.
          <Command
            does="create an attestation type"
            method="POST"
            path="/custom-attestation-types/{org}"
            body={{ name: 'coverage', description: '', evaluator: { content_type: 'jq', rules: [RULE] } }}
            form={{ field: 'data_json' }}
          />
          Or with the published command line:
          <CodeLines
            label="Command line that creates an attestation type"
            text={`kosli create attestation-type coverage --jq '${RULE}'`}
          />
        </Empty>
      }
      columns={[
        {
          head: 'Type',
          kind: 'main',
          cell: ({ name, description, archived }) => (
            <span className="pile">
              <span className="line">
                <NameLink to={to.attestationType(name)}>{name}</NameLink>
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
