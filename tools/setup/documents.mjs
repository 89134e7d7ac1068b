// @ts-check
// Makes the documents that gateways serve beside the pages: each Markdown file of `docs` as a page below `documents/`, and all runbooks as one page,
// to which the annotation `runbook_url` of alerts leads.
import { readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { Marked } from 'marked';
import { filesBelow } from './newest.mjs';

/** The page of all runbooks, below the public URL. */
export const RUNBOOKS_PAGE = 'runbooks.html';
const DOCUMENTS = 'documents';
const RUNBOOKS = 'operating/runbooks';
const STYLE = `${DOCUMENTS}/style.css`;

const CSS = `:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; font: 1rem/1.55 system-ui, sans-serif; }
pre { padding: 0.75rem 1rem; border: 1px solid #8886; border-radius: 6px; overflow-x: auto; }
code { font: 0.875em ui-monospace, monospace; overflow-wrap: break-word; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 0.35rem 0.6rem; border: 1px solid #8886; text-align: left; vertical-align: top; }
img { max-width: 100%; height: auto; }
a { color: light-dark(#0b57d0, #8ab4f8); }
`;

/**
 * All files to serve, by path below the public URL. Links to Markdown files lead to their pages; links to files that are not served become text.
 *
 * @param {string} docs the folder of the documents
 * @returns {Map<string, string | Buffer>}
 */
export function servedDocuments(docs) {
  const files = filesBelow(docs)
    .map((file) => relative(docs, file).split(sep).join('/'))
    .filter((file) => /^[^.].*\.(md|png|svg|json)$/.test(file) && !file.includes('/openapi.'));
  const sources = new Set(files);
  /** @type {Map<string, string | Buffer>} */
  const served = new Map();
  for (const file of files) {
    const content = readFileSync(join(docs, file));
    if (!file.endsWith('.md')) {
      served.set(`${DOCUMENTS}/${file}`, content);
      continue;
    }
    const page = `${DOCUMENTS}/${pageOf(file)}`;
    const html = rendered(content.toString(), (href) => linked(href, file, sources));
    served.set(page, pageWith(titleOf(content.toString()), html, page));
  }
  served.set(STYLE, CSS);
  served.set(RUNBOOKS_PAGE, runbooksPage(docs, sources));
  return served;
}

/**
 * One section for each runbook, whose id is the alert's name.
 *
 * @param {string} docs
 * @param {ReadonlySet<string>} sources
 */
function runbooksPage(docs, sources) {
  const alerts = [...sources]
    .flatMap((file) => /^operating\/runbooks\/(Assurance\w+)\.md$/.exec(file)?.[1] ?? [])
    .sort();
  const sections = alerts.map((alert) => {
    const file = `${RUNBOOKS}/${alert}.md`;
    const html = rendered(readFileSync(join(docs, file), 'utf8'), (href) => {
      const [, other] = /^(Assurance\w+)\.md$/.exec(href) ?? [];
      if (other !== undefined && sources.has(`${RUNBOOKS}/${href}`)) return `#${other}`;
      const target = linked(href, file, sources);
      return target === null || /^(#|[a-z]+:)/.test(target) ? target : posix.join(DOCUMENTS, RUNBOOKS, target);
    });
    return `<section id="${alert}">\n${html.replaceAll(/<(\/?)h1\b[^>]*>/g, '<$1h2>')}</section>`;
  });
  const links = alerts.map((alert) => `<li><a href="#${alert}">${alert}</a></li>`);
  const head = `<h1>Runbooks</h1>\n<p>What to do when an alert fires.</p>\n<ul>\n${links.join('\n')}\n</ul>`;
  return pageWith('Runbooks', `${head}\n${sections.join('\n')}`, RUNBOOKS_PAGE);
}

/**
 * @param {string} markdown
 * @param {(href: string) => string | null} target where a link leads; null: nowhere, its words stay
 */
function rendered(markdown, target) {
  /** @type {Map<string, number>} */
  const ids = new Map();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const words = this.parser.parseInline(tokens);
        const id = slugOf(this.parser.parseInline(tokens, this.parser.textRenderer));
        const before = ids.get(id) ?? 0;
        ids.set(id, before + 1);
        return `<h${depth} id="${before === 0 ? id : `${id}-${before}`}">${words}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const leads = target(href);
        return leads === null ? words : `<a href="${escaped(leads)}">${words}</a>`;
      },
    },
  });
  return String(marked.parse(markdown, { async: false }));
}

/**
 * @param {string} href
 * @param {string} from the file with the link
 * @param {ReadonlySet<string>} sources
 */
function linked(href, from, sources) {
  if (/^(#|[a-z]+:)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  if (!sources.has(posix.join(posix.dirname(from), path))) return null;
  return `${path.endsWith('.md') ? pageOf(path) : path}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** @param {string} file a Markdown file */
const pageOf = (file) => file.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html');

/** @param {string} markdown */
const titleOf = (markdown) => /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? '';

/** @param {string} words of a heading, as HTML */
const slugOf = (words) =>
  words
    .replaceAll(/&[#\w]+;/g, '-')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

/**
 * @param {string} title
 * @param {string} body HTML
 * @param {string} path below the public URL
 */
function pageWith(title, body, path) {
  const up = '../'.repeat(path.split('/').length - 1);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${escaped(title)} · Deployment Assurance</title>
<link rel="icon" href="${up}icon.svg" />
<link rel="stylesheet" href="${up}${STYLE}" />
</head>
<body>
<nav><a href="${up}${DOCUMENTS}/index.html">All documents</a></nav>
<main>
${body}
</main>
</body>
</html>
`;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
