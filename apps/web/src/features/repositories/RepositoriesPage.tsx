import { useDeferredValue } from 'react';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { Command } from '../../parts/Command';
import { Empty, NameLink, Page, Pager, Panel, SafeLink, Table, Tags, Time, usePageNumber } from '../../ui';
import { FieldRow, SearchInput } from '../../ui/Fields';
import { useFilter } from '../../ui/use-filter';

export function RepositoriesPage() {
  const [name, setName] = useFilter('name', { typed: true });
  return (
    <Page title="Repositories" lead="Where the code of what runs is kept.">
      <FieldRow>
        <SearchInput label="Name" value={name} onChange={setName} />
      </FieldRow>
      <Panel title="All repositories" flush>
        <List name={useDeferredValue(name)} />
      </Panel>
    </Page>
  );
}

function List({ name }: { readonly name: string }) {
  const page = usePageNumber();
  const data = useAnswer('/repos/{org}', {}, { page, per_page: 50, search: name || undefined });
  return (
    <>
      <Table
        label="Repositories"
        rows={data.repos}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="repositories" title={name === '' ? 'No repository yet' : 'None has this in its name'}>
            A repository appears with the first report that names it.
            {name === '' && (
              <Command
                does="report an artifact of a repository"
                method="POST"
                path="/artifacts/{org}/web"
                body={{
                  fingerprint: '0'.repeat(64),
                  filename: 'web:1.0',
                  git_commit: '0'.repeat(40),
                  trail_name: 'build-1',
                  template_reference_name: 'artifact',
                  repo_info: { name: 'shop/web', url: 'https://git.example.com/shop/web' },
                }}
              />
            )}
          </Empty>
        }
        columns={[
          {
            head: 'Repository',
            kind: 'main',
            cell: ({ name, id }) => (
              <NameLink to={to.repository(name, isShared(data.repos, name) ? id : undefined)}>{name}</NameLink>
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

/** Whether several repositories of a list share a name. They are listed next to each other. */
function isShared(repos: readonly { readonly name: string }[], name: string): boolean {
  return repos.filter((repo) => repo.name === name).length > 1;
}
