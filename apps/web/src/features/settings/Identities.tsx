import { useSearchParams } from 'react-router';
import { useSuspenseQuery } from '@tanstack/react-query';
import { api, query, type Schemas } from '../../api/client';
import { signInQuery, useSession } from '../../api/session';
import { to } from '../../app/paths';
import { Empty, Panel, Table, usePagePath } from '../../ui';
import { ConfirmDialog, FormDialog } from '../../ui/FormDialog';
import { problemOf } from '../sign-in/problems';

type Identity = Schemas['Identity'];

/** The identities of the provider with which the caller can sign in. They can be attached and detached. */
export function Identities() {
  const { principal, session } = useSession();
  const provider = useSuspenseQuery(signInQuery).data.openid_connect;
  if (principal.kind === 'service-account') {
    return <Empty icon="settings" title="You are signed in as a service account, which signs in with its keys" />;
  }
  return (
    <>
      <Problem />
      {session?.groups_unknown === true && <GroupsUnknown />}
      <Panel title="Your sign-in" flush actions={provider !== null && <Attach name={provider.name} />}>
        <List />
      </Panel>
    </>
  );
}

/** Why an identity could not be attached. */
function Problem() {
  const [search] = useSearchParams();
  const problem = problemOf(search.get('problem'));
  return problem === null ? null : (
    <Panel title="No account was attached">
      <p role="alert" style={{ margin: 0 }}>
        {problem} <span className="quiet small">Request {search.get('request')}</span>
      </p>
    </Panel>
  );
}

const GroupsUnknown = () => (
  <Panel title="Your groups are not known">
    <p role="alert" style={{ margin: 0 }}>
      The sign-in provider did not send your groups when you signed in, as Entra ID does for people with more than 200.
      Your roles stayed as they were. If you had none, you have those that everybody has. Ask your administrator to have
      the provider send only groups that are assigned to this application, or application roles. Then sign in again.
    </p>
  </Panel>
);

function List() {
  const { data } = query.useSuspenseQuery('get', '/user/identities', {});
  return (
    <Table
      label="Identities"
      rows={data}
      keyOf={({ id }) => id}
      empty={
        <Empty icon="settings" title="You sign in with an API key">
          An account of the sign-in provider appears here once it is attached.
        </Empty>
      }
      columns={[
        { head: 'Account', kind: 'main', cell: ({ email, subject }) => <bdi>{email === '' ? subject : email}</bdi> },
        { head: 'Provider', kind: 'wide', cell: ({ issuer }) => <bdi>{issuer}</bdi> },
        { head: 'Actions', cell: (identity) => <Detach identity={identity} /> },
      ]}
    />
  );
}

function Attach({ name }: { readonly name: string }) {
  const path = usePagePath();
  return (
    <FormDialog
      trigger="Attach an account"
      look="main"
      does="Continue"
      onSubmit={async () => {
        const { data } = await api.POST('/user/identities', {
          body: { return_to: path(to.settings('sign-in')) },
        });
        if (data !== undefined) location.assign(data.location);
      }}
    >
      <p>
        You sign in at <bdi>{name}</bdi>, and come back here. From then on you can sign in with that account as this
        user. It must not belong to another user yet.
      </p>
    </FormDialog>
  );
}

const Detach = ({ identity: { id, email, subject } }: { readonly identity: Identity }) => (
  <ConfirmDialog
    does="Detach"
    title="Detach this account"
    onConfirm={() => api.DELETE('/user/identities/{id}', { params: { path: { id } } })}
  >
    You can no longer sign in with <bdi>{email === '' ? subject : email}</bdi>. With your last account go the roles that
    its groups gave. Sessions and keys stay.
  </ConfirmDialog>
);
