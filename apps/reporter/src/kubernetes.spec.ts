import { type Pod, podsReport } from './kubernetes';
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
    ['docker://sha256:', 'an image of an older runtime that no registry knows'],
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

  it('lists running and failed pods in order, and none without an image', () => {
    const image = `web@sha256:${digest('a')}`;
    const phases = ['Succeeded', 'Failed', 'Pending', 'Unknown', 'Running'];
    const pods = phases.map((phase) => pod(`pod-${phase}`, 'web:1', image, { phase }));
    const waiting = [pod('pulling', 'web:1', ''), pod('new', 'web:1', 'none')];
    expect(podsReport([...pods.reverse(), ...waiting]).artifacts.map(({ podName }) => podName)).toEqual([
      'pod-Failed',
      'pod-Running',
    ]);
    expect(podsReport([])).toEqual({ artifacts: [] });
  });
});
