import { api } from '../../api/client';
import { useEnvironmentNames } from '../../api/environments';
import { Checks, Select, TextInput } from '../../ui/Fields';
import { FormDialog } from '../../ui/FormDialog';
import { CHANNELS, TRIGGERS, type Notification, type Target } from './triggers';

interface Props {
  /** The notification to change; without one a new one is made. */
  readonly notification?: Notification;
}

type Channel = 'SLACK' | 'WEBHOOK' | 'EMAIL';

/** A target from the form's fields. */
const targetOf = (channel: Channel, address: string) =>
  channel === 'EMAIL' ? { type: channel, emails: address } : { type: channel, webhook: address };

/** A button that opens what is told of which environments, and to whom. */
export function NotificationForm({ notification }: Props) {
  const environments = useEnvironmentNames();
  const save = async (values: FormData, org: string) => {
    const address = String(values.get('address')).trim();
    const kept: readonly Target[] = notification?.targets ?? [];
    const added = address === '' ? [] : [targetOf(String(values.get('channel')) as Channel, address)];
    const body = {
      name: String(values.get('name')),
      type: 'env' as const,
      triggers: values.getAll('triggers').map(String) as Notification['triggers'],
      environments: values.getAll('environments').map(String),
      targets: [...kept, ...added],
    };
    const path = { org, notification_number: String(notification?.number ?? '') };
    if (notification === undefined) {
      await api.PUT('/organizations/{org}/environments_notifications', { params: { path: { org } }, body });
    } else {
      await api.PUT('/organizations/{org}/environments_notifications/{notification_number}', {
        params: { path },
        body,
      });
    }
  };
  return (
    <FormDialog
      trigger={notification ? 'Edit' : 'New notification'}
      look={notification ? 'plain' : 'main'}
      title={notification ? 'Edit notification' : 'New notification'}
      onSubmit={save}
    >
      <TextInput name="name" label="Name" value={notification?.name ?? ''} required />
      <Checks
        name="triggers"
        label="Tell when"
        options={TRIGGERS}
        chosen={notification?.triggers ?? ['ON_NON_COMPLIANT_ENV']}
      />
      <Checks
        name="environments"
        label="In these environments"
        options={environments.map((name) => [name, name] as const)}
        chosen={notification?.environments ?? []}
        help="Without one it tells of nothing."
      />
      <Select
        name="channel"
        label={notification ? 'Another target' : 'Target'}
        options={(['WEBHOOK', 'SLACK', 'EMAIL'] as const).map((channel) => [channel, CHANNELS[channel]] as const)}
      />
      <TextInput
        name="address"
        label="Address"
        required={notification === undefined}
        help="A web address for a webhook or Slack; for mail, addresses with commas between. It is not shown again."
      />
    </FormDialog>
  );
}
