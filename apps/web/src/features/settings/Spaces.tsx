import { api, type Schemas } from '../../api/client';
import { useMay, useOrg } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { Empty, Pager, Panel, Table, Time, usePageNumber } from '../../ui';
import { Select, TextInput } from '../../ui/Fields';
import { ConfirmDialog, FormDialog, textsOf } from '../../ui/FormDialog';
import { places, ROOT } from '../../parts/space-choices';

const PER_PAGE = 50;

type Space = Schemas['Space'];

/** The spaces, which group environments and flows. */
export function Spaces() {
  const may = useMay();
  const page = usePageNumber();
  const data = useAnswer('/spaces/{org}', {}, { page, per_page: PER_PAGE, archived: false });
  const { spaces, total_pages } = data;
  const admin = may('organization');
  return (
    <Panel title="Spaces" flush actions={admin && <Create spaces={spaces} />}>
      <Table
        label="Spaces"
        rows={spaces}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="overview" title="No space yet">
            Spaces group environments and flows, such as those of a product.
          </Empty>
        }
        columns={[
          { head: 'Space', kind: 'main', cell: ({ path }) => <bdi>{path.join(' / ')}</bdi> },
          { head: 'Created by', kind: 'wide', cell: ({ created_by }) => <bdi>{created_by}</bdi> },
          { head: 'Changed', cell: ({ last_modified_at }) => <Time at={last_modified_at} /> },
          ...(admin ? [{ head: 'Actions', cell: (space: Space) => <Actions space={space} spaces={spaces} /> }] : []),
        ]}
      />
      <Pager page={page} pages={total_pages} />
    </Panel>
  );
}

function Create({ spaces }: { readonly spaces: readonly Space[] }) {
  return (
    <FormDialog
      trigger="New space"
      look="main"
      does="Create"
      onSubmit={async (values, org) => {
        const body = textsOf(values, 'name', 'parent_id');
        await api.PUT('/spaces/{org}', { params: { path: { org } }, body });
      }}
    >
      <TextInput name="name" label="Name" required />
      <Select name="parent_id" label="In" options={places(spaces)} value={ROOT} />
    </FormDialog>
  );
}

function Actions({ space, spaces }: { readonly space: Space; readonly spaces: readonly Space[] }) {
  const org = useOrg();
  const params = { path: { org, space: space.id } };
  const isBelow = (item: Space) => space.path.every((name, i) => item.path[i] === name);
  return (
    <span className="line">
      <FormDialog
        trigger="Edit"
        title={`Edit ${space.name}`}
        onSubmit={async (values) => {
          const { new_name, parent_id } = textsOf(values, 'new_name', 'parent_id');
          if (new_name !== space.name) await api.PUT('/spaces/{org}/{space}/rename', { params, body: { new_name } });
          if (parent_id !== space.parent_id) {
            await api.PUT('/spaces/{org}/{space}/move', { params, body: { parent_id } });
          }
        }}
      >
        <TextInput name="new_name" label="Name" value={space.name} required />
        <Select
          name="parent_id"
          label="In"
          options={places(spaces.filter((candidate) => !isBelow(candidate)))}
          value={space.parent_id}
        />
      </FormDialog>
      <ConfirmDialog
        does="Archive"
        title={`Archive ${space.name}`}
        onConfirm={() => api.PUT('/spaces/{org}/{space}/archive', { params })}
      >
        <bdi>{space.path.join(' / ')}</bdi> disappears from lists. Only an empty space can be archived.
      </ConfirmDialog>
    </span>
  );
}
