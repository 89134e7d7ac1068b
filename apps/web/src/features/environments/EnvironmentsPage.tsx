import { useDeferredValue, useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { Command } from '../../parts/Command';
import {
  ButtonLink,
  DescribedLink,
  Empty,
  Guarded,
  Page,
  Pager,
  Panel,
  Table,
  Tags,
  Time,
  usePageNumber,
  Verdict,
  type Column,
} from '../../ui';
import { Checks, FieldRow, SearchInput, Select, TextInput } from '../../ui/Fields';
import { FormDialog, textsOf } from '../../ui/FormDialog';
import { useFilter } from '../../ui/use-filter';
import { LastReport } from '../../parts/LastReport';
import { NameList } from '../../parts/NameList';
import { Members } from './Members';
import { ReportEvery, reportEveryOf } from './ReportEvery';

type Environment = Schemas['Environment'];

const KINDS = ['K8S', 'ECS', 'S3', 'lambda', 'server', 'docker', 'azure-apps', 'cloud-run', 'logical'] as const;

const STATES = [
  ['compliant', 'Compliant'],
  ['non-compliant', 'Not compliant'],
  ['not-judged', 'Not judged'],
] as const;

export function EnvironmentsPage() {
  const may = useMay();
  const [name, setName] = useFilter('name', { typed: true });
  const [type, setType] = useFilter('type');
  const [state, setState] = useFilter('state');
  const [late, setLate] = useFilter('late');
  return (
    <Page
      title="Environments"
      lead="Places where software runs, and whether what runs there complies."
      actions={
        <>
          <ButtonLink to={to.compare('', '')} icon="swap">
            Compare
          </ButtonLink>
          {may('record') && <CreateEnvironment />}
        </>
      }
    >
      <FieldRow>
        <SearchInput label="Name" value={name} onChange={setName} />
        <Select
          label="Type"
          value={type}
          onChange={setType}
          options={[['', 'All types'], ...KINDS.map((kind) => [kind, kind] as const)]}
        />
        <Select label="State" value={state} onChange={setState} options={[['', 'All states'], ...STATES]} />
        <Select
          label="Reports"
          value={late}
          onChange={setLate}
          options={[
            ['', 'In time or late'],
            ['true', 'Late'],
          ]}
        />
      </FieldRow>
      <Panel title="All environments" flush>
        <List
          name={useDeferredValue(name)}
          type={useDeferredValue(type)}
          state={useDeferredValue(state)}
          late={useDeferredValue(late) !== ''}
        />
      </Panel>
    </Page>
  );
}

interface ListProps {
  readonly name: string;
  readonly type: string;
  readonly state: string;
  readonly late: boolean;
}

function List({ name, type, state, late }: ListProps) {
  const page = usePageNumber();
  const data = useAnswer(
    '/environments/{org}',
    {},
    {
      page,
      per_page: 50,
      name: name || undefined,
      type: type ? [type as Environment['type']] : undefined,
      late: late || undefined,
      state: STATES.map(([item]) => item).filter((item) => item === state),
    },
  );
  const { environments, total_pages, total_count } = data as Schemas['EnvironmentPage'];
  return (
    <>
      <Table
        label="Environments"
        rows={environments}
        columns={COLUMNS}
        keyOf={(row) => row.name}
        empty={
          <Empty icon="environments" title="No environment">
            {name || type || state || late ? (
              'None matches the filter.'
            ) : (
              <>
                A reporter or an administrator creates the first one.
                <Command
                  does="create an environment"
                  path="/environments/{org}"
                  body={{ name: 'production', type: 'docker' }}
                />
              </>
            )}
          </Empty>
        }
      />
      <Pager page={page} pages={total_pages} total={total_count} />
    </>
  );
}

const COLUMNS: readonly Column<Environment>[] = [
  {
    head: 'Environment',
    kind: 'main',
    cell: ({ name, description }) => <DescribedLink to={to.environment(name)} name={name} description={description} />,
  },
  { head: 'Type', cell: ({ type }) => type },
  { head: 'State', cell: ({ state }) => <Verdict value={state} /> },
  {
    head: 'Policies',
    kind: 'text',
    cell: ({ policies }) => <NameList names={policies} to={to.policy} kind="policies" />,
  },
  { head: 'Tags', cell: ({ tags }) => <Tags tags={tags} /> },
  { head: 'Changed', cell: ({ last_changed_at }) => <Time at={last_changed_at} /> },
  { head: 'Reported', cell: (environment) => <LastReport environment={environment} /> },
];

const CreateEnvironment = () => (
  <FormDialog
    trigger="New environment"
    look="main"
    does="Create"
    onSubmit={async (values, org) => {
      const options = values.getAll('options');
      const type = String(values.get('type')) as Environment['type'];
      await api.PUT('/environments/{org}', {
        params: { path: { org } },
        body: {
          type,
          ...textsOf(values, 'name', 'description'),
          include_scaling: options.includes('include_scaling'),
          require_provenance: options.includes('require_provenance'),
          ...(type === 'logical'
            ? { included_environments: values.getAll('members').map(String) }
            : reportEveryOf(values)),
        },
      });
    }}
  >
    <TextInput name="name" label="Name" required />
    <TextInput name="description" label="Description" />
    <KindFields />
  </FormDialog>
);

/** The field for the type, and further fields that depend on the type. */
function KindFields() {
  const [type, setType] = useState('K8S');
  return (
    <>
      <Select
        name="type"
        label="Type"
        value={type}
        onChange={setType}
        options={KINDS.map((kind) => [kind, kind] as const)}
      />
      {type === 'logical' ? (
        <Guarded lines={2}>
          <Members />
        </Guarded>
      ) : (
        <>
          <Checks
            name="options"
            label="What counts"
            options={[
              ['include_scaling', 'A change of the number of instances makes a snapshot'],
              ['require_provenance', 'An artifact without provenance does not comply'],
            ]}
          />
          <ReportEvery />
        </>
      )}
    </>
  );
}
