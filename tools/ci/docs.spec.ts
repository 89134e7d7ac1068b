import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../common/root.ts';
import { missingTests, sectionProblems, unnamedSettings, wrongNames } from './docs/names.ts';
import { siteProblems } from './docs/site.ts';
import { testsOf } from './docs/titles.ts';

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
    const tests = testsOf(`
      describe('lists', () => { it('are whole', f); it.each([1])('take %s', f); it.skip('are short', f); });
      describe.each([1])('pages of %s', () => { it("don't end", f); it('are whole', f); it.todo('are long'); });
      text('is no test', f);`);
    const found = (...rows: string[]) =>
      missingTests([...rows, '[lists]: x.spec.ts'].join('\n'), (path) => (path === 'x.spec.ts' ? tests : null));
    expect(
      found('| a | `x.spec.ts`: take %s |', '| b | [Lists]: lists › are whole |', "| c | [lists]: don't end |"),
    ).toEqual([]);
    expect(found('| a | `none.spec.ts`: is gone |', '| b | [other]: take %s |')).toEqual([
      'no row names [lists]',
      'none.spec.ts has no test "is gone"',
      'the page does not say which file [other] is',
    ]);
    for (const title of ['are short', 'are long', 'is no test', 'lists', 'whole'])
      expect(found(`| a | [lists]: ${title} |`)).toEqual([`x.spec.ts has no test "${title}"`]);
    expect(found('| a | [lists]: are whole |')).toEqual(['x.spec.ts has 2 tests "are whole"']);
  });

  it('are those of the sections of the specification, each of whose rows names a test', () => {
    const page = (...rows: string[]) => ['## 1. Lists', '| what | test |', '| --- | --- |', ...rows].join('\n');
    const row = '| a \\| b | [lists]: c \\| d |';
    expect(sectionProblems(page(row, '### 2.1 Pages', row), ['1', '2.1'])).toEqual([]);
    expect(sectionProblems(page(row, '## 2.1', '## 2.11', row), ['1', '2.1', '3'])).toEqual([
      'section 2.1 has no row',
      'section 3 has no row',
      'there is no section 2.11',
    ]);
    for (const odd of ['| a | |', '| | [lists]: c |', '| a | c |', '| a | [lists]: c | d |'])
      expect(sectionProblems(page(odd), ['1'])).toEqual([
        `the row is not "| what | [spec]: title of a test |": ${odd}`,
      ]);
  });
});
