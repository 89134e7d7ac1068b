import type { Channel, Job } from '../channel';
import { sentOf } from '../http/sender';
import { truncate, type Line, type MessageText, wordsOf } from '../words';

/** Teams refuses messages of more than about 28 KB (bytes). */
const BODY_MAX = 28_000;
const TITLE_MAX = 300;

/** A channel or chat of Microsoft Teams. It sends to the URL of a workflow that posts Adaptive Cards. */
export const teams: Channel = {
  kind: 'TEAMS',
  fields: { webhook: { secret: true } },
  each: 'snapshot',
  async send({ id, message, site, fields }, { sender }) {
    const response = await sender.post(fields['webhook'] ?? '', bodyOf(site, message), { 'idempotency-key': id });
    return 'status' in response ? sentOf(response) : response;
  },
};

/** The message with as many of its events as fit. It says how many events it leaves out. */
function bodyOf(site: Job['site'], message: Job['message']): string {
  for (let listed = message.told.length; ; listed--) {
    const content = cardOf(wordsOf(site, { ...message, told: message.told.slice(0, listed) }));
    const attachments = [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }];
    const body = JSON.stringify({ type: 'message', attachments });
    if (listed === 0 || Buffer.byteLength(body) <= BODY_MAX) return body;
  }
}

/**
 * An Adaptive Card. All text of others is in runs of rich text, which Teams shows unchanged. In a `TextBlock`, Teams reads Markdown, and its phone
 * apps do not know all escapes.
 */
function cardOf({ title, lines, more, page }: MessageText): object {
  const heading = richText([{ ...run(truncate(title, TITLE_MAX)), size: 'Medium', weight: 'Bolder' }]);
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      heading,
      ...lines.map((line) => richText(lineRuns(line))),
      ...(more === null ? [] : [richText([{ ...run(more), isSubtle: true }])]),
    ],
    actions: page === null ? [] : [openUrl(page.url, page.title)],
  };
}

function lineRuns({ name, text, from, url }: Line): object[] {
  const link = url === null ? {} : { selectAction: openUrl(url) };
  return [
    ...(name === null ? [] : [{ ...run(name), weight: 'Bolder', ...link }, run(': ')]),
    run(text),
    ...(from === null ? [] : [{ ...run(` (${from})`), isSubtle: true }]),
  ];
}

function richText(inlines: readonly object[]): object {
  return { type: 'RichTextBlock', inlines };
}

function run(text: string): object {
  return { type: 'TextRun', text };
}

function openUrl(url: string, title?: string): object {
  return { type: 'Action.OpenUrl', url, ...(title === undefined ? {} : { title }) };
}
