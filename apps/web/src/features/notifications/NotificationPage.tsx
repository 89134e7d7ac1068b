import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { api } from '../../api/client';
import { useMay, useOrg } from '../../api/session';
import { useAnswer } from '../../api/use-answer';
import { to } from '../../app/paths';
import { NameList } from '../../parts/NameList';
import { SigningSecret } from '../../parts/SigningSecret';
import { channelText, targetText } from '../../parts/targets';
import { Button, Facts, Page, Panel, Table, Time, useGo } from '../../ui';
import { ConfirmDialog } from '../../ui/FormDialog';
import { Deliveries } from './Deliveries';
import { Health } from './Health';
import { NotificationForm } from './NotificationForm';
import { triggersText } from './triggers';

export function NotificationPage() {
  const { number = '' } = useParams();
  const may = useMay();
  const notification = useAnswer('/organizations/{org}/environments_notifications/{notification_number}', {
    notification_number: number,
  });
  const { name, triggers, environments, targets, created_by, created_at } = notification;
  return (
    <Page
      title={name}
      kind="Notification"
      above={[{ text: 'Notifications', href: to.notifications }]}
      badges={<Health notification={notification} />}
      actions={
        may('record') && (
          <>
            <TestButton number={number} />
            <NotificationForm notification={notification} />
            <DeleteButton number={number} name={name} />
          </>
        )
      }
    >
      <Panel title="About">
        <Facts
          facts={[
            ['Tells when', triggersText(triggers)],
            ['Environments', <NameList names={environments} to={to.environment} kind="environments" />],
            ['Created by', <bdi>{created_by}</bdi>],
            ['Created', <Time at={created_at} />],
          ]}
        />
      </Panel>
      <Panel title="Targets" flush>
        <Table
          label="Targets"
          rows={targets}
          keyOf={({ id }) => id}
          columns={[
            { head: 'Target', kind: 'main', cell: (target) => <bdi>{targetText(target)}</bdi> },
            { head: 'By', cell: channelText },
            { head: 'Last success', cell: ({ last_success_at }) => <Time at={last_success_at} none="never" /> },
            { head: 'Last failure', cell: ({ last_failure_at }) => <Time at={last_failure_at} none="never" /> },
            {
              head: 'Signature',
              cell: (target) =>
                target.type !== 'WEBHOOK' ? (
                  <span className="quiet">none</span>
                ) : (
                  <span className="line">
                    {target.signing_secret ?? 'not signed'}
                    {may('record') && (
                      <SigningSecret id={target.id} of={{ notification: number }} hint={target.signing_secret} />
                    )}
                  </span>
                ),
            },
          ]}
        />
      </Panel>
      <Panel title="Deliveries" flush>
        <Deliveries number={number} />
      </Panel>
    </Page>
  );
}

interface Props {
  readonly number: string;
}

function TestButton({ number }: Props) {
  const org = useOrg();
  const client = useQueryClient();
  const [message, setMessage] = useState('');
  const test = async () => {
    setMessage('Sending');
    try {
      await api.POST('/organizations/{org}/environments_notifications/{notification_number}/test', {
        params: { path: { org, notification_number: number } },
      });
      setMessage('A test message is on its way');
      void client.invalidateQueries();
    } catch (fault) {
      setMessage(fault instanceof Error ? fault.message : 'This did not work');
    }
  };
  return (
    <span>
      <span className="small quiet" role="status">
        {message}
      </span>{' '}
      <Button onPress={() => void test()}>Send a test</Button>
    </span>
  );
}

function DeleteButton({ number, name }: Props & { readonly name: string }) {
  const go = useGo();
  return (
    <ConfirmDialog
      does="Delete"
      title="Delete notification"
      onConfirm={async (org) => {
        await api.DELETE('/organizations/{org}/environments_notifications/{notification_number}', {
          params: { path: { org, notification_number: number } },
        });
        await go(to.notifications);
      }}
    >
      <bdi>{name}</bdi> tells nobody any more.
    </ConfirmDialog>
  );
}
