import type { Channel } from '../channel';
import { sentOf } from '../http/sender';
import { payload } from './payload';
import { signature } from './signature';

/** Sends the documented payload to a program, one for each event. */
export const webhook: Channel = {
  kind: 'WEBHOOK',
  fields: { webhook: { secret: true } },
  each: 'event',
  async send({ id, message, site, fields, signing, now }, { sender }) {
    const body = JSON.stringify(payload(site, message));
    const headers: Record<string, string> = { 'idempotency-key': id };
    if (signing.length > 0) headers['x-assurance-signature'] = signature(signing, now, body);
    const response = await sender.post(fields['webhook'] ?? '', body, headers);
    return 'status' in response ? sentOf(response) : response;
  },
};
