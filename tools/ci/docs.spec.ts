import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

function run(module: string, expression: string): string[] {
  const url = pathToFileURL(join(__dirname, 'docs', module)).href;
  const code = `import * as m from ${JSON.stringify(url)}; console.log(JSON.stringify(${expression}))`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }));
}

describe('a built site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-site-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has problems where a link or an anchor leads nowhere, or a page loads from another host', () => {
    mkdirSync(join(folder, 'docs'));
    writeFileSync(
      join(folder, 'index.html'),
      '<a href="/docs/a#there">x</a> <a href="/docs/b">x</a> <h1 id="top">x</h1>',
    );
    writeFileSync(
      join(folder, 'docs/a.html'),
      '<h2 id="there">x</h2> <a href="/#gone">x</a> <a href="#there">x</a> <a href="https://example.com">x</a>' +
        '<script src="https://example.com/x.js"></script>',
    );
    writeFileSync(join(folder, 'docs/c.html'), '<h1 id="top">x</h1>');
    expect(run('site.mjs', `m.siteProblems(${JSON.stringify(folder)})`).toSorted()).toEqual([
      'docs/a.html loads https://example.com/x.js',
      'docs/a.html: /#gone has no such heading',
      'index.html: there is no /docs/b',
      'no link of the first page leads to docs/c.html: add it to the sidebar',
    ]);
  });
});

describe('tests in a table', () => {
  it('have to exist', () => {
    const page = '| a | `x.spec.ts`: keeps it |\n| b | `x.spec.ts`: loses it |\n| c | `none.spec.ts`: is gone |\n';
    const found = run(
      'tests.mjs',
      `m.missingTests(${JSON.stringify(page)}, (path) => path === 'x.spec.ts' ? ['keeps it'] : null)`,
    );
    expect(found).toEqual(['x.spec.ts has no test "loses it"', 'none.spec.ts has no test "is gone"']);
  });
});

describe('the names in a page', () => {
  const root = JSON.stringify(resolve(__dirname, '../..'));
  const wrong = (page: string) => run('names.mjs', `m.wrongNames(${JSON.stringify(page)}, ${root})`);

  it('are looked up in package.json, among the files and among the settings', () => {
    const found = wrong(
      '`npm start`, `npm run nothing`, [a](docs/none.md), [b](README.md), `libs/none`, `apps/web/dist`, ASSURANCE_NONE',
    );
    expect(found.toSorted()).toEqual([
      '"docs/none.md": there is no such file',
      '"libs/none": there is no such file',
      '"npm run nothing": package.json has no such script',
      'ASSURANCE_NONE: there is no such setting',
    ]);
  });

  it('must include every setting where settings are described', () => {
    const unnamed = run('names.mjs', `m.unnamedSettings('\`ASSURANCE_HOST\`', ${root})`);
    expect(unnamed).toContain('ASSURANCE_PORT');
    expect(unnamed).not.toContain('ASSURANCE_HOST');
  });
});

describe('decisions', () => {
  it('are listed once, each with a number of its own', () => {
    const files = JSON.stringify(['0001-a.md', '0002-b.md', '0002-c.md']);
    const index = JSON.stringify('| [0001](0001-a.md) | [0002](0002-b.md) | [0003](0003-d.md) |');
    expect(run('names.mjs', `m.decisionProblems(${files}, ${index})`)).toEqual([
      'the index does not list 0002-c.md',
      'the index lists 0003-d.md, which does not exist',
      '0002-c.md has a number that another decision has',
    ]);
  });
});
