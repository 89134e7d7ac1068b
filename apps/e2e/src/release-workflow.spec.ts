import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ArtifactAnswer } from '@assurance/contracts/flows/answers/artifact';
import { parse } from 'yaml';
import { keyOf } from './support/declared';
import { digest, fresh, sha1 } from './support/samples';
import { onEveryDeployment } from './support/world';

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly name?: string; readonly run?: string }[] }>
  >;
}

const workflow = parse(readFileSync(resolve(__dirname, '../../../.github/workflows/release.yml'), 'utf8')) as Workflow;

// The steps of the workflow of releases as they stand there, with a service in the place of ours.
onEveryDeployment((world) => {
  it('reports the trail, the image and its SBOM', async () => {
    const script = workflow.jobs['report']?.steps.find(({ run }) => run !== undefined)?.run ?? '';
    const folder = mkdtempSync(join(tmpdir(), 'assurance-release-'));
    const [flow, fingerprint, org] = [fresh('releases'), digest(fresh('image')), world().org];
    mkdirSync(join(folder, 'release'));
    writeFileSync(
      join(folder, 'release/shop.cdx.json'),
      '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[]}',
    );
    const env = {
      PATH: process.env['PATH'],
      API: `${world().url}/api/v2`,
      ORG: org,
      FLOW: flow,
      KEY: keyOf('member', org),
      DIGEST: `sha256:${fingerprint}`,
      SBOM: 'shop.cdx.json',
      COMMIT_URL: 'https://github.com/acme/shop/commit/1',
      BUILD_URL: 'https://github.com/acme/shop/actions/runs/1',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_REF_NAME: 'v1.2.0',
      GITHUB_SHA: sha1('release'),
    };
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], { cwd: folder, env });
    const [out, err, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((ended) => child.once('close', ended)),
    ]);
    rmSync(folder, { recursive: true });
    expect({ code, out, err }).toEqual({ code: 0, out: expect.not.stringContaining('message') as string, err: '' });
    const caller = world().as('reader');
    const reported = await caller.get<ArtifactAnswer>(`/artifacts/acme/${flow}/fingerprint/${fingerprint}`);
    expect(reported).toMatchObject({ git_commit: sha1('release') });
    const attestations = await caller.get<object[]>(`/attestations/acme/${flow}/trail/v1.2.0/sbom`);
    expect(attestations).toMatchObject([{ attestation_name: 'sbom', is_compliant: true }]);
  });
});
