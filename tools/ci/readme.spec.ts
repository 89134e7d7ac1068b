import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Calls an exported function of a module with values that JSON can say. */
function call(module: string, name: string, ...args: unknown[]): unknown {
  const url = pathToFileURL(join(__dirname, 'readme', module)).href;
  const code = `import { ${name} as f } from ${JSON.stringify(url)}; console.log(JSON.stringify(f(...${JSON.stringify(args)})))`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }));
}

describe('the comparison of a shown answer with the one that came', () => {
  const same = (shown: string, got: string) => call('commands.mjs', 'sameAnswer', shown, got);
  const answer = (id: string, time: string, port: number, lead: number) =>
    `{"id": "${id}", "at": ${time}, "url": "http://localhost:${port}/x?end_ts=${time}", "lead_time": ${lead}}`;
  const shown = answer('01a1fd64-9df1-79f5-9f32-095f3c8e95b6', '1795252592.437', 8001, 600);

  it('passes over ids, times and ports', () => {
    expect(same(shown, answer('0badcafe-9df1-79f5-9f32-095f3c8e95b6', '1700000000', 40123, 600))).toBe(true);
  });

  it('sees every other value, a missing field, and what is no JSON', () => {
    expect(same(shown, shown.replace('600', '601'))).toBe(false);
    expect(same('{"a": 1, "b": null}', '{"a": 1}')).toBe(false);
    expect(same(shown, '')).toBe(false);
  });
});

describe('the names in a page', () => {
  const wrong = (page: string) => call('names.mjs', 'wrongNames', page, resolve(__dirname, '../..')) as string[];

  it('are looked up in package.json, among the files and among the settings', () => {
    const found = wrong(
      '`npm start`, `npm run nothing`, [a](docs/none.md), [b](README.md), `libs/none`, ASSURANCE_NONE',
    );
    expect(found).toEqual(
      expect.arrayContaining([
        '"npm run nothing": package.json has no such script',
        '"docs/none.md": there is no such file',
        '"libs/none": there is no such file',
        'ASSURANCE_NONE: there is no such setting',
        'ASSURANCE_PORT: a setting that the page does not name',
      ]),
    );
    expect(found.join()).not.toMatch(/npm start|README/);
  });
});
