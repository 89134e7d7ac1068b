import { type Pod, podsReport } from './kubernetes';
import type { Containers } from './report';
import { digest } from './testing/replay';

const owner = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'web-5d9c',
  uid: 'u-1',
  controller: true,
  blockOwnerDeletion: true,
};

function pod(
  name: string,
  image: string,
  imageID: string,
  more: { specified?: string; phase?: string; owned?: boolean } = {},
): Pod {
  const { specified = image, phase = 'Running', owned = false } = more;
  return {
    metadata: {
      name,
      namespace: 'shop',
      creationTimestamp: '2026-11-02T10:00:00Z',
      ...(owned ? { ownerReferences: [owner] } : {}),
    },
    spec: { containers: [{ name: 'main', image: specified }] },
    status: { phase, containerStatuses: imageID === 'none' ? [] : [{ name: 'main', image, imageID }] },
  };
}

const digestsOf = (...pods: Pod[]) => podsReport(pods).artifacts.map(({ digests }) => digests);

describe('the report of pods', () => {
  it('has the fields that the published command line sends', () => {
    const running = pod('web-0', 'docker.io/shop/web:1.4', `docker.io/shop/web@sha256:${digest('a')}`, { owned: true });
    expect(podsReport([running])).toEqual({
      artifacts: [
        {
          podName: 'web-0',
          namespace: 'shop',
          digests: { 'docker.io/shop/web:1.4': digest('a') },
          creationTimestamp: Date.parse('2026-11-02T10:00:00Z') / 1_000,
          owners: [owner],
        },
      ],
    });
    expect(podsReport([pod('web-0', 'web:1', `web@sha256:${digest('a')}`)]).artifacts[0]?.owners).toBeNull();
  });

  it.each([
    ['docker-pullable://shop/web@sha256:', 'a reference of an older runtime'],
    ['sha256:', 'an image that no registry knows'],
    ['registry.example.com:5000/shop/web@sha256:', 'a reference with a port'],
  ])('reads %s: %s', (prefix) => {
    expect(digestsOf(pod('p', 'web:1', `${prefix}${digest('b')}`))).toEqual([{ 'web:1': digest('b') }]);
  });

  it('names an image that was pulled by digest as the specification does, in the form of the runtime', () => {
    const bare = `sha256:${digest('c')}`;
    const digestsNamed = (specified: string) =>
      digestsOf(pod('p', bare, `docker.io/library/nginx@${bare}`, { specified }));
    expect(digestsNamed(`nginx:1.27@${bare}`)).toEqual([{ 'docker.io/library/nginx:1.27': digest('c') }]);
    expect(digestsNamed(`shop/nginx:1.27@${bare}`)).toEqual([{ 'docker.io/shop/nginx:1.27': digest('c') }]);
    expect(digestsNamed(`localhost:5000/nginx:1.27`)).toEqual([{ 'localhost:5000/nginx:1.27': digest('c') }]);
    expect(digestsNamed(`nginx@${bare}`)).toEqual([{ [`docker.io/library/nginx@${bare}`]: digest('c') }]);
  });

  it('lists running pods in order, and failed ones as the command line does', () => {
    const image = `web@sha256:${digest('a')}`;
    const phases = ['Succeeded', 'Failed', 'Pending', 'Unknown', 'Running'];
    const pods = phases.map((phase) => pod(`pod-${phase}`, 'web:1', image, { phase }));
    const all = [...pods.reverse(), pod('pulling', 'web:1', ''), pod('new', 'web:1', 'none')];
    const namesOf = (containers?: Containers) => podsReport(all, containers).artifacts.map(({ podName }) => podName);
    expect(namesOf()).toEqual(['pod-Running', 'pulling']);
    expect(namesOf('command-line')).toEqual(['pod-Failed', 'pod-Running']);
    expect(podsReport([])).toEqual({ artifacts: [] });
  });

  it('reports what runs under an unknown digest', () => {
    expect(digestsOf(pod('p', 'shop/web:1', ''))).toEqual([{ 'shop/web:1': '' }]);
    expect(digestsOf(pod('p', '', '', { specified: 'shop/web:1' }))).toEqual([{ 'docker.io/shop/web:1': '' }]);
    // The id of an image in its machine is no digest of a registry.
    const built = pod('p', 'shop/web:1', `docker://sha256:${digest('b')}`);
    expect(digestsOf(built)).toEqual([{ 'shop/web:1': '' }]);
    expect(podsReport([built], 'command-line').artifacts[0]?.digests).toEqual({ 'shop/web:1': digest('b') });
  });

  it('reports sidecars and debug containers that run, each digest of a name, and nothing that has ended', () => {
    const of = (name: string, image: string, digit: string, state: object = { running: {} }) => ({
      name,
      image,
      imageID: `${image}@sha256:${digest(digit)}`,
      state,
    });
    const { metadata } = pod('p', 'web:1', '');
    const ended = { terminated: {} };
    const main = [
      of('web', 'web:1', '1'),
      of('a', 'tool:latest', '2'),
      of('b', 'tool:latest', '3'),
      of('end', 'old:1', '4', ended),
    ];
    const init = [of('migrate', 'migrate:1', '5', ended), of('proxy', 'proxy:1', '6'), of('waits', 'init:1', '7')];
    const debug = [of('debugger', 'busybox:1', '8'), of('left', 'busybox:2', '9', ended)];
    const whole: Pod = {
      metadata,
      spec: {
        containers: main,
        initContainers: init.map((each) => (each.name === 'proxy' ? { ...each, restartPolicy: 'Always' } : each)),
        ephemeralContainers: debug,
      },
      status: {
        phase: 'Running',
        containerStatuses: main,
        initContainerStatuses: init,
        ephemeralContainerStatuses: debug,
      },
    };
    const tools = { 'tool:latest': digest('2'), [`tool:latest@sha256:${digest('3')}`]: digest('3') };
    const running = { 'web:1': digest('1'), ...tools, 'proxy:1': digest('6'), 'busybox:1': digest('8') };
    expect(digestsOf(whole)).toEqual([running]);
    expect(podsReport([whole], 'command-line').artifacts.map(({ digests }) => digests)).toEqual([
      { 'web:1': digest('1'), ...tools, 'old:1': digest('4') },
    ]);
  });
});
