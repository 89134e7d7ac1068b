import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { runnerImport } from 'vite';
import { parse, stringify } from 'yaml';
import { root } from '../../common/root.ts';
import { tell } from '../report.ts';
import { type Manifest, wordsOf } from './manifests.ts';

interface Lines {
  readonly text: string;
}
interface Ways {
  readonly WAYS: readonly { readonly id: string; readonly lines: (target: object) => readonly Lines[] }[];
}

const NAMESPACE = 'assurance-reporter';
const URL = 'https://assurance.example.com/below';
/** With a key that a shell would read otherwise. */
const TARGET = { api: `${URL}/api/v2`, org: 'acme', key: "$HOME'1" };

/**
 * Checks the commands that the first steps show for Kubernetes: that the cluster gets the namespace and the Secret that the chart reads, and that
 * the reporter gets the values.
 *
 * @param render makes the manifests of `helm install` with these words after it, the chart's path replaced
 * @param check the manifests, as those of other commands
 */
export async function checkFirstSteps(
  render: (name: string, words: readonly string[]) => readonly Manifest[],
  check: (name: string, manifests: readonly Manifest[]) => void,
): Promise<void> {
  const { WAYS } = (await runnerImport<Ways>(join(root, 'apps/web/src/features/first-steps/ways.ts'))).module;
  const lines = WAYS.find(({ id }) => id === 'kubernetes')?.lines(TARGET) ?? [];
  const text = lines.map((line) => line.text).join('\n');
  const commands = text.replaceAll('\\\n', ' ').split('\n').map(wordsOf);
  const [namespace, secret, install, ...more] = commands;
  const expected = [
    ['kubectl', 'create', 'namespace', NAMESPACE],
    ['kubectl', '--namespace', NAMESPACE, 'create', 'secret', 'generic', NAMESPACE, `--from-literal=key=${TARGET.key}`],
  ];
  const shown = stringify([namespace, secret, ...more]);
  tell(isDeepStrictEqual([namespace, secret, ...more], expected), 'the first steps make a namespace and a key', shown);
  const manifests = render('helm template with the command of the first steps', install?.slice(2) ?? []);
  check('the first steps', manifests);

  // The pod reads the Secret that the command before made, in the same namespace.
  const deployment = manifests.find(({ kind }) => kind === 'Deployment');
  const reads = JSON.stringify(deployment ?? null).includes(`"secretName":"${NAMESPACE}"`);
  const inNamespace = install?.join(' ').includes(`--namespace ${NAMESPACE} `) === true;
  tell(reads && inNamespace, 'the chart reads the key that the first steps make', stringify(deployment ?? null));

  const config = manifests.find(({ kind }) => kind === 'ConfigMap')?.data['config.yaml'] ?? '';
  const result = parse(config) as object;
  const environments = [{ environment: 'cluster', kind: 'K8S' }];
  const has = isDeepStrictEqual(result, { ...result, url: URL, organization: TARGET.org, create: true, environments });
  tell(has, 'the reporter gets the address, the organization and the environment', config);
}
