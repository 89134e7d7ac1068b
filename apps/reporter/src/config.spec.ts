import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from './config';

const config = (environments: string, top = '') => `url: https://assurance.example.com
organization: acme
${top}
environments:
${environments}`;

const PAGE = readFileSync(join(__dirname, '../../../docs/using/reporter.md'), 'utf8');

describe('the configuration', () => {
  it('takes those of its page', () => {
    const blocks = [...PAGE.matchAll(/^```yaml\n(url: [^`]*)```$/gm)].map(([, block = '']) => readConfig(block));
    const kinds = blocks.map(({ environments }) => environments.map(({ source }) => source.kind));
    expect(kinds).toEqual([
      ['K8S', 'ECS'],
      ['server', 'docker'],
    ]);
  });

  it('lets environments have an organization and a key of their own', () => {
    const { environments, interval } = readConfig(
      config(
        `  - { environment: live, kind: docker }
  - { environment: shop, kind: ECS, region: eu-west-1, organization: other, apiKeyVariable: OTHER_KEY, create: true, clusters: { includeRegex: [^shop] } }`,
        'apiKeyFile: /run/secrets/key\ninterval: 60',
      ),
    );
    expect(interval).toBe(60);
    expect(environments).toMatchObject([
      {
        environment: 'live',
        organization: 'acme',
        apiKeyFile: '/run/secrets/key',
        create: null,
        source: { socket: '/var/run/docker.sock' },
      },
      {
        organization: 'other',
        apiKeyFile: null,
        apiKeyVariable: 'OTHER_KEY',
        create: { description: '' },
        source: { kind: 'ECS' },
      },
    ]);
  });

  it.each([
    ['  - { environment: a, kind: docker, apiKey: secret }', 'environments[0].apiKey is unknown'],
    ['  - { environment: a, kind: S3 }', 'environments[0].bucket is missing'],
    ['  - { environment: a, kind: k8s }', 'environments[0].kind must be one of K8S,'],
    [
      '  - { environment: a, kind: K8S, namespaces: { includeRegex: ["["] } }',
      'environments[0].namespaces.includeRegex has [,',
    ],
    [
      '  - { environment: a, kind: K8S, namespaces: { inlcude: [x] } }',
      'environments[0].namespaces.inlcude is unknown',
    ],
    ['  - { environment: a, kind: server }', 'environments[0].paths is missing'],
    [
      '  - { environment: a, kind: server, artifacts: { shop: { path: "" } } }',
      'environments[0].artifacts.shop.path must be a text',
    ],
    ['  - { environment: a, kind: docker }\n  - { environment: a, kind: docker }', 'environments has acme/a twice'],
  ])('refuses %s', (environments, message) => {
    expect(() => readConfig(config(environments))).toThrow(message);
  });

  it.each([
    ['interval: 1', 'interval must be a whole number from 5 to 86400.'],
    ['proxy: here', 'proxy must be an http or https URL.'],
    ['metrics: { prot: 1 }', 'metrics.prot is unknown'],
    ['create: yes please', 'create must be true or false.'],
  ])('refuses %s', (top, message) => {
    expect(() => readConfig(config('  - { environment: a, kind: docker }', top))).toThrow(message);
  });
});
