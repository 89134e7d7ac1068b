import { blocksBelow, sameAnswer } from './readme/commands.ts';
import { pipelineOf, runPipeline } from './readme/pipelines.ts';

describe('the comparison of a shown answer with the one that came', () => {
  const answer = (id: string, time: string, port: number, lead: number) =>
    `{"id": "${id}", "at": ${time}, "url": "http://localhost:${port}/x?end_ts=${time}", "lead_time": ${lead}}`;
  const shown = answer('01a1fd64-9df1-79f5-9f32-095f3c8e95b6', '1795252592.437', 8001, 600);

  it('passes over ids, times and ports', () => {
    expect(sameAnswer(shown, answer('0badcafe-9df1-79f5-9f32-095f3c8e95b6', '1700000000', 40123, 600))).toBe(true);
  });

  it('sees every other value, a missing field, and what is no JSON', () => {
    expect(sameAnswer(shown, shown.replace('600', '601'))).toBe(false);
    expect(sameAnswer('{"a": 1, "b": null}', '{"a": 1}')).toBe(false);
    expect(sameAnswer(shown, '')).toBe(false);
  });
});

describe('the blocks below a heading', () => {
  const fence = (text: string) => `\`\`\`sh\n${text}\n\`\`\`\n`;

  it.each([
    ['# A', ['# a comment\none\n', 'two\n']],
    ['## B', ['two\n', 'three\n']],
    ['# C', ['three\n']],
  ])('%s end at the next heading of its level, which no comment of a script is', (heading, texts) => {
    const page = `# A\n\n${fence('# a comment\none')}\n## B\n\n${fence('two')}\n# C\n\n${fence('three')}`;
    expect(blocksBelow(page, heading).map(({ text }) => text)).toEqual(texts);
  });
});

describe('the pipelines in a page', () => {
  it.each([
    [
      'yaml',
      'jobs:\n  build:\n    steps:\n      - uses: x\n      - run: bash build.sh\n      - run: ./gate.sh\n',
      'github',
    ],
    ['yaml', 'build:\n  script:\n    - bash build.sh\n    - ./gate.sh\n', 'gitlab'],
    ['groovy', "stage('A') { steps { sh 'bash build.sh' } }\nstage('B') { steps { sh './gate.sh' } }", 'jenkins'],
  ])('in %s are those of CI systems, by their steps', (lang, text, system) => {
    expect(pipelineOf({ lang, text })).toEqual({ system, steps: ['bash build.sh', './gate.sh'] });
  });

  it('are no other blocks', () => {
    expect(pipelineOf({ lang: 'yaml', text: 'users:\n  - name: ada\n' })).toBeNull();
    expect(pipelineOf({ lang: 'sh', text: 'sh a' })).toBeNull();
  });

  it('stop at the first step that fails, and know the variables of their system', () => {
    const run = (...steps: string[]) => runPipeline({ system: 'gitlab', steps }, '7', { KEY: 'k' }, __dirname);
    const failed = { ok: false, failed: 'exit 3', out: '7 k\n' };
    expect(run('echo $CI_PIPELINE_ID $KEY', 'exit 3', 'echo never')).toEqual(failed);
    expect(run('true')).toEqual({ ok: true, failed: null, out: '' });
  });
});
