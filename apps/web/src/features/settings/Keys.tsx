import { useQueryClient } from '@tanstack/react-query';
import { api, BASE, query } from '../../api/client';
import { signOutEverywhere, useSession } from '../../api/session';
import { Button, Empty, Panel } from '../../ui';
import { CreateKey, KeyTable, type KeyActions } from './KeyTable';

const actions: KeyActions = {
  create: async (body) => (await api.POST('/user/api-keys', { body })).data?.key ?? '',
  rotate: async (id) =>
    (await api.POST('/user/api-keys/{id}/rotate', { params: { path: { id } }, body: {} })).data?.key ?? '',
  revoke: (id) => api.DELETE('/user/api-keys/{id}', { params: { path: { id } } }),
};

/** The caller's own keys and sessions. */
export function Keys() {
  const { principal } = useSession();
  const client = useQueryClient();
  if (principal.kind === 'service-account') {
    return (
      <Empty icon="settings" title="You are signed in as a service account">
        Its keys are made among the service accounts.
      </Empty>
    );
  }
  const leave = async () => {
    await signOutEverywhere();
    client.clear();
    location.assign(`${BASE}sign-in`);
  };
  return (
    <>
      <Panel title="Your API keys" flush actions={<CreateKey actions={actions} />}>
        <List />
      </Panel>
      <Panel title="Your sessions">
        <p style={{ marginTop: 0 }}>Ends every session that you signed in to, in all browsers.</p>
        <Button look="danger" onPress={() => void leave()}>
          Sign out everywhere
        </Button>
      </Panel>
    </>
  );
}

function List() {
  const { data } = query.useSuspenseQuery('get', '/user/api-keys', {});
  return <KeyTable keys={data} actions={actions} />;
}
