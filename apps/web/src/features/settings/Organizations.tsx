import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { api } from '../../api/client';
import { sessionQuery, useSession } from '../../api/session';
import { pageIn } from '../../app/paths';
import { Badge, Panel, Table } from '../../ui';
import { TextInput } from '../../ui/Fields';
import { FormDialog } from '../../ui/FormDialog';

/** The organizations that the caller is a member of. */
export function Organizations() {
  const { organizations, default_organization } = useSession();
  return (
    <Panel
      title="Your organizations"
      flush
      actions={
        <>
          <Join />
          <Create />
        </>
      }
    >
      <Table
        label="Organizations"
        rows={organizations}
        keyOf={({ name }) => name}
        columns={[
          {
            head: 'Organization',
            kind: 'main',
            cell: ({ name }) => (
              <Link to={pageIn(name)}>
                <bdi>{name}</bdi>
              </Link>
            ),
          },
          { head: 'Your role', cell: ({ role }) => <Badge tone="none">{role}</Badge> },
          {
            head: 'Kind',
            kind: 'wide',
            cell: ({ name, personal }) =>
              [personal && 'personal', name === default_organization && 'default'].filter(Boolean).join(', ') ||
              'shared',
          },
        ]}
      />
    </Panel>
  );
}

function Create() {
  const navigate = useNavigate();
  const client = useQueryClient();
  return (
    <FormDialog
      trigger="New organization"
      look="main"
      does="Create"
      onSubmit={async (values) => {
        const name = String(values.get('name'));
        await api.POST('/organizations', { body: { name } });
        await client.invalidateQueries(sessionQuery);
        await navigate(pageIn(name));
      }}
    >
      <TextInput name="name" label="Name" required />
    </FormDialog>
  );
}

function Join() {
  const client = useQueryClient();
  return (
    <FormDialog
      trigger="Accept an invitation"
      does="Accept"
      onSubmit={async (values) => {
        await api.POST('/user/invitations', { body: { token: String(values.get('token')).trim() } });
        await client.invalidateQueries(sessionQuery);
      }}
    >
      <TextInput
        name="token"
        label="Token"
        required
        help="The one that an administrator of the organization sent to you."
      />
    </FormDialog>
  );
}
