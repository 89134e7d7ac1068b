import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Finds links and anchors of built pages that lead nowhere, and files that they load from another host.
 *
 * @param folder the pages; `/docs/glossary` is the file `docs/glossary.html`
 * @returns one sentence each
 */
export function linkProblems(folder: string): readonly string[] {
  const pages = globSync('**/*.html', { cwd: folder, exclude: ['404.html'] });
  const texts = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]));
  const isFile = (path: string) => statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true;
  return [...texts].flatMap(([page, text]) => {
    const targets = [...text.matchAll(/<(\w+)\b[^>]*?\s(?:href|src)="([^"]*)"/g)];
    return targets.flatMap(([, tag = '', address = '']) => {
      const { host, pathname, hash } = new URL(address.replaceAll('&amp;', '&'), `http://pages/${page}`);
      // A link may lead elsewhere; everything else is loaded by the browser.
      if (host !== 'pages') return tag === 'a' ? [] : [`${page} loads ${address}`];
      const path = decodeURIComponent(pathname.slice(1));
      const file = [path, `${path}.html`, `${path}index.html`].find(isFile);
      if (file === undefined) return [`${page}: there is no ${address}`];
      const anchor = decodeURIComponent(hash.slice(1));
      const isThere = anchor === '' || texts.get(file)?.includes(` id="${anchor}"`) !== false;
      return isThere ? [] : [`${page}: ${address} has no such heading`];
    });
  });
}
