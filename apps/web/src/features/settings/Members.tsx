import { api, type Schemas } from '../../api/client';
import { useMay, useOrg, type Role } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { Badge, Empty, Pager, Panel, Table, Time, usePageNumber } from '../../ui';
import { Select, TextInput } from '../../ui/Fields';
import { ConfirmDialog, FormDialog } from '../../ui/FormDialog';
import { Secret } from '../../parts/Secret';
import { ROLES } from './roles';

const PER_PAGE = 50;

/** The members of the organization with their roles, and the invited people. */
export function Members() {
  const may = useMay();
  const admin = may('people');
  return (
    <>
      <Panel title="Members" flush actions={admin && <Invite />}>
        <List admin={admin} />
      </Panel>
      {may('seePeople') && (
        <Panel title="Open invitations" flush>
          <Invitations admin={admin} />
        </Panel>
      )}
    </>
  );
}

function List({ admin }: { readonly admin: boolean }) {
  const page = usePageNumber();
  const data = useAnswer('/organizations/{org}/members', {}, { page, per_page: PER_PAGE });
  return (
    <>
      <Table
        label="Members"
        rows={data}
        keyOf={({ user }) => user}
        columns={[
          { head: 'User', kind: 'main', cell: ({ user }) => <bdi>{user}</bdi> },
          {
            head: 'Mail',
            kind: 'wide',
            cell: ({ email }) => (email === '' ? <span className="quiet">none</span> : <bdi>{email}</bdi>),
          },
          { head: 'Role', cell: ({ role }) => <Badge tone="none">{role}</Badge> },
          ...(admin
            ? [{ head: 'Actions', cell: (member: Schemas['Member']) => <MemberActions member={member} /> }]
            : []),
        ]}
      />
      <Pager page={page} pages={{ more: data.length === PER_PAGE }} />
    </>
  );
}

function MemberActions({ member: { user, role } }: { readonly member: Schemas['Member'] }) {
  const org = useOrg();
  const params = { path: { org, user } };
  return (
    <span className="line">
      <FormDialog
        trigger="Change role"
        title={`Role of ${user}`}
        onSubmit={async (values) => {
          const body = { role: String(values.get('role')) as Role };
          await api.PUT('/organizations/{org}/members/{user}', { params, body });
        }}
      >
        <Select name="role" label="Role" value={role} options={ROLES} />
      </FormDialog>
      <ConfirmDialog
        does="Remove"
        title={`Remove ${user}`}
        onConfirm={() => api.DELETE('/organizations/{org}/members/{user}', { params })}
      >
        <bdi>{user}</bdi> can no longer see or change anything here.
      </ConfirmDialog>
    </span>
  );
}

const Invite = () => (
  <FormDialog
    trigger="Invite"
    look="main"
    title="Invite somebody"
    does="Invite"
    onSubmit={async (values, org) => {
      const { data } = await api.POST('/organizations/{org}/invitations', {
        params: { path: { org } },
        body: { email: String(values.get('email')), role: String(values.get('role')) as Role },
      });
      return (
        <Secret
          label="Token of the invitation"
          text={data?.token ?? ''}
          help="Send it to the person: who has it can join with this role."
        />
      );
    }}
  >
    <TextInput name="email" label="Mail address" type="email" required />
    <Select name="role" label="Role" value="member" options={ROLES} />
  </FormDialog>
);

function Invitations({ admin }: { readonly admin: boolean }) {
  const data = useAnswer('/organizations/{org}/invitations', {});
  return (
    <Table
      label="Invitations"
      rows={data}
      keyOf={({ id }) => id}
      empty={<Empty icon="plus" title="Nobody is invited" />}
      columns={[
        { head: 'Mail', kind: 'main', cell: ({ email }) => <bdi>{email}</bdi> },
        { head: 'Role', cell: ({ role }) => <Badge tone="none">{role}</Badge> },
        { head: 'Invited by', kind: 'wide', cell: ({ invited_by }) => <bdi>{invited_by}</bdi> },
        { head: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} /> },
        ...(admin ? [{ head: 'Actions', cell: (item: Schemas['Invitation']) => <Revoke invitation={item} /> }] : []),
      ]}
    />
  );
}

const Revoke = ({ invitation: { id, email } }: { readonly invitation: Schemas['Invitation'] }) => (
  <ConfirmDialog
    does="Revoke"
    title="Revoke invitation"
    onConfirm={(org) => api.DELETE('/organizations/{org}/invitations/{id}', { params: { path: { org, id } } })}
  >
    <bdi>{email}</bdi> can no longer join with it.
  </ConfirmDialog>
);
