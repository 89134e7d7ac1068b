import { read } from '../common/root.ts';

const PAGE = read('docs/operating/promises.md');

/** What the page says of a subject. */
function promise(subject: string): string {
  const row = new RegExp(`^\\| ${subject} \\| (.+) \\|$`, 'm').exec(PAGE)?.[1];
  if (row === undefined) throw new Error(`docs/operating/promises.md has no row ${subject}`);
  return row;
}
const found = (file: string, pattern: RegExp) => {
  const version = pattern.exec(read(file))?.[1];
  if (version === undefined) throw new Error(`${file} does not match ${pattern}`);
  return version;
};
const major = (version: string) => version.split('.')[0];

describe('the versions that are promised', () => {
  it('of MongoDB are those that tests and the compose file run', () => {
    const tested = found('tools/engines/requirements.txt', /mongod (\d+\.\d+\.\d+)/);
    const [from = '', to = ''] = /^(\d+)\.0 to (\d+)\.0,/.exec(promise('MongoDB'))?.slice(1) ?? [];
    expect(promise('MongoDB')).toContain(`CI tests with ${tested}`);
    expect(major(tested)).toBe(from);
    expect(found('docker-compose.yml', /image: mongo:(\S+)/)).toBe(to);
    expect(promise('MongoDB')).toContain(`\`docker-compose.yml\` starts ${to}`);
  });

  it('of Kafka are those that tests and the compose file run', () => {
    const tested = found('tools/engines/kafka.pom.xml', /kafka_2\.13<\/artifactId>\s+<version>(.+)<\/version>/);
    expect(promise('Kafka')).toContain(`CI tests with ${tested}`);
    expect(promise('Kafka')).toMatch(new RegExp(`^${major(tested)}\\.x `));
    expect(found('docker-compose.yml', /image: apache\/kafka:(\S+)/)).toBe(tested);
  });

  it('of Node are those that the release asks for, and tests and the image run', () => {
    const [least = ''] = /^\d+\.\d+/.exec(promise('Node')) ?? [];
    expect(found('tools/release/stage.ts', /engines: \{ node: '>=(\d+\.\d+)' \}/)).toBe(least);
    const [expected, running] = [least, process.versions.node].map((version) => version.split('.').map(Number));
    expect(running?.[0]).toBe(expected?.[0]);
    expect(running?.[1]).toBeGreaterThanOrEqual(expected?.[1] ?? Infinity);
    for (const [, image] of read('Dockerfile').matchAll(/^FROM node:(\d+)/gm)) expect(image).toBe(major(least));
    expect(promise('Node')).toContain(`later of Node ${major(least)}`);
  });

  it('of Kubernetes are those against which the charts are checked', () => {
    const [least = ''] = /\d+\.\d+/.exec(promise('Kubernetes')) ?? [];
    expect(found('tools/ci/deploy.ts', /const KUBERNETES = \['(\d+\.\d+)'/)).toBe(least);
    for (const chart of ['assurance', 'reporter']) {
      expect(found(`deploy/helm/${chart}/Chart.yaml`, /^kubeVersion: '>=(\d+\.\d+)\.0-0'$/m)).toBe(least);
    }
  });
});
