import { api, type Schemas } from '../../api/client';
import { useMay, useOrg, useSession, type Role } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { Badge, Empty, Panel, Time } from '../../ui';
import { Select, TextInput } from '../../ui/Fields';
import { ConfirmDialog, FormDialog, textsOf } from '../../ui/FormDialog';
import { CreateKey, KeyTable, type KeyActions } from './KeyTable';
import { ROLES } from './roles';

type Account = Schemas['ServiceAccount'];

/** Accounts of pipelines and reporters, each with its keys. */
export function ServiceAccounts() {
  const org = useOrg();
  const may = useMay()('serviceAccounts');
  const personal = useSession().organizations.some(
    (organization) => organization.name === org && organization.personal,
  );
  const data = useAnswer('/service-accounts/{org}', {});
  return (
    <>
      <div className="line">
        <p className="quiet" style={{ margin: 0 }}>
          Pipelines and reporters sign in as service accounts.
        </p>
        <span className="end">{may && <CreateAccount />}</span>
      </div>
      {data.length === 0 && (
        <Panel title="Service accounts">
          <Empty icon="settings" title="No service account yet">
            {personal && 'Personal organizations have none. Create an organization for what you share.'}
          </Empty>
        </Panel>
      )}
      {data.map((account) => (
        <ServiceAccount key={account.name} account={account} may={may} />
      ))}
    </>
  );
}

function ServiceAccount({ account, may }: { readonly account: Account; readonly may: boolean }) {
  const { name, display_name, privilege, description, created_at } = account;
  const actions = actionsOf(useOrg(), name);
  return (
    <Panel
      title={display_name || name}
      flush
      note={
        <span className="line">
          {display_name !== '' && display_name !== name && <bdi>{name}</bdi>}
          <Badge tone="none">{privilege}</Badge>
          <span>
            created <Time at={created_at} />
          </span>
          <bdi>{description}</bdi>
        </span>
      }
      actions={
        may && (
          <>
            <CreateKey actions={actions} />
            <DeleteAccount name={name} />
          </>
        )
      }
    >
      <AccountKeys name={name} actions={may ? actions : null} />
    </Panel>
  );
}

function AccountKeys({ name, actions }: { readonly name: string; readonly actions: KeyActions | null }) {
  const data = useAnswer('/service-accounts/{org}/{name}/api-keys', { name });
  return <KeyTable keys={data} actions={actions} />;
}

const actionsOf = (org: string, name: string): KeyActions => {
  const keys = '/service-accounts/{org}/{name}/api-keys' as const;
  return {
    create: async (body) => (await api.POST(keys, { params: { path: { org, name } }, body })).data?.key ?? '',
    rotate: async (id) =>
      (await api.POST(`${keys}/{id}/rotate`, { params: { path: { org, name, id } }, body: {} })).data?.key ?? '',
    revoke: (id) => api.DELETE(`${keys}/{id}`, { params: { path: { org, name, id } } }),
  };
};

const CreateAccount = () => (
  <FormDialog
    trigger="New service account"
    look="main"
    does="Create"
    onSubmit={async (values, org) => {
      const body = {
        privilege: String(values.get('privilege')) as Role,
        ...textsOf(values, 'name', 'description'),
      };
      await api.POST('/service-accounts/{org}', { params: { path: { org } }, body });
    }}
  >
    <TextInput name="name" label="Name" required />
    <Select name="privilege" label="Role" value="member" options={ROLES} />
    <TextInput name="description" label="Description" />
  </FormDialog>
);

const DeleteAccount = ({ name }: { readonly name: string }) => (
  <ConfirmDialog
    does="Delete"
    title="Delete service account"
    onConfirm={(org) => api.DELETE('/service-accounts/{org}/{name}', { params: { path: { org, name } } })}
  >
    <bdi>{name}</bdi> and all of its keys are refused from now on.
  </ConfirmDialog>
);
