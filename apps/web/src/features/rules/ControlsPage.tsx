import { api } from '../../api/client';
import { useMay } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { Command } from '../../parts/Command';
import { DescribedLink, Empty, NameLinks, Page, Pager, Panel, Table, Tags, Time, usePageNumber } from '../../ui';
import { TextInput } from '../../ui/Fields';
import { FormDialog, textsOf } from '../../ui/FormDialog';

export function ControlsPage() {
  const may = useMay();
  return (
    <Page
      title="Controls"
      lead="What a standard asks of the organization, and which policies see to it."
      actions={
        may('organization') && (
          <FormDialog
            trigger="New control"
            look="main"
            does="Create"
            onSubmit={async (values, org) => {
              const body = textsOf(values, 'identifier', 'name', 'description');
              await api.POST('/controls/{org}', { params: { path: { org } }, body });
            }}
          >
            <TextInput name="identifier" label="Identifier" required help="Such as CC8.1; it never changes." />
            <TextInput name="name" label="Name" required />
            <TextInput name="description" label="Description" lines={4} />
          </FormDialog>
        )
      }
    >
      <Panel title="All controls" flush>
        <List />
      </Panel>
    </Page>
  );
}

function List() {
  const page = usePageNumber();
  const data = useAnswer('/controls/{org}', {}, { page, per_page: 50 });
  return (
    <>
      <Table
        label="Controls"
        rows={data.controls}
        keyOf={({ identifier }) => identifier}
        empty={
          <Empty icon="controls" title="No control yet">
            A control names something a standard asks for, such as that every change is reviewed.
            <Command
              does="create a control"
              method="POST"
              path="/controls/{org}"
              body={{ identifier: 'CC8.1', name: 'Changes are reviewed' }}
            />
          </Empty>
        }
        columns={[
          {
            head: 'Control',
            kind: 'main',
            cell: ({ identifier, name }) => (
              <DescribedLink to={to.control(identifier)} name={name} description={identifier} />
            ),
          },
          {
            head: 'Policies',
            kind: 'wide',
            cell: ({ policies_referencing: policies }) => <NameLinks names={policies} to={to.policy} />,
          },
          { head: 'Tags', cell: ({ tags }) => <Tags tags={tags} /> },
          { head: 'Version', kind: 'number', cell: ({ version }) => version },
          { head: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
      <Pager page={page} pages={data.total_pages} total={data.total_count} />
    </>
  );
}
