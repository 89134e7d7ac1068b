import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Caller } from '../support/caller';
import { makeCertificates } from '../support/certificates';
import { BOOTSTRAP, keyOf } from '../support/declared';
import { Place } from '../support/process';
import { digest, fresh } from '../support/samples';
import { worldOf } from '../support/world';

const TOKEN = 'the-token-of-the-service-account';
const UID = 'd9607e19-f88f-11e6-a518-42010a800195';
const STARTED = '2026-11-02T10:00:00Z';

/** A pod as Kubernetes 1.29 lists it, less what nobody reads here. */
function pod(name: string, containers: readonly { name: string; image: string; imageID: string; state?: object }[]) {
  return {
    metadata: {
      ...{ name, namespace: 'shop', uid: UID, creationTimestamp: '2026-11-02T09:59:58Z', resourceVersion: '812' },
      labels: { app: 'web' },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: 'web-5d9c7b4f6',
          uid: UID,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: { containers: containers.map(({ name, image }) => ({ name, image, resources: {} })), nodeName: 'node-1' },
    status: {
      ...{ phase: 'Running', startTime: STARTED, hostIP: '10.0.0.1', podIP: '10.1.0.1' },
      containerStatuses: containers.map(({ name, imageID, state }) => ({
        ...{
          name,
          imageID,
          image: 'docker.io/shop/web:1.4',
          ready: true,
          restartCount: 0,
          containerID: 'containerd://1',
        },
        state: state ?? { running: { startedAt: STARTED } },
      })),
    },
  };
}

const web = pod('web-5d9c7b4f6-x2x7k', [
  { name: 'web', image: 'shop/web:1.4', imageID: `registry.example.com/shop/web@sha256:${digest('web')}` },
  { name: 'sidecar', image: 'shop/proxy:2', imageID: `docker-pullable://shop/proxy@sha256:${digest('proxy')}` },
]);
const local = pod('local-0', [{ name: 'local', image: 'local:dev', imageID: `sha256:${digest('local')}` }]);
const waiting = pod('waiting-0', [
  { name: 'web', image: 'shop/web:1.4', imageID: '', state: { waiting: { reason: 'ImagePullBackOff' } } },
]);

describe('the reporter of a Kubernetes cluster', () => {
  let place: Place;
  let member: Caller;
  let url: string;
  let server: Server;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let env: Record<string, string>;
  const asked: string[] = [];

  beforeAll(async () => {
    place = new Place();
    const files = makeCertificates(join(place.folder, 'certificates'));
    const pem = readFileSync(files.server);
    server = createServer({ cert: pem, key: pem }, (request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      answer(request, response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const account = join(place.folder, 'account');
    mkdirSync(account);
    copyFileSync(files.ca, join(account, 'ca.crt'));
    place.write('account/token', `${TOKEN}\n`);
    const service = place.start({ ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP) });
    url = await service.url();
    member = (await worldOf({ url })).as('member');
    env = {
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: String((server.address() as AddressInfo).port),
      REPORTER_SERVICE_ACCOUNT: account,
      REPORTER_URL: url,
      REPORTER_ORGANIZATION: 'acme',
      REPORTER_API_KEY: keyOf('snapshotter'),
    };
  }, 90_000);
  beforeEach(() => void (asked.length = 0));
  afterAll(async () => {
    server.close();
    await place.clear();
  });

  const json = (response: ServerResponse, body: object, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const list = (items: readonly object[], next = '') => ({
    ...{ kind: 'PodList', apiVersion: 'v1' },
    metadata: { resourceVersion: '900', ...(next === '' ? {} : { continue: next, remainingItemCount: 1 }) },
    items,
  });
  const made = async () => {
    const name = fresh('cluster');
    await member.expect(201, 'PUT', '/environments/acme', { json: { name, type: 'K8S' } });
    return name;
  };
  async function run(environment: string, more: Record<string, string> = {}) {
    const one = place.start({ ...env, REPORTER_ENVIRONMENT: environment, ...more }, [], 'kubernetes-reporter');
    return { code: await one.ended, out: one.out, err: one.err };
  }

  it('reports all running pods from all pages, and an equal report creates no snapshot', async () => {
    answer = (request, response) => {
      const place = new URL(request.url ?? '', 'http://x').searchParams.get('continue');
      json(response, place === null ? list([web], 'page-2') : list([local, waiting]));
    };
    const name = await made();
    expect(await run(name)).toEqual({ code: 0, out: '2 pods: "Report processed, snapshot 1 created"\n', err: '' });
    const query = 'limit=500&fieldSelector=status.phase%3DRunning';
    expect(asked).toEqual([
      `GET /api/v1/pods?${query} Bearer ${TOKEN}`,
      `GET /api/v1/pods?${query}&continue=page-2 Bearer ${TOKEN}`,
    ]);
    const { artifacts } = await member.get<SnapshotAnswer>(`/snapshots/acme/${name}/-1`);
    const byName = new Map(artifacts.map((one) => [one.name, one]));
    expect([...byName.keys()].sort()).toEqual(['local:dev', 'shop/proxy:2', 'shop/web:1.4']);
    expect(byName.get('shop/web:1.4')).toMatchObject({
      fingerprint: digest('web'),
      creationTimestamp: [Date.parse(STARTED) / 1_000],
      pods: { 'web-5d9c7b4f6-x2x7k': { namespace: 'shop', owners: [{ kind: 'ReplicaSet', name: 'web-5d9c7b4f6' }] } },
    });
    // An image that no registry knows has no fingerprint.
    expect(byName.get('local:dev')?.fingerprint).toBe('');
    expect(await run(name)).toMatchObject({ code: 0, out: '2 pods: "Report processed, no new snapshot needed"\n' });
  }, 60_000);

  it('reads the configured namespaces, and restarts a list whose continue token expired', async () => {
    let gone = 0;
    answer = (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
      if (pathname === '/api/v1/namespaces/shop/pods') return void json(response, list([web]));
      if (!searchParams.has('continue')) return void json(response, list([local], 'old'));
      gone += 1;
      if (gone === 1)
        return void json(response, { kind: 'Status', message: 'The provided continue parameter is too old' }, 410);
      json(response, list([]));
    };
    const name = await made();
    const { code, out } = await run(name, { REPORTER_NAMESPACES: 'shop,tools' });
    expect([code, out]).toEqual([0, '2 pods: "Report processed, snapshot 1 created"\n']);
    expect(gone).toBe(2);
  }, 60_000);

  it('reports nothing if it may not read everything', async () => {
    answer = (request, response) =>
      request.url?.includes('/shop/') === true
        ? json(response, list([web]))
        : json(response, { kind: 'Status', message: 'pods is forbidden' }, 403);
    const name = await made();
    const { code, err } = await run(name, { REPORTER_NAMESPACES: 'shop,tools' });
    expect([code, err]).toEqual([1, 'Kubernetes answers 403 to /api/v1/namespaces/tools/pods: pods is forbidden\n']);
    expect(await member.get<unknown[]>(`/snapshots/acme/${name}`)).toEqual([]);
  }, 60_000);

  it('prints missing settings and refusals of the service', async () => {
    answer = (_request, response) => json(response, list([web]));
    expect(await run('', {})).toEqual({ code: 1, out: '', err: 'REPORTER_ENVIRONMENT is not set.\n' });
    const { code, err } = await run('unknown');
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('The service answers 404: {"message":"Environment not found"'),
    ]);
    const wrong = await run(await made(), { REPORTER_API_KEY: 'wrong' });
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('The service answers 401')]);
  }, 60_000);
});
