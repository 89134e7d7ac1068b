import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../common/root.ts';
import { decisionProblems, missingTests, unnamedSettings, wrongNames } from './docs/names.ts';
import { siteProblems } from './docs/site.ts';

describe('a built site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-site-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has problems where a link or an anchor leads nowhere, or a page loads from another host', () => {
    mkdirSync(join(folder, 'docs'));
    const first = '<a href="/docs/a#there">x</a> <a href="/docs/b">x</a> <h1 id="top">x</h1>';
    writeFileSync(join(folder, 'index.html'), first);
    writeFileSync(
      join(folder, 'docs/a.html'),
      '<h2 id="there">x</h2> <a href="/#gone">x</a> <a href="#there">x</a> <a href="https://example.com">x</a>' +
        '<script src="https://example.com/x.js"></script>',
    );
    writeFileSync(join(folder, 'docs/c.html'), '<h1 id="top">x</h1>');
    expect(siteProblems(folder).toSorted()).toEqual([
      'docs/a.html loads https://example.com/x.js',
      'docs/a.html: /#gone has no such heading',
      'index.html: there is no /docs/b',
      'no link of the first page leads to docs/c.html: add it to the sidebar',
    ]);
  });
});

describe('the names in a page', () => {
  it('are looked up in package.json, among the files and among the settings', () => {
    const page =
      '`npm start`, `npm run nothing`, [a](docs/none.md), [b](README.md), `libs/none`, `apps/web/dist`, ASSURANCE_NONE';
    expect(wrongNames(page, root).toSorted()).toEqual([
      '"docs/none.md": there is no such file',
      '"libs/none": there is no such file',
      '"npm run nothing": package.json has no such script',
      'ASSURANCE_NONE: there is no such setting',
    ]);
  });

  it('must include every setting where settings are described', () => {
    const unnamed = unnamedSettings('`ASSURANCE_HOST`', root);
    expect(unnamed).toContain('ASSURANCE_PORT');
    expect(unnamed).not.toContain('ASSURANCE_HOST');
  });

  it('are those of tests that exist, in tables', () => {
    const page = '| a | `x.spec.ts`: keeps it |\n| b | `x.spec.ts`: loses it |\n| c | `none.spec.ts`: is gone |\n';
    const found = missingTests(page, (path) => (path === 'x.spec.ts' ? ['keeps it'] : null));
    expect(found).toEqual(['x.spec.ts has no test "loses it"', 'none.spec.ts has no test "is gone"']);
  });

  it('are those of decisions, listed once, each with a number of its own', () => {
    const index = '| [0001](0001-a.md) | [0002](0002-b.md) | [0003](0003-d.md) |';
    expect(decisionProblems(['0001-a.md', '0002-b.md', '0002-c.md'], index)).toEqual([
      'the index does not list 0002-c.md',
      'the index lists 0003-d.md, which does not exist',
      '0002-c.md has a number that another decision has',
    ]);
  });
});
