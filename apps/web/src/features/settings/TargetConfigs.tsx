import { api, query, type Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { SigningSecret } from '../../parts/SigningSecret';
import { Empty, Panel, Table, Time } from '../../ui';
import { Select, TextInput } from '../../ui/Fields';
import { FormDialog } from '../../ui/FormDialog';

type Config = Schemas['TargetConfig'];
type Target = Config['targets'][number];
type Channel = Target['type'];

const CHANNELS = { WEBHOOK: 'Webhook', SLACK: 'Slack', EMAIL: 'Mail' } as const satisfies Record<Channel, string>;

interface Props {
  readonly org: string;
}

/** Addresses that several notifications send to, under one name. */
export function TargetConfigs({ org }: Props) {
  const may = useMay();
  const { data } = query.useSuspenseQuery('get', '/organizations/{org}/notification_target_configs', {
    params: { path: { org } },
  });
  const acts = may('record');
  return (
    <Panel title="Shared targets" flush actions={acts && <ConfigForm org={org} />}>
      <Table
        label="Shared targets"
        rows={data}
        keyOf={({ name }) => name}
        empty={
          <Empty icon="notifications" title="No shared target yet">
            One name stands for addresses that several notifications send to.
          </Empty>
        }
        columns={[
          { head: 'Name', kind: 'main', cell: ({ name }) => <bdi>{name}</bdi> },
          {
            head: 'Sends to',
            kind: 'wide',
            cell: ({ name, targets }) => (
              <span className="pile">
                {targets.map((target) => (
                  <span className="line" key={target.id}>
                    {CHANNELS[target.type]} <bdi>{addressOf(target)}</bdi>
                    {acts && target.type === 'WEBHOOK' && (
                      <SigningSecret org={org} id={target.id} of={{ config: name }} hint={target.signing_secret} />
                    )}
                  </span>
                ))}
              </span>
            ),
          },
          { head: 'Changed', cell: ({ last_modified_at }) => <Time at={last_modified_at} /> },
          ...(acts
            ? [
                {
                  head: 'Actions',
                  cell: (config: Config) => (
                    <span className="line">
                      <ConfigForm org={org} config={config} />
                      <DeleteConfig org={org} name={config.name} />
                    </span>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

const addressOf = (target: Target) =>
  target.type === 'EMAIL' ? target.emails : (target.webhook_hint ?? 'an address that is not shown');

/** A button that opens a new configuration, or another target for one that there is. */
function ConfigForm({ org, config }: Props & { readonly config?: Config }) {
  return (
    <FormDialog
      trigger={config ? 'Add target' : 'New shared target'}
      {...(config ? {} : { icon: 'plus', look: 'main' })}
      title={config ? `Another target of ${config.name}` : 'New shared target'}
      does="Save"
      onSubmit={async (values) => {
        const address = String(values.get('address')).trim();
        const type = String(values.get('channel')) as Channel;
        const added = type === 'EMAIL' ? { type, emails: address } : { type, webhook: address };
        const body = { name: config?.name ?? String(values.get('name')), targets: [...(config?.targets ?? []), added] };
        await api.PUT('/organizations/{org}/notification_target_configs', { params: { path: { org } }, body });
        return null;
      }}
    >
      {config === undefined && <TextInput name="name" label="Name" required />}
      <Select name="channel" label="Channel" options={Object.entries(CHANNELS)} value="WEBHOOK" />
      <TextInput
        name="address"
        label="Address"
        required
        help="A web address for a webhook or Slack; for mail, addresses with commas between. It is not shown again."
      />
    </FormDialog>
  );
}

const DeleteConfig = ({ org, name }: Props & { readonly name: string }) => (
  <FormDialog
    trigger="Delete"
    look="danger"
    title={`Delete ${name}`}
    does="Delete"
    onSubmit={async () => {
      await api.DELETE('/organizations/{org}/notification_target_configs/{config}', {
        params: { path: { org, config: name } },
      });
      return null;
    }}
  >
    <p>
      Notifications that send to <bdi>{name}</bdi> tell nobody by it any more.
    </p>
  </FormDialog>
);
