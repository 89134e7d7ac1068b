import { useMay } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { Empty, NameLink, Page, Panel, Table, Time } from '../../ui';
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
        </Empty>
      }
      columns={[
        {
          head: 'Policy',
          kind: 'main',
          cell: ({ name, description }) => (
            <span className="pile">
              <NameLink to={to.policy(name)}>{name}</NameLink>
              {description !== '' && <bdi className="small quiet">{description}</bdi>}
            </span>
          ),
        },
        {
          head: 'Version',
          kind: 'number',
          cell: ({ versions }) => Math.max(0, ...versions.map(({ version }) => version)),
        },
        {
          head: 'In force in',
          kind: 'wide',
          cell: ({ consuming_envs }) =>
            consuming_envs.length === 0 ? (
              <span className="quiet">no environment</span>
            ) : (
              <span className="line">
                {consuming_envs.map((env) => (
                  <NameLink key={env} to={to.environment(env)}>
                    {env}
                  </NameLink>
                ))}
              </span>
            ),
        },
        { head: 'Changed', cell: ({ last_modified_at }) => <Time at={last_modified_at} /> },
        { head: 'By', cell: ({ created_by }) => <bdi>{created_by}</bdi> },
      ]}
    />
  );
}
