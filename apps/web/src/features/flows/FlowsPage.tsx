import { useDeferredValue } from 'react';
import type { Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { Command } from '../../parts/Command';
import {
  DescribedLink,
  Empty,
  Page,
  Pager,
  Panel,
  SafeLink,
  Table,
  Tags,
  Time,
  usePageNumber,
  Verdict,
  type Column,
} from '../../ui';
import { FieldRow, SearchInput } from '../../ui/Fields';
import { useFilter } from '../../ui/use-filter';
import { FlowForm } from './FlowForm';

type Flow = Schemas['FlowListItem'];

export function FlowsPage() {
  const may = useMay();
  const [name, setName] = useFilter('name', { typed: true });
  return (
    <Page
      title="Flows"
      lead="Each flow is a process that builds a product; each run of it is a trail."
      actions={may('record') && <FlowForm />}
    >
      <FieldRow>
        <SearchInput label="Name" value={name} onChange={setName} />
      </FieldRow>
      <Panel title="All flows" flush>
        <List name={useDeferredValue(name)} />
      </Panel>
    </Page>
  );
}

function List({ name }: { readonly name: string }) {
  const page = usePageNumber();
  const data = useAnswer('/flows/{org}', {}, { page, per_page: 50, search_by_name: name || undefined });
  const { data: flows, pagination } = data as Schemas['FlowPage'];
  return (
    <>
      <Table
        label="Flows"
        rows={flows}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="flows" title={name === '' ? 'No flow yet' : 'No flow has this in its name'}>
            {name === '' && (
              <Command does="create a flow" path="/flows/{org}" body={{ name: 'web', template: ['artifact'] }} />
            )}
          </Empty>
        }
      />
      <Pager page={page} pages={pagination.page_count} total={pagination.total} />
    </>
  );
}

const COLUMNS: readonly Column<Flow>[] = [
  {
    head: 'Flow',
    kind: 'main',
    cell: ({ name, description }) => <DescribedLink to={to.flow(name)} name={name} description={description} />,
  },
  { head: 'Newest trail', cell: ({ latest_state }) => <Verdict value={latest_state} /> },
  { head: 'Activity', cell: ({ latest_activity_at }) => <Time at={latest_activity_at} /> },
  {
    head: 'Repository',
    kind: 'wide',
    cell: ({ repo_url }) =>
      repo_url === null ? (
        <span className="quiet">unknown</span>
      ) : (
        <SafeLink href={repo_url}>{repo_url.replace(/^https?:\/\//, '')}</SafeLink>
      ),
  },
  { head: 'Tags', cell: ({ tags }) => <Tags tags={tags} /> },
];
