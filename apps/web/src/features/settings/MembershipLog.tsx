import { useAnswer } from '../../api/use-answer';
import { Badge, Empty, Pager, Panel, Table, Time, usePageNumber, wordsOf } from '../../ui';

/** The log of memberships, for administrators. */
export function MembershipLog() {
  return (
    <Panel title="Membership log" flush>
      <List />
    </Panel>
  );
}

function List() {
  const page = usePageNumber();
  const data = useAnswer('/membership-audit-log/{org}', {}, { page, per_page: 50 });
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
