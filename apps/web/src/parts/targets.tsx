import type { Schemas } from '../api/client';
import { Select, TextInput } from '../ui/Fields';
import { textsOf } from '../ui/FormDialog';
import { channelLabel, type Target } from './channel-label';

type Channel = Schemas['TargetConfig']['targets'][number]['type'];

/** All channels of the OpenAPI document: see `vite.config.ts`. */
declare const CHANNELS: readonly Channel[];

/** The channel of a target, as a word. */
export const channelText = ({ type }: Target): string => channelLabel(type);

/** The destination of a target, as far as it may be shown. */
export function targetText(target: Target): string {
  switch (target.type) {
    case 'EMAIL':
      return target.emails.join(', ');
    case 'NESTED_CONFIG':
      return target.config;
    default:
      return target.webhook_hint ?? 'an address that is not shown';
  }
}

/** The fields of a new target. */
export const TargetFields = ({ label, required }: { readonly label: string; readonly required: boolean }) => (
  <>
    <Select name="channel" label={label} options={CHANNELS.map((type) => [type, channelLabel(type)])} value="WEBHOOK" />
    <TextInput
      name="address"
      label="Address"
      required={required}
      help="A web address; for mail, addresses with commas between. It is not shown again."
    />
  </>
);

/** The target in the values of a form. */
export function targetOf(values: FormData) {
  const { channel, address } = textsOf(values, 'channel', 'address');
  const type = channel as Channel;
  return type === 'EMAIL' ? { type, emails: address.trim() } : { type, webhook: address.trim() };
}
