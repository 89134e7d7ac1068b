import type { Line, MessageText } from '../words';

/** A message as plain text. */
export function mailText({ title, lines, more, page }: MessageText): string {
  const listItems = lines.map(({ name, text, from, url: its }) => {
    const lineText = `${name === null ? '' : `${name}: `}${text}${from === null ? '' : ` (${from})`}`;
    return its === null ? `- ${lineText}` : `- ${lineText}\n  ${its}`;
  });
  return [title, '', ...listItems, ...(more === null ? [] : [more]), ...(page === null ? [] : ['', page.url]), ''].join(
    '\n',
  );
}

/** A message as HTML. All text of others is escaped. */
export function mailHtml({ title, lines, more, page }: MessageText): string {
  return [
    '<!doctype html>',
    `<html><body style="font-family: sans-serif"><h3>${escapeHtml(title)}</h3><ul>`,
    ...lines.map((line) => `<li>${lineHtml(line)}</li>`),
    `</ul>${more === null ? '' : `<p>${escapeHtml(more)}</p>`}`,
    `${page === null ? '' : `<p><a href="${escapeHtml(page.url)}">${page.title}</a></p>`}</body></html>`,
  ].join('\n');
}

function lineHtml({ name, text, from, url }: Line): string {
  const shown = name === null ? '' : `<b>${escapeHtml(name)}</b>`;
  const linked = url === null || name === null ? shown : `<a href="${escapeHtml(url)}">${shown}</a>`;
  return `${linked}${name === null ? '' : ': '}${escapeHtml(text)}${from === null ? '' : ` (${escapeHtml(from)})`}`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
