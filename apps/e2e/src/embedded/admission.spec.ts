// The admission webhook as a process in front of the real service.
import { join } from 'node:path';
import type { Caller } from '../support/caller';
import { type Certificates, makeCertificates } from '../support/certificates';
import { BOOTSTRAP, keyOf } from '../support/declared';
import { Place, type Process } from '../support/process';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  fresh,
  policy,
  policyYaml,
  post,
  PROVENANCE,
} from '../support/samples';
import { ApiServer, podOf } from '../support/webhook';
import { worldOf } from '../support/world';

const [REFUSED, ALLOWED] = [{ allowed: false }, { allowed: true }];
/** A name of an image with this digest. */
const image = (sha256: string, name = 'shop/web') => `${name}@sha256:${sha256}`;
const containing = (text: string) => expect.stringContaining(text) as string;

describe('the admission webhook', () => {
  let place: Place;
  let member: Caller;
  let url: string;
  let certificates: Certificates;
  let name: string;
  let server: Process;
  let api: ApiServer;
  const unrecorded = image(digest('nobody recorded this'));
  let web: string;

  const serve = async (admission: object, top: object = {}) => {
    const config = {
      url,
      organization: 'acme',
      admission: {
        port: 0,
        host: '127.0.0.1',
        tlsCertFile: certificates.server,
        tlsKeyFile: certificates.server,
        namespaces: { exclude: ['kube-system'] },
        failOpen: { include: ['tools'] },
        timeoutSeconds: 5,
        stopDelaySeconds: 0,
        ...admission,
      },
      ...top,
    };
    const path = place.write(`${fresh('config')}.yaml`, JSON.stringify(config));
    const process = place.start({ REPORTER_API_KEY: keyOf('member') }, [], 'reporter', ['admission', '--config', path]);
    return { process, api: new ApiServer(await process.url(), certificates) };
  };

  beforeAll(async () => {
    place = new Place();
    certificates = makeCertificates(join(place.folder, 'certificates'));
    const service = place.start({ ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP) });
    url = await service.url();
    member = (await worldOf({ url })).as('member');
    name = await environment(member);
    const recorded = digest('recorded');
    web = image(recorded);
    // Its flow complies, whatever a policy of the environment says of it.
    await post(member, await flow(member), artifact(recorded));
    ({ process: server, api } = await serve({ environment: name }));
  }, 90_000);
  afterAll(() => place.clear());

  it('admits pods by the policies of an environment', async () => {
    expect(await api.create('shop', 'shop/web:1')).toMatchObject({
      allowed: false,
      status: { code: 403, message: containing('names no digest') },
    });
    for (const namespace of ['shop', 'tools']) expect(await api.create(namespace, unrecorded)).toMatchObject(REFUSED);
    expect(await api.create('kube-system', 'any')).toEqual({ uid: 'review-1', allowed: true });
    const unjudged = `${web}: nothing judges artifacts in ${name}`;
    expect(await api.create('shop', web)).toMatchObject({ allowed: false, status: { message: containing(unjudged) } });
    expect(await api.create('tools', web)).toMatchObject({
      allowed: true,
      warnings: [`not judged: ${unjudged}`.slice(0, 256)],
    });
    await attach(member, name, await policy(member, PROVENANCE));
    expect(await api.create('shop', web)).toEqual({ uid: 'review-1', allowed: true });
  }, 60_000);

  describe('once a policy judges', () => {
    it('judges the images that an update brings, and no other update', async () => {
      const update = (namespace: string, oldObject: object, object: object, subResource?: string) =>
        api.review({ namespace, operation: 'UPDATE', object, oldObject, subResource });
      const [old, labelled] = [podOf(unrecorded), { ...podOf(unrecorded), metadata: { labels: { a: 'b' } } }];
      for (const namespace of ['shop', 'tools']) {
        // What runs already goes on: labels, finalizers and deletion are updates too.
        expect(await update(namespace, old, labelled)).toMatchObject(ALLOWED);
        expect(await update(namespace, podOf(web), podOf(unrecorded))).toMatchObject(REFUSED);
        expect(await update(namespace, old, podOf(web))).toMatchObject(ALLOWED);
        const { spec } = podOf(web);
        const debugged = { spec: { ...spec, ephemeralContainers: [{ name: 'debug', image: unrecorded }] } };
        expect(await update(namespace, { spec }, debugged, 'ephemeralcontainers')).toMatchObject(REFUSED);
      }
    });

    it('judges containers, init containers and image volumes of a new pod', async () => {
      const { spec } = podOf(web);
      const volumes = [{ name: 'model', image: { reference: unrecorded } }];
      const initContainers = [{ name: 'init', image: unrecorded }];
      for (const object of [
        { spec: { ...spec, volumes } },
        { spec: { ...spec, initContainers } },
        podOf(web, unrecorded),
      ])
        expect(await api.review({ namespace: 'tools', object })).toMatchObject(REFUSED);
      const compliant = {
        ...spec,
        volumes: [
          { name: 'model', image: { reference: web } },
          { name: 'tmp', emptyDir: {} },
        ],
      };
      expect(await api.review({ namespace: 'shop', object: { spec: compliant } })).toMatchObject(ALLOWED);
    });

    it('never admits an unrecorded image among names of a compliant one, in an open namespace either', async () => {
      const names = (count: number) => Array.from({ length: count }, (_, i) => image(web.slice(-64), `shop/web-${i}`));
      const flood = await api.create('tools', ...names(1_000), unrecorded);
      expect(flood).toMatchObject({ allowed: false, status: { message: containing('1001 different images') } });
      const others = Array.from({ length: 40 }, () => api.create('tools', ...names(99), unrecorded));
      for (const answer of [...(await Promise.all(others)), await api.create('tools', ...names(1_000))])
        expect(answer).toMatchObject(REFUSED);
      expect(await api.create('shop', ...names(100))).toMatchObject(ALLOWED);
    }, 60_000);

    it('refuses what a further policy refuses', async () => {
      const reviewed = policyYaml('  attestations:\n    - {name: "*", type: pull_request}\n');
      await attach(member, name, await policy(member, reviewed));
      for (const namespace of ['shop', 'tools']) {
        expect(await api.create(namespace, web)).toMatchObject({
          allowed: false,
          status: { message: containing('is not compliant') },
        });
      }
    });

    it('ends when it is asked to', async () => {
      expect(await server.stop()).toBe(0);
    });
  });

  it('fails open or closed by namespace where the service is away', async () => {
    const { api } = await serve({ environment: name }, { url: 'http://127.0.0.1:1' });
    expect(await api.get('/ready')).toBe(200);
    expect(await api.create('shop', unrecorded)).toMatchObject(REFUSED);
    expect(await api.create('tools', unrecorded)).toMatchObject({
      allowed: true,
      warnings: [containing('not judged')],
    });
  }, 60_000);

  it('is not ready before an environment that is missing, says so, and calls that misconfigured and no verdict', async () => {
    const missing = fresh('missing');
    const metricsPort = 19_464 + (process.pid % 500);
    const { process: gate, api } = await serve(
      { environment: missing },
      { metrics: { host: '127.0.0.1', port: metricsPort } },
    );
    expect(await api.get('/live')).toBe(200);
    expect(await api.get('/ready')).toBe(503);
    expect(gate.err).toContain('the gate is misconfigured');
    expect(gate.err).toContain(`Environment named '${missing}' does not exist`);
    const message = containing('the gate is misconfigured');
    expect(await api.create('shop', web)).toMatchObject({ allowed: false, status: { message } });
    expect(await api.create('tools', web)).toMatchObject({ allowed: true, warnings: [message] });
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(metrics).toContain('assurance_admission_reviews_total{decision="unjudged"} 1');
    expect(metrics).toMatch(/assurance_admission_faults_total\{fault="misconfigured"\} [1-9]/);
    await member.expect(201, 'PUT', '/environments/acme', { json: { name: missing, type: 'K8S' } });
    while ((await api.get('/ready')) !== 200) await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await api.create('shop', unrecorded)).toMatchObject({
      allowed: false,
      status: { message: containing('does not exist') },
    });
    await member.expect(200, 'PUT', `/environments/acme/${missing}/archive`);
    expect(await api.create('shop', web)).toMatchObject({ allowed: false, status: { message } });
    expect(await gate.stop()).toBe(0);
  }, 60_000);
});
