import { useDeferredValue, useState } from 'react';
import { Link } from 'react-router';
import { query } from '../../api/client';
import { useOrg } from '../../api/session';
import { to } from '../../app/paths';
import { Empty, Page, Pager, Panel, SafeLink, Table, Tags, Time, usePageNumber } from '../../ui';
import { FieldRow, TextInput } from '../../ui/Fields';

export function RepositoriesPage() {
  const org = useOrg();
  const [name, setName] = useState('');
  return (
    <Page title="Repositories" lead="Where the code of what runs is kept.">
      <div onInput={(event) => event.target instanceof HTMLInputElement && setName(event.target.value)}>
        <FieldRow>
          <TextInput name="name" label="Name" type="search" />
        </FieldRow>
      </div>
      <Panel title="All repositories" flush>
        <List org={org} name={useDeferredValue(name)} />
      </Panel>
    </Page>
  );
}

function List({ org, name }: { readonly org: string; readonly name: string }) {
  const page = usePageNumber();
  const { data } = query.useSuspenseQuery('get', '/repos/{org}', {
    params: { path: { org }, query: { page, per_page: 50, ...(name === '' ? {} : { search: name }) } },
  });
  return (
    <>
      <Table
        label="Repositories"
        rows={data.repos}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="repositories" title={name === '' ? 'No repository yet' : 'None has this in its name'}>
            A repository appears with the first report that names it.
          </Empty>
        }
        columns={[
          {
            head: 'Repository',
            kind: 'main',
            cell: (repo) => (
              <Link to={to.repository(org, repo.name)}>
                <bdi>{repo.name}</bdi>
              </Link>
            ),
          },
          {
            head: 'Address',
            kind: 'wide',
            cell: ({ url }) => <SafeLink href={url}>{url.replace(/^https?:\/\//, '')}</SafeLink>,
          },
          { head: 'Provider', cell: ({ provider }) => <bdi>{provider ?? '–'}</bdi> },
          { head: 'Tags', cell: ({ tags }) => <Tags tags={tags} /> },
          { head: 'Changed', cell: ({ last_modified_at }) => <Time at={last_modified_at} /> },
        ]}
      />
      <Pager page={page} pages={data.total_pages} total={data.total_count} />
    </>
  );
}
