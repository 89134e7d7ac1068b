// What charts render is what the workflow of releases pushes.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { read, run, tools } from './run';

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly with?: { readonly tags?: string };
}

const { jobs } = parse(read('.github/workflows/release.yml')) as {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
};
const steps = jobs['image']?.steps ?? [];
const VERSION = (parse(read('deploy/helm/assurance/Chart.yaml')) as { readonly appVersion: string }).appVersion;

/** The outputs of the step that names the image, for a tag of Git. */
function outputsOf(tag: string): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-outputs-'));
  const file = join(folder, 'outputs');
  const env = { PATH: process.env['PATH'], REGISTRY: 'registry.test', GITHUB_REPOSITORY: 'Acme/Assurance' };
  run('bash', ['-euc', steps.find(({ id }) => id === 'name')?.run ?? 'exit 1'], {
    ...env,
    GITHUB_OUTPUT: file,
    GITHUB_REF_NAME: tag,
  });
  const outputs = readFileSync(file, 'utf8');
  rmSync(folder, { recursive: true });
  return Object.fromEntries(outputs.split('\n').flatMap((line) => [line.split('=') as [string, string]]));
}

describe('the image of a release', () => {
  const outputs = outputsOf(`v${VERSION}`);
  const pushed = steps
    .find(({ id }) => id === 'push')
    ?.with?.tags?.replace(/\$\{\{ steps\.name\.outputs\.(\w+) \}\}/g, (_, name: string) => outputs[name] ?? '');

  it.each(['assurance', 'reporter'])('is pushed under the tag that the chart %s names', (chart) => {
    const values = join('deploy/helm', chart, 'ci', chart === 'reporter' ? 'admission.yaml' : 'services-values.yaml');
    const args = ['template', 'release', join('deploy/helm', chart), '--values', values];
    const { ok, out } = run(tools().helm, [
      ...args,
      '--set',
      `image.repository=${outputs['image']}`,
      '--set',
      'image.digest=',
    ]);
    expect({ ok, out }).toMatchObject({ ok: true });
    expect(pushed).toBe(`registry.test/acme/assurance:${VERSION}`);
    expect([...new Set(out.match(/registry\.test\/[^"\s]+/g))]).toEqual([pushed]);
  });
});
