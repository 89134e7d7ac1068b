import { api, type Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { SigningSecret } from '../../parts/SigningSecret';
import { Empty, Panel, Table, Time } from '../../ui';
import { Select, TextInput } from '../../ui/Fields';
import { ConfirmDialog, FormDialog } from '../../ui/FormDialog';

type Config = Schemas['TargetConfig'];
type Target = Config['targets'][number];
type Channel = Target['type'];

const CHANNELS = { WEBHOOK: 'Webhook', SLACK: 'Slack', EMAIL: 'Mail' } as const satisfies Record<Channel, string>;

/** Addresses that several notifications send to, under one name. */
export function TargetConfigs() {
  const may = useMay();
  const data = useAnswer('/organizations/{org}/notification_target_configs', {});
  const acts = may('record');
  return (
    <Panel title="Shared targets" flush actions={acts && <ConfigForm />}>
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
                      <SigningSecret id={target.id} of={{ config: name }} hint={target.signing_secret} />
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
                      <ConfigForm config={config} />
                      <DeleteConfig name={config.name} />
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
function ConfigForm({ config }: { readonly config?: Config }) {
  return (
    <FormDialog
      trigger={config ? 'Add target' : 'New shared target'}
      look={config ? 'plain' : 'main'}
      title={config ? `Another target of ${config.name}` : 'New shared target'}
      onSubmit={async (values, org) => {
        const address = String(values.get('address')).trim();
        const type = String(values.get('channel')) as Channel;
        const added = type === 'EMAIL' ? { type, emails: address } : { type, webhook: address };
        const body = { name: config?.name ?? String(values.get('name')), targets: [...(config?.targets ?? []), added] };
        await api.PUT('/organizations/{org}/notification_target_configs', { params: { path: { org } }, body });
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

const DeleteConfig = ({ name }: { readonly name: string }) => (
  <ConfirmDialog
    does="Delete"
    title={`Delete ${name}`}
    onConfirm={(org) =>
      api.DELETE('/organizations/{org}/notification_target_configs/{config}', {
        params: { path: { org, config: name } },
      })
    }
  >
    Notifications that send to <bdi>{name}</bdi> tell nobody by it any more.
  </ConfirmDialog>
);
