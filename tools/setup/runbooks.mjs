// @ts-check
// Makes one page of all runbooks, which gateways serve as it is: the annotation `runbook_url` of each alert leads to a heading of it. It needs nothing
// but Node, because an installation makes it too.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LISTS = [
  { tag: 'ol', item: /^\d+\. / },
  { tag: 'ul', item: /^- / },
];

/** The name of the page below the public URL. */
export const RUNBOOKS_PAGE = 'runbooks.html';

/**
 * The page: one section for each runbook of the folder, whose id is the alert's name.
 *
 * @param {string} folder holds one Markdown file for each alert: a title, paragraphs, lists of one line an item, and code
 * @returns HTML without scripts and styles
 */
export function runbooksPage(folder) {
  const alerts = readdirSync(folder)
    .filter((file) => /^Assurance\w+\.md$/.test(file))
    .map((file) => file.slice(0, -'.md'.length))
    .sort();
  const sections = alerts.map((alert) => {
    const blocks = readFileSync(join(folder, `${alert}.md`), 'utf8')
      .trim()
      .split(/\n{2,}/);
    return `<section id="${alert}">\n${blocks.map((block) => htmlOf(block, folder)).join('\n')}\n</section>`;
  });
  const links = alerts.map((alert) => `<li><a href="#${alert}">${alert}</a></li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>Deployment Assurance: runbooks</title>
<link rel="icon" href="icon.svg" />
</head>
<body>
<h1>Runbooks</h1>
<p>What to do when an alert fires.</p>
<ul>
${links.join('\n')}
</ul>
${sections.join('\n')}
</body>
</html>
`;
}

/**
 * @param {string} block
 * @param {string} folder
 */
function htmlOf(block, folder) {
  const lines = block.split('\n');
  if (block.startsWith('```')) return `<pre><code>${escaped(lines.slice(1, -1).join('\n'))}</code></pre>`;
  if (block.startsWith('# ')) return `<h2>${escaped(block.slice(2))}</h2>`;
  for (const { tag, item } of LISTS) {
    if (!lines.every((line) => item.test(line))) continue;
    return `<${tag}>\n${lines.map((line) => `<li>${inline(line.replace(item, ''), folder)}</li>`).join('\n')}\n</${tag}>`;
  }
  return `<p>${inline(lines.join(' '), folder)}</p>`;
}

/**
 * Code, strong text and links. A link to another runbook stays on the page; the page has no other documents, so their links become text.
 *
 * @param {string} text
 * @param {string} folder
 */
function inline(text, folder) {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => {
      if (/^`.+`$/.test(part)) return `<code>${escaped(part.slice(1, -1))}</code>`;
      return escaped(part)
        .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
        .replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, (_, words, target) => {
          const [, alert] = /^(Assurance\w+)\.md$/.exec(target) ?? [];
          return alert !== undefined && existsSync(join(folder, target)) ? `<a href="#${alert}">${words}</a>` : words;
        });
    })
    .join('');
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
