import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Caller } from '../support/caller';
import { type Certificates, makeCertificates } from '../support/certificates';
import { BOOTSTRAP, keyOf } from '../support/declared';
import { Place, Process } from '../support/process';
import { digest, fresh } from '../support/samples';
import { worldOf } from '../support/world';

const TOKEN = 'the-token-of-the-service-account';

/** A pod as Kubernetes 1.29 lists it, without the fields that nothing reads here. */
function pod(name: string, image: string, sha256: string, namespace = 'shop') {
  return {
    metadata: { name, namespace, uid: 'u-1', creationTimestamp: '2026-11-02T09:59:58Z', resourceVersion: '812' },
    spec: { containers: [{ name: 'main', image, resources: {} }], nodeName: 'node-1' },
    status: {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'main',
          image,
          imageID: `${image.split(':')[0]}@sha256:${sha256}`,
          ready: true,
          state: { running: {} },
        },
      ],
    },
  };
}

const list = (items: readonly object[], next = '') => ({
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '900', ...(next === '' ? {} : { continue: next }) },
  items,
});

const json = (response: ServerResponse, body: object, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

describe('the reporter', () => {
  let place: Place;
  let member: Caller;
  let url: string;
  let certificates: Certificates;
  let env: Record<string, string>;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const requests: string[] = [];
  let closeCluster: () => void;

  beforeAll(async () => {
    place = new Place();
    certificates = makeCertificates(join(place.folder, 'certificates'));
    const pem = readFileSync(certificates.server);
    const cluster = createServer({ cert: pem, key: pem }, (request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      answer(request, response);
    });
    await once(cluster.listen(0, '127.0.0.1'), 'listening');
    closeCluster = () => {
      cluster.close();
      cluster.closeAllConnections();
    };
    const account = join(place.folder, 'account');
    mkdirSync(account);
    copyFileSync(certificates.ca, join(account, 'ca.crt'));
    place.write('account/token', `${TOKEN}\n`);
    const service = place.start({ ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP) });
    url = await service.url();
    member = (await worldOf({ url })).as('member');
    env = {
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: String((cluster.address() as AddressInfo).port),
      REPORTER_SERVICE_ACCOUNT: account,
      REPORTER_API_KEY: keyOf('member'),
    };
  }, 90_000);
  beforeEach(() => void (requests.length = 0));
  afterAll(async () => {
    closeCluster();
    await place.clear();
  });

  const configured = (environments: readonly object[], top: object = {}) =>
    place.write(
      `${fresh('config')}.yaml`,
      JSON.stringify({ url, organization: 'acme', create: true, environments, ...top }),
    );
  const start = (config: string, words: readonly string[] = [], more: Record<string, string> = {}) =>
    place.start({ ...env, ...more }, [], 'reporter', ['--config', config, ...words]);
  async function run(config: string, words: readonly string[] = [], more: Record<string, string> = {}) {
    const reporter = start(config, words, more);
    return { code: await reporter.ended, out: reporter.out, err: reporter.err };
  }
  const running = async (environment: string) => {
    const { artifacts } = await member.get<SnapshotAnswer>(`/snapshots/acme/${environment}/-1`);
    return artifacts.map(({ name, fingerprint }) => [name, fingerprint]).sort();
  };

  it('prints its version without a configuration', async () => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../../../../package.json'), 'utf8')) as {
      version: string;
    };
    expect(await run('/nowhere', ['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  it('creates environments, and reports all pages of several at once', async () => {
    const [shop, all] = [fresh('shop'), fresh('all')];
    answer = (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
      if (pathname === '/api/v1/namespaces') {
        return void json(response, list(['shop', 'shop-2', 'tools'].map((name) => ({ metadata: { name } }))));
      }
      if (pathname === '/api/v1/namespaces/shop-2/pods')
        return void json(response, list([pod('b', 'web:2', digest('b'), 'shop-2')]));
      if (searchParams.get('continue') === null)
        return void json(response, list([pod('a', 'web:1', digest('a'))], 'page-2'));
      json(response, list([pod('c', 'mail:1', digest('c'))]));
    };
    const config = configured([
      { environment: all, kind: 'K8S' },
      { environment: shop, kind: 'K8S', namespaces: { includeRegex: ['^shop'], exclude: ['tools'] } },
    ]);
    const { code, err } = await run(config);
    expect([code, err]).toEqual([0, expect.stringContaining('snapshot 1 created')]);
    const [a, b, c] = [
      ['web:1', digest('a')],
      ['web:2', digest('b')],
      ['mail:1', digest('c')],
    ];
    expect(await running(all)).toEqual([c, a]);
    expect(await running(shop)).toEqual([c, a, b]);
    expect(requests.every((request) => request.endsWith(`Bearer ${TOKEN}`))).toBe(true);
  }, 60_000);

  it('prints in a dry run what it would send, and needs no key for it', async () => {
    answer = (_request, response) => void json(response, list([pod('a', 'web:1', digest('a'))]));
    const name = fresh('dry');
    const { code, out } = await run(configured([{ environment: name, kind: 'K8S' }]), ['--dry-run'], {
      REPORTER_API_KEY: '',
    });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      artifacts: [
        {
          podName: 'a',
          namespace: 'shop',
          digests: { 'web:1': digest('a') },
          creationTimestamp: 1_793_613_598,
          owners: null,
        },
      ],
    });
    expect((await member.send('GET', `/environments/acme/${name}`)).status).toBe(404);
  }, 60_000);

  it('sends nothing when a page or a namespace is missing, and says so in log and metrics', async () => {
    answer = (request, response) =>
      request.url?.includes('/shop/') === true
        ? json(response, list([pod('a', 'web:1', digest('a'))]))
        : json(response, { kind: 'Status', message: 'pods is forbidden' }, 403);
    const name = fresh('partial');
    const metricsFile = join(place.folder, `${name}.prom`);
    const config = configured([{ environment: name, kind: 'K8S', namespaces: { include: ['shop', 'tools'] } }], {
      metricsFile,
    });
    const { code, err } = await run(config);
    expect(code).toBe(1);
    expect(err).toContain(
      'The list is incomplete, so nothing is sent: Kubernetes answers 403 to /api/v1/namespaces/tools/pods: pods is forbidden',
    );
    expect(readFileSync(metricsFile, 'utf8')).toContain(
      `assurance_reporter_reports_total{environment="${name}",kind="K8S",result="incomplete"} 1`,
    );
    expect((await member.send('GET', `/environments/acme/${name}`)).status).toBe(404);
  }, 60_000);

  it('follows a watch, and sends the last state once the service is there again', async () => {
    const name = fresh('watched');
    let image = 'web:1';
    let sha256 = digest('one');
    const watching = deferred<ServerResponse>();
    answer = (request, response) => {
      if (request.url?.includes('watch=1') !== true) return void json(response, list([pod('a', image, sha256)]));
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      watching.resolve(response);
    };
    // A proxy between the reporter and the service. It is unreachable until it is told to forward requests.
    let away = true;
    const refused = deferred<void>();
    const bodies: string[] = [];
    const front = createHttpServer((request, response) => {
      void text(request).then(async (body) => {
        if (request.method === 'PUT' && request.url?.includes('/report/') === true) bodies.push(body);
        if (away) {
          if (bodies.length > 0) refused.resolve();
          return void response.writeHead(503, { 'retry-after': '1' }).end();
        }
        const passed = await fetch(`${url}${request.url}`, {
          method: request.method,
          headers: { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' },
          ...(body === '' ? {} : { body }),
        });
        response.writeHead(passed.status).end(await passed.text());
      });
    });
    await once(front.listen(0, '127.0.0.1'), 'listening');
    await member.expect(201, 'PUT', '/environments/acme', { json: { name, type: 'K8S' } });
    const config = configured([{ environment: name, kind: 'K8S', create: false }], {
      url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
      interval: 3_600,
    });
    const reporter = start(config);
    try {
      await refused.promise;
      [image, sha256] = ['web:2', digest('two')];
      requests.length = 0;
      (await watching.promise).write(`${JSON.stringify({ type: 'MODIFIED', object: {} })}\n`);
      await until(
        () => requests.some((request) => !request.includes('watch=1')) && bodies.some((body) => body.includes('web:2')),
      );
      away = false;
      await until(() => reporter.err.includes('snapshot 1 created'));
      expect(await running(name)).toEqual([['web:2', digest('two')]]);
      expect(await reporter.stop()).toBe(0);
    } finally {
      front.close();
      front.closeAllConnections();
    }
  }, 60_000);

  it('reports a Docker daemon, and ends with an error when the service refuses', async () => {
    const socket = join(place.folder, 'docker.sock');
    const daemon = createHttpServer((request, response) =>
      request.url === '/containers/json'
        ? json(response, [{ Id: '1', Names: ['/web'], Image: 'shop/web:1', Created: 1_793_613_600 }])
        : json(response, { RepoDigests: [`shop/web@sha256:${digest('docker')}`] }),
    );
    await once(daemon.listen(socket), 'listening');
    const name = fresh('docker');
    const config = configured([{ environment: name, kind: 'docker', socket }]);
    expect((await run(config)).code).toBe(0);
    expect(await running(name)).toEqual([['shop/web:1', digest('docker')]]);
    const wrong = await run(config, [], { REPORTER_API_KEY: 'wrong' });
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('The service answers 401')]);
    daemon.close();
    daemon.closeAllConnections();
  }, 60_000);

  it('runs as a Lambda function, and trusts the authority of the configuration', async () => {
    answer = (_request, response) => void json(response, list([pod('a', 'web:1', digest('a'))]));
    const pem = readFileSync(certificates.server);
    const received: string[] = [];
    const front = createServer({ cert: pem, key: pem }, (request, response) => {
      received.push(`${request.method} ${request.url}`);
      response.writeHead(200).end('"OK"');
    });
    await once(front.listen(0, '127.0.0.1'), 'listening');
    const service = `https://127.0.0.1:${(front.address() as AddressInfo).port}`;
    const call = async (top: object) => {
      const config = configured([{ environment: 'live', kind: 'K8S' }], {
        url: service,
        create: false,
        retrySeconds: 1,
        ...top,
      });
      const main = join(__dirname, '../../../reporter/dist/main.js');
      const words = ['-e', `require(${JSON.stringify(main)}).handler().catch(() => process.exit(3))`];
      const variables = { ...env, REPORTER_CONFIG: config, AWS_LAMBDA_RUNTIME_API: '127.0.0.1:1' };
      const reporter = new Process(
        spawn(process.execPath, words, { env: variables, stdio: ['ignore', 'pipe', 'pipe'] }),
      );
      return { code: await reporter.ended, err: reporter.err };
    };
    const stranger = await call({});
    expect([stranger.code, received]).toEqual([3, []]);
    expect(stranger.err).toContain('certificate');
    expect((await call({ caFile: certificates.ca })).code).toBe(0);
    expect(received).toEqual(['PUT /api/v2/environments/acme/live/report/K8S']);
    front.close();
    front.closeAllConnections();
  }, 60_000);
});

/** Repeats until the condition holds. The time limit of the test ends it. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((fulfil) => (resolve = fulfil));
  return { promise, resolve };
}
