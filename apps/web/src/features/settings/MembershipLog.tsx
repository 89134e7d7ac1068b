import { query } from '../../api/client';
import { Badge, Empty, Pager, Panel, Table, Time, usePageNumber, wordsOf } from '../../ui';

/** The log of memberships, for administrators. */
export function MembershipLog({ org }: { readonly org: string }) {
  return (
    <Panel title="Membership log" flush>
      <List org={org} />
    </Panel>
  );
}

function List({ org }: { readonly org: string }) {
  const page = usePageNumber();
  const { data } = query.useSuspenseQuery('get', '/membership-audit-log/{org}', {
    params: { path: { org }, query: { page, per_page: 50 } },
  });
  return (
    <>
      <Table
        label="Membership log"
        rows={data.events}
        keyOf={({ id }) => id}
        empty={<Empty icon="clock" title="Nothing happened yet" />}
        columns={[
          { head: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
          { head: 'What', cell: ({ type }) => <Badge tone="none">{wordsOf(type)}</Badge> },
          { head: 'User', kind: 'main', cell: ({ user }) => <bdi>{user}</bdi> },
          {
            head: 'Role',
            cell: ({ role, previous_role }) =>
              previous_role === '' || previous_role === role ? role : `${previous_role} → ${role}`,
          },
          { head: 'By', kind: 'wide', cell: ({ changed_by }) => <bdi>{changed_by}</bdi> },
          { head: 'Through', cell: ({ source }) => source },
        ]}
      />
      <Pager page={page} pages={data.total_pages} total={data.total_count} />
    </>
  );
}
