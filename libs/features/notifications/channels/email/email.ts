import { beginningOf } from '@assurance/kernel';
import type { Channel, Job } from '../channel';
import type { SendResult } from '../send-result';
import { truncate, wordsOf } from '../words';
import type { MailResult } from './mailer';
import { mailHtml, mailText } from './render';

const SUBJECT_MAX = 200;
const SAID_MAX = 200;

/** Sends one mail to all addresses. */
export const email: Channel = {
  kind: 'EMAIL',
  fields: { emails: { secret: false } },
  each: 'snapshot',
  async send({ id, message, site, fields, settled = {} }, { mailer }) {
    if (mailer === null) {
      return { delivered: false, detail: 'no mail server is configured: ASSURANCE_SMTP_URL is not set', final: true };
    }
    const to = recipientsOf(fields['emails'] ?? '');
    const open = to.filter((address) => !Object.hasOwn(settled, address));
    if (open.length === 0) return sentOf(to, settled, { response: null, refused: [] });
    const words = wordsOf(site, message);
    const subject = truncate(`[${message.org}] ${words.title}`, SUBJECT_MAX);
    const mail = { id, to, recipients: open, subject, text: mailText(words), html: mailHtml(words) };
    try {
      const mailResult = await mailer.send(mail);
      return sentOf(to, { ...settled, ...settledRecipients(open, mailResult) }, mailResult);
    } catch (error) {
      return { delivered: false, detail: beginningOf(String(error), SAID_MAX) };
    }
  },
};

function recipientsOf(emails: string): string[] {
  return [...new Set(emails.split(',').map((address) => address.trim()))].filter((address) => address !== '');
}

/** The recipients that got the mail or were refused finally. The other recipients may get it later. */
function settledRecipients(open: readonly string[], { response, refused }: MailResult): NonNullable<Job['settled']> {
  const refusals = new Map(refused.map((refusal) => [refusal.address, refusal]));
  return Object.fromEntries(
    open.flatMap((address): [string, string | null][] => {
      const refusal = refusals.get(address);
      if (refusal === undefined) return response === null ? [] : [[address, null]];
      return refusal.final ? [[address, beginningOf(refusal.response, SAID_MAX)]] : [];
    }),
  );
}

function sentOf(
  to: readonly string[],
  settledRecipients: NonNullable<Job['settled']>,
  { response, refused }: MailResult,
): SendResult {
  const forGood = to.flatMap((address) =>
    settledRecipients[address] == null ? [] : [`${address} was refused: ${settledRecipients[address]}`],
  );
  const openRecipients = to.filter((address) => !Object.hasOwn(settledRecipients, address));
  if (forGood.length === 0 && openRecipients.length === 0) {
    return { delivered: true, detail: beginningOf(response ?? 'accepted', SAID_MAX), settled: settledRecipients };
  }
  const responseOf = (address: string) =>
    refused.find((refusal) => refusal.address === address)?.response ?? 'no answer';
  const later = openRecipients.map(
    (address) => `${address} is tried again: ${beginningOf(responseOf(address), SAID_MAX)}`,
  );
  const recipients = to.filter((address) => settledRecipients[address] === null);
  const others = recipients.length === 0 ? [] : [`delivered to ${recipients.join(', ')}`];
  const failed = {
    delivered: false,
    detail: [...forGood, ...later, ...others].join('; '),
    settled: settledRecipients,
  } as const;
  return openRecipients.length === 0 ? { ...failed, final: true } : { ...failed, reachable: true };
}
