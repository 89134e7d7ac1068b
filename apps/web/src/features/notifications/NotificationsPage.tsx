import { useMay } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { Command } from '../../parts/Command';
import { NameList } from '../../parts/NameList';
import { channelText } from '../../parts/targets';
import { Empty, Guarded, NameLink, Page, Panel, Table, Time } from '../../ui';
import { Health } from './Health';
import { NotificationForm } from './NotificationForm';
import { triggersText } from './triggers';

export function NotificationsPage() {
  const may = useMay();
  return (
    <Page
      title="Notifications"
      lead="Who hears of what happens in which environments."
      actions={
        may('record') && (
          <Guarded lines={1}>
            <NotificationForm />
          </Guarded>
        )
      }
    >
      <Panel title="All notifications" flush>
        <List />
      </Panel>
    </Page>
  );
}

function List() {
  const data = useAnswer('/organizations/{org}/environments_notifications', {});
  return (
    <Table
      label="Notifications"
      rows={data}
      keyOf={({ number }) => String(number)}
      empty={
        <Empty icon="notifications" title="No notification yet">
          A notification tells by chat, webhook or mail what happens in environments, such as that one stops complying.
          <Command
            does="create a notification"
            path="/organizations/{org}/environments_notifications"
            body={{
              name: 'alarm',
              environments: ['production'],
              triggers: ['ON_NON_COMPLIANT_ENV'],
              targets: [{ type: 'WEBHOOK', webhook: 'https://hooks.example.com/alarm' }],
            }}
          />
        </Empty>
      }
      columns={[
        {
          head: 'Notification',
          kind: 'main',
          cell: ({ name, number }) => <NameLink to={to.notification(number)}>{name}</NameLink>,
        },
        {
          head: 'State',
          cell: (notification) => <Health notification={notification} />,
        },
        { head: 'Tells when', kind: 'text', cell: ({ triggers }) => triggersText(triggers) },
        {
          head: 'Environments',
          kind: 'wide',
          cell: ({ environments }) => <NameList names={environments} to={to.environment} kind="environments" />,
        },
        { head: 'By', cell: ({ targets }) => [...new Set(targets.map(channelText))].join(', ') },
        { head: 'Changed', cell: ({ last_modified_at }) => <Time at={last_modified_at} /> },
      ]}
    />
  );
}
