// Checks a built site for broken links and anchors, and for files that a page loads from another host.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/**
 * @param folder the built site, with clean URLs: `/docs/glossary` is the file `docs/glossary.html`
 * @returns one sentence each
 */
export function siteProblems(folder: string): readonly string[] {
  const pages = pagesOf(folder);
  const index = readFileSync(join(folder, 'index.html'), 'utf8');
  const first = new Set(attributes(index, 'href').map((href) => pageOf(href.slice(1).replace(/#.*/, ''))));
  const unlisted = pages.filter((page) => page !== 'index.html' && !first.has(page));
  return [
    ...linkProblems(folder),
    ...unlisted.map((page) => `no link of the first page leads to ${page}: add it to the sidebar`),
  ];
}

/**
 * @param folder built pages; links without a suffix lead to the page of that name
 * @returns one sentence each
 */
export function linkProblems(folder: string): readonly string[] {
  const text = new Map(pagesOf(folder).map((page) => [page, readFileSync(join(folder, page), 'utf8')]));
  const ids = new Map([...text].map(([page, html]) => [page, new Set(attributes(html, 'id'))]));
  return [...text].flatMap(([page, html]) => [
    ...[...new Set(attributes(html, 'href'))]
      .filter((href) => !/^[a-z]+:/.test(href))
      .flatMap((href) => linkProblem(href, page, folder, ids)),
    ...loaded(html)
      .filter((url) => /^(https?:)?\/\//.test(url))
      .map((url) => `${page} loads ${url}`),
  ]);
}

function pagesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.html') && file !== '404.html',
  );
}

function linkProblem(
  href: string,
  page: string,
  folder: string,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  const [path = '', anchor] = decodeURIComponent(href).split('#');
  const file = path.startsWith('/') ? path.slice(1) : posix.join(dirname(page), path);
  const target = path === '' ? page : pageOf(file);
  if (!ids.has(target)) return existsSync(join(folder, file)) ? [] : [`${page}: there is no ${href}`];
  return anchor === undefined || anchor === '' || ids.get(target)?.has(anchor)
    ? []
    : [`${page}: ${href} has no such heading`];
}

function pageOf(path: string): string {
  return path === '' || path.endsWith('/') ? `${path}index.html` : `${path.replace(/\.html$/, '')}.html`;
}

function attributes(html: string, name: string): readonly string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  );
}

/** Elements whose target the browser loads by itself, unlike links. */
function loaded(html: string): readonly string[] {
  return [...html.matchAll(/<(?:script|img|iframe|link|source)\b[^>]*?\s(?:src|href)="([^"]*)"/g)].map(
    ([, url = '']) => url,
  );
}
