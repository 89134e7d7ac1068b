import { baseName, isSameLine, type LineArtifact } from './artifact-line';

const placed = (base: string, repo: string | null, flow = 'f', template: string | null = null): LineArtifact => ({
  base,
  origin: { flow, template, repo },
});
const unknown = (base: string): LineArtifact => ({ base, origin: null });

describe('a base name', () => {
  const digest = 'a'.repeat(64);
  it.each([
    ['nginx', 'nginx'],
    ['nginx:1.25', 'nginx'],
    [`docker.io/library/nginx:1.25@sha256:${digest}`, 'nginx'],
    ['index.docker.io/acme/web', 'acme/web'],
    ['docker.io/acme/web:1', 'acme/web'],
    ['library/nginx', 'nginx'],
    ['ghcr.io/library/nginx:2', 'ghcr.io/library/nginx'],
    ['registry:5000/shop/web', 'registry:5000/shop/web'],
    ['registry:5000/shop/web:1.2', 'registry:5000/shop/web'],
    [`sha256:${digest}`, `sha256:${digest}`],
    ['C:\\app\\server.exe', 'C:\\app\\server.exe'],
    ['', ''],
  ])('of %s is %s', (name, base) => expect(baseName(name)).toBe(base));
});

describe('two artifacts are of one line', () => {
  it.each<[string, LineArtifact, LineArtifact, boolean]>([
    ['with one repository and one name', placed('web', 'r'), placed('web', 'r', 'g'), true],
    ['not with one repository alone', placed('web', 'r'), placed('api', 'r'), false],
    ['with one template of one repository', placed('a', 'r', 'f', 'app'), placed('b', 'r', 'f', 'app'), true],
    ['not with one template in two flows', placed('a', 'r', 'f', 'app'), placed('b', 'r', 'g', 'app'), false],
    ['not without a template', placed('a', 'r'), placed('b', 'r'), false],
    ['not with two repositories', placed('web', 'r', 'f', 'app'), placed('web', 's', 'f', 'app'), false],
    ['by name where one repository is unknown', placed('web', 'r'), unknown('web'), true],
    ['by name where both are unknown', placed('web', null), unknown('web'), true],
    ['not by template where a repository is unknown', placed('a', 'r', 'f', 'x'), placed('b', null, 'f', 'x'), false],
    ['not without a name', unknown(''), unknown(''), false],
  ])('%s', (_what, a, b, expected) => {
    expect([isSameLine(a, b), isSameLine(b, a)]).toEqual([expected, expected]);
  });
});
