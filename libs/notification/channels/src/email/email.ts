import { beginningOf } from '@assurance/kernel';
import type { Channel } from '../channel';
import { cut, wordsOf } from '../words';
import { mailHtml, mailText } from './render';

const SUBJECT_MAX = 200;

/** Mail addresses, all in one message. */
export const email: Channel = {
  kind: 'EMAIL',
  fields: { emails: { secret: false } },
  each: 'snapshot',
  async send({ id, message, site, fields }, { mailer }) {
    if (mailer === null) {
      return { delivered: false, detail: 'no mail server is configured: ASSURANCE_SMTP_URL is not set', final: true };
    }
    const words = wordsOf(site, message);
    const subject = cut(`[${message.org}] ${words.title}`, SUBJECT_MAX);
    const mail = { id, to: fields['emails'] ?? '', subject, text: mailText(words), html: mailHtml(words) };
    try {
      return { delivered: true, detail: beginningOf(await mailer.send(mail), SUBJECT_MAX) };
    } catch (error) {
      return { delivered: false, detail: beginningOf(String(error), SUBJECT_MAX) };
    }
  },
};
