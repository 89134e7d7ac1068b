import { Link } from 'react-router';
import { query } from '../../api/client';
import { useMay, useOrg } from '../../api/session';
import { to } from '../../app/paths';
import { Badge, Empty, Guarded, Page, Panel, Table, Time } from '../../ui';
import { NotificationForm } from './NotificationForm';
import { CHANNELS, triggersText } from './triggers';

export function NotificationsPage() {
  const org = useOrg();
  const may = useMay();
  return (
    <Page
      title="Notifications"
      lead="Who hears of what happens in which environments."
      actions={
        may('record') && (
          <Guarded lines={1}>
            <NotificationForm org={org} />
          </Guarded>
        )
      }
    >
      <Panel title="All notifications" flush>
        <List org={org} />
      </Panel>
    </Page>
  );
}

function List({ org }: { readonly org: string }) {
  const { data } = query.useSuspenseQuery('get', '/organizations/{org}/environments_notifications', {
    params: { path: { org } },
  });
  return (
    <Table
      label="Notifications"
      rows={data}
      keyOf={({ number }) => String(number)}
      empty={
        <Empty icon="notifications" title="No notification yet">
          A notification tells by Slack, webhook or mail what happens in environments, such as that one stops complying.
        </Empty>
      }
      columns={[
        {
          head: 'Notification',
          kind: 'main',
          cell: ({ name, number }) => (
            <Link to={to.notification(org, number)}>
              <bdi>{name}</bdi>
            </Link>
          ),
        },
        {
          head: 'State',
          cell: ({ is_failing }) => (
            <Badge tone={is_failing ? 'bad' : 'good'} icon={is_failing ? 'cross' : 'check'}>
              {is_failing ? 'Failing' : 'Working'}
            </Badge>
          ),
        },
        { head: 'Tells when', kind: 'wide', cell: ({ triggers }) => triggersText(triggers) },
        {
          head: 'Environments',
          cell: ({ environments }) => <bdi>{environments.length === 0 ? 'none' : environments.join(', ')}</bdi>,
        },
        { head: 'By', cell: ({ targets }) => [...new Set(targets.map(({ type }) => CHANNELS[type]))].join(', ') },
        { head: 'Changed', cell: ({ last_modified_at }) => <Time at={last_modified_at} /> },
      ]}
    />
  );
}
