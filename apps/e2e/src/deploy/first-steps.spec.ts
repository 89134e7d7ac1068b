import { WAYS } from '@assurance/web/ways';
import { parse } from 'yaml';
import { helm, itMakesValidManifests, manifestsOf } from './manifests';
import { wordsOf } from './run';

const NAMESPACE = 'assurance-reporter';
const URL = 'https://assurance.example.com/below';
/** With a key that a shell would read otherwise. */
const TARGET = { api: `${URL}/api/v2`, org: 'acme', key: "$HOME'1" };

describe('the commands that the first steps show for Kubernetes', () => {
  const lines = WAYS.find(({ id }) => id === 'kubernetes')?.lines(TARGET) ?? [];
  const text = lines.map((line) => line.text).join('\n');
  const [namespace, secret, install = [], ...more] = text.replaceAll('\\\n', ' ').split('\n').map(wordsOf);
  const render = () => manifestsOf(helm('template', ...install.slice(2)));

  it('make a namespace and a key, and install the chart', () => {
    expect([namespace, secret, install.slice(0, 4), ...more]).toEqual([
      ['kubectl', 'create', 'namespace', NAMESPACE],
      [
        ...`kubectl --namespace ${NAMESPACE} create secret generic ${NAMESPACE}`.split(' '),
        `--from-literal=key=${TARGET.key}`,
      ],
      ['helm', 'install', NAMESPACE, 'deploy/helm/reporter'],
    ]);
  });

  itMakesValidManifests(render);

  it('let the pod read the key, in the same namespace', () => {
    const deployment = render().find(({ kind }) => kind === 'Deployment');
    expect(JSON.stringify(deployment)).toContain(`"secretName":"${NAMESPACE}"`);
    expect(install.join(' ')).toContain(`--namespace ${NAMESPACE} `);
  });

  it('give the reporter the address, the organization and the environment', () => {
    const config = render().find(({ kind }) => kind === 'ConfigMap')?.data['config.yaml'] ?? '';
    const environments = [{ environment: 'cluster', kind: 'K8S' }];
    expect(parse(config)).toMatchObject({ url: URL, organization: TARGET.org, create: true, environments });
  });
});
