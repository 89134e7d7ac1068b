import { api } from '../../api/client';
import { useEnvironmentNames } from '../../api/environments';
import { TargetFields, targetOf } from '../../parts/targets';
import { Checks, TextInput } from '../../ui/Fields';
import { FormDialog } from '../../ui/FormDialog';
import { TRIGGERS, type Notification } from './triggers';

interface Props {
  /** The notification to change. Without it, the form creates a new one. */
  readonly notification?: Notification;
}

/** A button that opens a form with the events, the environments and the recipients of messages. */
export function NotificationForm({ notification }: Props) {
  const environments = useEnvironmentNames();
  const save = async (values: FormData, org: string) => {
    const addedTargets = String(values.get('address')).trim() === '' ? [] : [targetOf(values)];
    const body = {
      name: String(values.get('name')),
      type: 'env' as const,
      triggers: values.getAll('triggers').map(String) as Notification['triggers'],
      environments: values.getAll('environments').map(String),
      targets: [...(notification?.targets ?? []), ...addedTargets],
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
        selected={notification?.triggers ?? ['ON_NON_COMPLIANT_ENV']}
      />
      <Checks
        name="environments"
        label="In these environments"
        options={environments.map((name) => [name, name] as const)}
        selected={notification?.environments ?? []}
        help="Without an environment it sends nothing."
      />
      <TargetFields label={notification ? 'Another target' : 'Target'} required={notification === undefined} />
    </FormDialog>
  );
}
