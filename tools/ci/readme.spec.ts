import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Calls an exported function of a module. Arguments and result are JSON values. */
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

describe('the blocks below a heading', () => {
  const below = (page: string, heading: string) =>
    (call('parse.mjs', 'blocksBelow', page, heading) as { text: string }[]).map(({ text }) => text);
  const fence = (text: string) => `\`\`\`sh\n${text}\n\`\`\`\n`;

  it('end at the next heading of its level, which no comment of a script is', () => {
    const page = `# A\n\n${fence('# a comment\none')}\n## B\n\n${fence('two')}\n# C\n\n${fence('three')}`;
    expect(below(page, '# A')).toEqual(['# a comment\none\n', 'two\n']);
    expect(below(page, '## B')).toEqual(['two\n', 'three\n']);
    expect(below(page, '# C')).toEqual(['three\n']);
  });
});

describe('the pipelines in a page', () => {
  const pipeline = (lang: string, text: string) => call('pipelines.mjs', 'pipelineOf', { lang, text });

  it('are those of three CI systems, by their steps', () => {
    const github = 'jobs:\n  build:\n    steps:\n      - uses: x\n      - run: bash build.sh\n      - run: ./gate.sh\n';
    expect(pipeline('yaml', github)).toEqual({ system: 'github', steps: ['bash build.sh', './gate.sh'] });
    const gitlab = 'build:\n  script:\n    - bash build.sh\n    - ./gate.sh\n';
    expect(pipeline('yaml', gitlab)).toEqual({ system: 'gitlab', steps: ['bash build.sh', './gate.sh'] });
    const jenkins = "stage('A') { steps { sh 'bash build.sh' } }\nstage('B') { steps { sh './gate.sh \"$A\"' } }";
    expect(pipeline('groovy', jenkins)).toEqual({ system: 'jenkins', steps: ['bash build.sh', './gate.sh "$A"'] });
    expect(pipeline('yaml', 'users:\n  - name: ada\n')).toBeNull();
    expect(pipeline('sh', 'sh a')).toBeNull();
  });

  it('stop at the first step that fails, and know the variables of their system', () => {
    const run = (steps: string[]) =>
      call('pipelines.mjs', 'runPipeline', { system: 'gitlab', steps }, '7', { KEY: 'k' }, __dirname);
    expect(run(['echo $CI_PIPELINE_ID $KEY', 'exit 3', 'echo never'])).toEqual({
      ok: false,
      failed: 'exit 3',
      out: '7 k\n',
    });
    expect(run(['true'])).toEqual({ ok: true, failed: null, out: '' });
  });
});
