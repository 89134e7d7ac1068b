import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVERYTHING } from './name-filter';
import { sourceOf } from './sources';
import { Cloud, digest, NETWORK, type ReplayedResponse } from './testing/replay';

const container = (Id: string, Image: string) => ({
  Id,
  Names: [`/${Id}`],
  Image,
  Created: 1_793_613_600,
  State: 'running',
});
const IMAGES: Record<string, ReplayedResponse> = {
  'shop/web:1': { body: { RepoDigests: [`shop/web@sha256:${digest('a')}`] } },
  'shop/proxy:2': { body: { RepoDigests: [`other/proxy@sha256:${digest('b')}`, `shop/proxy@sha256:${digest('c')}`] } },
  'local:dev': { body: { RepoDigests: [] } },
  'removed:1': { status: 404, body: { message: 'No such image: removed:1' } },
};

describe('the report of a Docker daemon', () => {
  const cloud = new Cloud();
  const folder = mkdtempSync(join(tmpdir(), 'assurance-docker-'));
  const socket = join(folder, 'docker.sock');
  let running: object[];

  beforeAll(async () => {
    await cloud.start(socket);
    cloud.answer = ({ url = '' }) => {
      if (url === '/containers/json') return { body: running };
      return (
        IMAGES[decodeURIComponent(url.replace(/^\/images\/|\/json$/g, ''))] ?? {
          status: 500,
          body: { message: 'overlay2 is broken' },
        }
      );
    };
  });
  afterAll(() => {
    cloud.stop();
    rmSync(folder, { recursive: true });
  });
  const notes: string[] = [];
  const source = (containers = EVERYTHING) =>
    sourceOf({ kind: 'docker', socket, containers }, NETWORK, {}, (sentence) => notes.push(sentence));
  const collect = async (containers = EVERYTHING) => source(containers).collect();
  const item = (image: string, sha256: string) => ({ digests: { [image]: sha256 }, creationTimestamp: 1_793_613_600 });

  it('has containers whose image a registry knows, with the digest of their own repository', async () => {
    running = [
      container('2', 'shop/proxy:2'),
      container('1', 'shop/web:1'),
      container('3', 'local:dev'),
      container('4', 'removed:1'),
    ];
    expect(await collect()).toEqual({
      artifacts: [item('shop/web:1', digest('a')), item('shop/proxy:2', digest('c'))],
    });
    expect(await collect({ ...EVERYTHING, exclude: ['2'] })).toEqual({ artifacts: [item('shop/web:1', digest('a'))] });
  });

  it('says once of each container why it is left out', async () => {
    notes.length = 0;
    running = [container('1', 'shop/web:1'), container('3', 'local:dev'), container('4', 'removed:1')];
    const docker = source();
    await docker.collect();
    expect(notes.splice(0)).toEqual([
      'The container 3 is not reported: its image local:dev comes from no registry, so its digest is unknown.',
      'The container 4 is not reported: its image removed:1 was removed, so its digest is unknown.',
    ]);
    running = [...running, container('5', 'local:dev')];
    await docker.collect();
    expect(notes).toEqual([expect.stringContaining('The container 5 is not reported') as string]);
  });

  it('is empty when nothing runs, and fails when an image cannot be looked at', async () => {
    running = [];
    expect(await collect()).toEqual({ artifacts: [] });
    running = [container('1', 'shop/web:1'), container('2', 'broken:1')];
    await expect(collect()).rejects.toThrow('overlay2 is broken');
  });
});
