import type { Channel } from '../channel';
import { sentOf, type TargetResponse } from '../http/sender';
import type { SendResult } from '../send-result';
import { wordsOf } from '../words';
import { slackMessage } from './blocks';

/** A Slack channel. It sends through an incoming webhook, or through the installed app if there is no webhook. */
export const slack: Channel = {
  kind: 'SLACK',
  fields: { webhook: { secret: true }, channel_id: { secret: false } },
  each: 'snapshot',
  async send({ id, message, site, fields }, { sender, slack: { apiUrl, token } }) {
    const { webhook, channel_id: channel } = fields;
    const body = slackMessage(wordsOf(site, message));
    if (webhook !== undefined) {
      const response = await sender.post(webhook, JSON.stringify(body), { 'idempotency-key': id });
      return 'status' in response ? sentOf(response) : response;
    }
    if (token === null) return finalFailure('no Slack app is installed: ASSURANCE_SLACK_TOKEN is not set');
    if (channel === undefined) return finalFailure('the target names no channel');
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': id };
    const response = await sender.post(`${apiUrl}/chat.postMessage`, JSON.stringify({ channel, ...body }), headers);
    return 'status' in response ? resultOfApi(response) : response;
  },
};

function finalFailure(detail: string): SendResult {
  return { delivered: false, detail, final: true };
}

/** The result of a request to Slack's API, which answers 200 even if it refuses. */
function resultOfApi(answered: TargetResponse): SendResult {
  const sent = sentOf(answered);
  if (!sent.delivered) return sent;
  const refusal = /"ok"\s*:\s*true/.test(answered.text)
    ? null
    : (/"error"\s*:\s*"([a-z_]+)"/.exec(answered.text)?.[1] ?? 'nothing it names');
  return refusal === null ? sent : { delivered: false, detail: `Slack refused it: ${refusal}` };
}
