import { useMay } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { Command } from '../../parts/Command';
import { DescribedLink, Empty, NameLinks, Page, Panel, Table, Time } from '../../ui';
import { PolicyForm } from './PolicyForm';

export function PoliciesPage() {
  const may = useMay();
  return (
    <Page
      title="Policies"
      lead="Rules that artifacts have to follow in the environments where a policy is in force."
      actions={may('record') && <PolicyForm />}
    >
      <Panel title="All policies" flush>
        <List />
      </Panel>
    </Page>
  );
}

function List() {
  const data = useAnswer('/policies/{org}', {});
  return (
    <Table
      label="Policies"
      rows={data}
      keyOf={({ id }) => id}
      empty={
        <Empty icon="policies" title="No policy yet">
          A policy says what an artifact has to show before it complies. Attach it to an environment to put it in force.
          <Command
            does="create a policy"
            path="/policies/{org}"
            body={{ name: 'release' }}
            form={{ field: 'payload', file: 'policy_file=@policy.yml' }}
          />
        </Empty>
      }
      columns={[
        {
          head: 'Policy',
          kind: 'main',
          cell: ({ name, description }) => <DescribedLink to={to.policy(name)} name={name} description={description} />,
        },
        {
          head: 'Version',
          kind: 'number',
          cell: ({ versions }) => Math.max(0, ...versions.map(({ version }) => version)),
        },
        {
          head: 'In force in',
          kind: 'wide',
          cell: ({ consuming_envs }) => <NameLinks names={consuming_envs} to={to.environment} none="no environment" />,
        },
        { head: 'Changed', cell: ({ last_modified_at }) => <Time at={last_modified_at} /> },
        { head: 'By', cell: ({ created_by }) => <bdi>{created_by}</bdi> },
      ]}
    />
  );
}
