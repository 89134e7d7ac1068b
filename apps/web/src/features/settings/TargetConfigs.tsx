import { api, type Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { SigningSecret } from '../../parts/SigningSecret';
import { channelText, TargetFields, targetOf, targetText } from '../../parts/targets';
import { Empty, Panel, Table, Time } from '../../ui';
import { TextInput } from '../../ui/Fields';
import { ConfirmDialog, FormDialog } from '../../ui/FormDialog';

type Config = Schemas['TargetConfig'];

/** Named lists of addresses that several notifications can use. */
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
                    {channelText(target)} <bdi>{targetText(target)}</bdi>
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

/** A button that opens a new configuration, or a new target for an existing one. */
function ConfigForm({ config }: { readonly config?: Config }) {
  return (
    <FormDialog
      trigger={config ? 'Add target' : 'New shared target'}
      look={config ? 'plain' : 'main'}
      title={config ? `Another target of ${config.name}` : 'New shared target'}
      onSubmit={async (values, org) => {
        const body = {
          name: config?.name ?? String(values.get('name')),
          targets: [...(config?.targets ?? []), targetOf(values)],
        };
        await api.PUT('/organizations/{org}/notification_target_configs', { params: { path: { org } }, body });
      }}
    >
      {config === undefined && <TextInput name="name" label="Name" required />}
      <TargetFields label="Channel" required />
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
