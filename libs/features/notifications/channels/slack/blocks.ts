import { truncate, type Line, type MessageText } from '../words';

/** Slack's own limits: characters of a section, and of a header. */
const SECTION_MAX = 3_000;
const HEADER_MAX = 150;

/** A message in Slack's format, with a plain text for notifications on a phone. */
export function slackMessage({ title, lines, more, page }: MessageText): object {
  const listItems = lines.map(lineText);
  const context = [more, page === null ? null : `<${escapeText(page.url)}|${page.title}>`].filter(
    (line) => line !== null,
  );
  return {
    text: escapeText(truncate(title, SECTION_MAX / 2)),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: truncate(title, HEADER_MAX), emoji: false } },
      ...sections(listItems).map((text) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } })),
      ...(context.length === 0
        ? []
        : [{ type: 'context', elements: [{ type: 'mrkdwn', text: context.join(' · '), verbatim: true }] }]),
    ],
  };
}

/** Characters that Slack reads as markup (its documentation, "Escaping text"). */
function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function lineText({ name, text, from, url }: Line): string {
  const shown = name === null ? '' : `${url === null ? word(name) : `<${escapeText(url)}|${escapeText(name)}>`}: `;
  return `• ${shown}${escapeText(text)}${from === null ? '' : ` (${escapeText(from)})`}`;
}

/** Formats a name as code, so that none of its characters is markup. A backtick would end the code, so it is replaced. */
function word(name: string): string {
  return `\`${escapeText(name.replace(/`/g, "'"))}\``;
}

/** Puts all lines into as few sections as possible. */
function sections(lines: readonly string[]): string[] {
  const all: string[] = [];
  for (const line of lines) {
    const last = all.at(-1);
    if (last !== undefined && last.length + line.length + 1 <= SECTION_MAX) all[all.length - 1] = `${last}\n${line}`;
    else all.push(line);
  }
  return all;
}
