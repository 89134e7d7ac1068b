import type { Schemas } from '../../api/client';
import { inDays } from '../../api/window';
import { Empty, Table, Time } from '../../ui';
import { Select, TextInput } from '../../ui/Fields';
import { ConfirmDialog, FormDialog } from '../../ui/FormDialog';
import { Secret } from '../../parts/Secret';

type Key = Schemas['ApiKey'];

const LIVES = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'One year'],
  ['0', 'Does not expire'],
] as const;

const HELP = 'Keep it where secrets are kept: nobody can read it again.';

/** How keys are created and revoked: the user's own keys, or keys of a service account. */
export interface KeyActions {
  readonly create: (body: { description: string; expires_at?: number | undefined }) => Promise<string>;
  readonly rotate: (id: string) => Promise<string>;
  readonly revoke: (id: string) => Promise<unknown>;
}

export const CreateKey = ({ actions }: { readonly actions: KeyActions }) => (
  <FormDialog
    trigger="New key"
    look="main"
    title="New API key"
    does="Create"
    onSubmit={async (values) => {
      const days = Number(values.get('days'));
      const expires_at = days === 0 ? undefined : inDays(days);
      const key = await actions.create({ description: String(values.get('description')), expires_at });
      return <Secret label="The key" text={key} help={HELP} />;
    }}
  >
    <TextInput name="description" label="What it is for" required />
    <Select name="days" label="Valid for" value="90" options={LIVES} />
  </FormDialog>
);

/** A table of keys with their actions; null: no actions are allowed. */
export const KeyTable = ({ keys, actions }: { readonly keys: readonly Key[]; readonly actions: KeyActions | null }) => (
  <Table
    label="API keys"
    rows={keys}
    keyOf={({ id }) => id}
    empty={<Empty icon="settings" title="No key yet" />}
    columns={[
      { head: 'Key', kind: 'main', cell: ({ description }) => <bdi>{description || 'without description'}</bdi> },
      { head: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
      {
        head: 'Last used',
        cell: ({ last_used_at }) => <Time at={last_used_at} none="never" />,
      },
      {
        head: 'Expires',
        cell: ({ expires_at }) => <Time at={expires_at} none="never" />,
      },
      ...(actions === null
        ? []
        : [{ head: 'Actions', cell: (key: Key) => <ActionsOfKey of={key} actions={actions} /> }]),
    ]}
  />
);

const ActionsOfKey = ({ of: { id, description }, actions }: { readonly of: Key; readonly actions: KeyActions }) => (
  <span className="line">
    <FormDialog
      trigger="Rotate"
      title="Rotate key"
      does="Rotate"
      onSubmit={async () => <Secret label="The new key" text={await actions.rotate(id)} help={HELP} />}
    >
      <p>
        A new key takes the place of <bdi>{description}</bdi>; the old one is valid for a while longer.
      </p>
    </FormDialog>
    <ConfirmDialog does="Revoke" title="Revoke key" onConfirm={() => actions.revoke(id)}>
      Whatever uses <bdi>{description}</bdi> is refused from now on.
    </ConfirmDialog>
  </span>
);
