// The documentation site. Its pages are the Markdown files of the repository as they are, so that they also read well without the site.
// `npm run docs` builds it into dist/docs; nothing in the result loads anything from another host.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Items of the sidebar: the title is the first heading of the file. */
const pages = (...files) => files.map((file) => ({ text: titleOf(file), link: addressOf(file) }));

function titleOf(file) {
  return /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))[1].replaceAll('`', '');
}

/** `docs/using/README.md` is served at `/docs/using/`, `docs/glossary.md` at `/docs/glossary`. */
function addressOf(file) {
  return `/${file.replace(/(^|\/)README\.md$/, '$1').replace(/\.md$/, '')}`;
}

const below = (folder, pattern) =>
  readdirSync(join(root, folder))
    .filter((file) => pattern.test(file))
    .map((file) => `${folder}/${file}`);

const sidebar = [
  { text: 'Start', items: pages('README.md', 'docs/README.md', 'docs/using/features.md', 'docs/using/tutorial.md') },
  {
    text: 'Using',
    items: pages(
      'docs/using/clients.md',
      'docs/using/reporter.md',
      'docs/using/admission.md',
      'docs/using/history.md',
      'docs/using/components.md',
      'docs/using/vulnerabilities.md',
      'docs/using/assistants.md',
      'docs/using/members.md',
    ),
  },
  {
    text: 'Operating',
    items: [
      ...pages(
        'docs/operating/install.md',
        'docs/operating/upgrade.md',
        'docs/operating/promises.md',
        'docs/operating/configuration.md',
        'docs/operating/openid-connect.md',
        'docs/operating/machine.md',
        'docs/operating/limits.md',
        'docs/operating/running.md',
        'docs/operating/reliability.md',
        'docs/operating/siem.md',
        'SECURITY.md',
      ),
      {
        text: 'Runbooks',
        link: addressOf('docs/operating/runbooks/README.md'),
        collapsed: true,
        items: pages(...below('docs/operating/runbooks', /^Assurance.*\.md$/)),
      },
    ],
  },
  {
    text: 'Scaling',
    items: pages(
      'docs/scaling/services.md',
      'docs/scaling/sharding.md',
      'docs/operating/kubernetes.md',
      'docs/capacity.md',
      'docs/benchmarks.md',
    ),
  },
  {
    text: 'Reference',
    items: pages(
      'docs/reference/http.md',
      'docs/reference/compatibility.md',
      'docs/reference/cloudevents.md',
      'docs/reference/operations.md',
      'docs/reference/audit-package.md',
      'docs/reference/archive.md',
      'docs/reference/streams.md',
      'docs/glossary.md',
      'CHANGELOG.md',
    ),
  },
  {
    text: 'Contributing',
    items: pages(
      'CONTRIBUTING.md',
      'docs/checks.md',
      'docs/architecture.md',
      'docs/specification-coverage.md',
      'CODE_OF_CONDUCT.md',
    ),
  },
  {
    text: 'Decisions',
    link: addressOf('docs/decisions/README.md'),
    collapsed: true,
    items: pages(...below('docs/decisions', /^\d.*\.md$/)),
  },
];

/**
 * Links to files that are no pages, such as source code, stay as text: the site does not have these files.
 * Links to a README lead to the page of its folder.
 */
function repositoryLinks(md) {
  const isSource = (href, from) => {
    if (/^[a-z]+:|^#|^\//.test(href)) return false;
    const path = posix.join(posix.dirname(from), href.replace(/#.*$/, ''));
    if (!existsSync(join(root, path))) throw new Error(`${from}: there is no ${path}`);
    return !path.endsWith('.md');
  };
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const from = posix.relative(root, env.realPath ?? env.path);
    for (const { children } of tokens) {
      let text = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const href = token.attrGet('href');
          text = isSource(href, from);
          if (!text && !/^[a-z]+:/.test(href)) token.attrSet('href', href.replace(/README\.md/, 'index.md'));
        }
        if (!text || !/^link_/.test(token.type)) continue;
        if (token.type === 'link_close') text = false;
        token.tag = 'span';
        token.type = token.nesting === 1 ? 'span_open' : 'span_close';
        token.attrs = null;
      }
    }
  });
}

export default defineConfig({
  title: 'Deployment Assurance',
  description: 'Prove what ran where, since when, from which commit, with which evidence.',
  srcDir: '..',
  srcExclude: ['{apps,libs,tools,deploy,data,dist,node_modules,.github,.cache}/**'],
  outDir: '../dist/docs',
  cacheDir: '../.cache/vitepress',
  rewrites: (id) => id.replace(/(^|\/)README\.md$/, '$1index.md'),
  cleanUrls: true,
  ignoreDeadLinks: [/^https?:\/\/localhost/],
  markdown: { config: repositoryLinks, languageAlias: { promql: 'txt' } },
  themeConfig: {
    sidebar,
    nav: [
      { text: 'Using', link: '/docs/using/tutorial' },
      { text: 'Operating', link: '/docs/operating/running' },
      { text: 'Contributing', link: '/CONTRIBUTING' },
    ],
    outline: { level: [2, 3] },
    search: { provider: 'local' },
  },
});
