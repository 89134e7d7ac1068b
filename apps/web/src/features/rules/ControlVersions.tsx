import { useAnswer } from '../../api/use-answer';
import { Pager, Panel, SafeLink, Table, Time, usePageNumber } from '../../ui';

/** The versions of a control. */
export function ControlVersions({ control }: { readonly control: string }) {
  return (
    <Panel title="Versions" flush>
      <List control={control} />
    </Panel>
  );
}

function List({ control }: { readonly control: string }) {
  const page = usePageNumber('versions');
  const data = useAnswer('/controls/{org}/{control}/versions', { control }, { page, per_page: 10 });
  return (
    <>
      <Table
        label="Versions"
        rows={data.versions}
        keyOf={({ version }) => String(version)}
        columns={[
          { head: 'Version', kind: 'number', cell: ({ version }) => version },
          { head: 'Name', kind: 'main', cell: ({ name }) => <bdi>{name}</bdi> },
          { head: 'Description', kind: 'wide', cell: ({ description }) => <bdi>{description}</bdi> },
          {
            head: 'Links',
            cell: ({ links }) => Object.entries(links).map(([name, href]) => <SafeLink key={name} href={href} />),
          },
          { head: 'By', cell: ({ created_by }) => <bdi>{created_by}</bdi> },
          { head: 'Since', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
      <Pager name="versions" page={page} pages={data.total_pages} total={data.total_count} />
    </>
  );
}
