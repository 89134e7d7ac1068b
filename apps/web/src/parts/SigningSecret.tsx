import { api } from '../api/client';
import { Time } from '../ui';
import { TextInput } from '../ui/Fields';
import { FormDialog } from '../ui/FormDialog';
import { Secret } from './Secret';

const HOUR = 3600;
/** By default, messages are also signed with the previous secret for this number of hours. */
const GRACE = 24;

interface Props {
  /** Id of a webhook target. */
  readonly id: string;
  /** The notification or configuration that has the target. */
  readonly of: { readonly notification: string } | { readonly config: string };
  /** The masked secret in use; null if there is none. */
  readonly hint: string | null;
}

/** A button that creates the secret with which a receiver verifies messages. */
export const SigningSecret = ({ id, of, hint }: Props) => (
  <FormDialog
    trigger={hint === null ? 'Sign messages' : 'New secret'}
    title={hint === null ? 'Sign messages' : 'New signing secret'}
    does="Make a secret"
    onSubmit={async (values, org) => {
      const grace_seconds = Math.round(Number(values.get('grace') ?? GRACE) * HOUR);
      const body = { target: id, grace_seconds };
      const { data } =
        'config' in of
          ? await api.POST('/organizations/{org}/notification_target_configs/{config}/signing_secret', {
              params: { path: { org, config: of.config } },
              body,
            })
          : await api.POST('/organizations/{org}/environments_notifications/{notification_number}/signing_secret', {
              params: { path: { org, notification_number: of.notification } },
              body,
            });
      return (
        <>
          <Secret
            label="The secret"
            text={data?.secret ?? ''}
            help="The receiver checks the signature of messages by it."
          />
          {data?.previous_valid_until != null && (
            <p>
              The secret before stays valid until <Time at={data.previous_valid_until} />.
            </p>
          )}
        </>
      );
    }}
  >
    {hint === null ? (
      <p>Every message to this address is signed from now on.</p>
    ) : (
      <TextInput
        name="grace"
        type="number"
        label="Hours in which the secret before stays valid"
        value={String(GRACE)}
        required
      />
    )}
  </FormDialog>
);
