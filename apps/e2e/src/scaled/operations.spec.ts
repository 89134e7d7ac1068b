import * as os from 'node:os';
import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import { BSON, MongoClient, MongoServerError } from 'mongodb';
import type { Caller } from '../support/caller';
import { eventually } from '../support/eventually';
import { notExported } from '../support/observability';
import { artifact, digest, environment, flow, item, post, report } from '../support/samples';
import type { Settings } from '../support/running';
import { servers } from '../support/servers';
import { type SplitServices, startReplicated } from '../support/split';
import { worldOf } from '../support/world';

const START_MS = 90_000;
const EVER = 'start_ts=0&end_ts=9999999999&per_page=50';
const REPORTS = 4;
const EMBEDDED_METRICS = [
  'assurance_data_disk_bytes',
  'assurance_data_file_bytes',
  'assurance_write_queue_bytes',
  'assurance_write_queue_limit_bytes',
];

describe('what operators do on MongoDB and Kafka', () => {
  const settings: Settings = { ...servers(), ASSURANCE_BACKUP_EVERY_SECONDS: '3600' };
  let services: SplitServices;
  let caller: Caller;
  beforeAll(async () => {
    services = await startReplicated(settings);
    caller = (await worldOf(services)).as('member');
  }, START_MS);
  afterAll(async () => {
    await services.stop();
    expect(services.faults).toEqual([]);
  }, START_MS);

  /** Reports, each with its provenance, into an environment and a flow of their own. */
  const work = async (reports: number) => {
    const [env, flowName] = [await environment(caller), await flow(caller)];
    for (let i = 1; i <= reports; i += 1) {
      const fingerprint = digest(`${env} ${i}`);
      await post(caller, flowName, artifact(fingerprint));
      await report(caller, env, [item({ web: fingerprint })]);
    }
    return { env, flowName };
  };
  const deployments = (env: string) => caller.get<OrgDeploymentPage>(`/deployments/acme?env_name=${env}&${EVER}`);
  const operated = async (...[name, ...words]: [string, ...string[]]) => {
    const { outcome, error } = await services.operator.run(name, ...words);
    if (outcome === null) throw new Error(error ?? `${name} did not end`);
    return outcome;
  };

  it.each(['artifacts', 'deployments', 'environment-events', 'flow-activity', 'tags', 'trails'])(
    'builds %s again while reports come, and answers as before',
    async (view) => {
      const { env, flowName } = await work(REPORTS);
      const paths = [
        `/artifacts/acme?flow_name=${flowName}`,
        `/deployments/acme?env_name=${env}&${EVER}`,
        `/environments/acme/${env}/events?per_page=50`,
        `/flows/acme/${flowName}`,
        `/trails/acme?per_page=50&flow=${flowName}`,
      ];
      const answers = () => Promise.all(paths.map((path) => caller.get<unknown>(path)));
      const before = await answers();
      const [rebuilt, ...others] = await Promise.all([operated('rebuild', view), work(REPORTS), work(REPORTS)]);
      expect(rebuilt).toMatchObject({ ok: true });
      expect(await answers()).toEqual(before);
      for (const other of others) expect(await deployments(other.env)).toMatchObject({ total_count: REPORTS });
    },
    60_000,
  );

  it('exports all metrics that alerts and dashboards ask for, but those of the embedded engine', async () => {
    await work(1);
    const missing = await eventually(
      () => notExported(services.operator.addresses),
      (names) => names.length === EMBEDDED_METRICS.length,
    );
    expect(missing).toEqual(EMBEDDED_METRICS);
  });

  it('rebuilds aggregate states during reports, and finds none wrong', async () => {
    const [rebuilt, { env }] = await Promise.all([operated('rebuild-heads'), work(REPORTS)]);
    expect(rebuilt).toMatchObject({ ok: true });
    expect(await deployments(env)).toMatchObject({ total_count: REPORTS });
  }, 60_000);

  it('verifies every stream, and names a removed commit', async () => {
    const { env } = await work(2);
    expect(await operated('verify')).toMatchObject({ ok: true, details: { faults: 0 } });
    const client = new MongoClient(settings['MONGODB_URL'] ?? '', { runtimeAdapters: { os } });
    try {
      const commits = client.db().collection<{ _id: string; stream: string; seq: number }>('commits');
      const newest = await commits
        .find({ stream: /^environment\// })
        .sort({ at: -1 })
        .limit(1)
        .next();
      const taken = await commits.findOneAndDelete({ stream: newest?.stream ?? '', seq: 2 });
      const { ok, details } = await operated('verify');
      const expectedFault = { stream: newest?.stream, seq: 3, fault: 'the commit 2 before it is gone' };
      expect([ok, details]).toMatchObject([false, { first: expect.arrayContaining([expectedFault]) as unknown[] }]);
      await commits.insertOne(taken!);
      expect(await operated('verify')).toMatchObject({ ok: true });
    } finally {
      await client.close();
    }
    expect(await deployments(env)).toMatchObject({ total_count: 2 });
  }, 60_000);

  it('names attachments whose content is lost, cut or changed', async () => {
    const [flowName, content] = [await flow(caller), 'all 12 tests passed'];
    const attested = new FormData();
    attested.set('data_json', JSON.stringify({ attestation_name: 'tests', is_compliant: true }));
    attested.append('attachment_file', new Blob([content]), 'junit.xml');
    await caller.expect(201, 'POST', `/attestations/acme/${flowName}/trail/build-1/generic`, { form: attested });
    const path = `/attestations/acme/${flowName}/trail/build-1/tests`;
    const [result] = await caller.get<{ attestation_id: string }[]>(path);
    const fault = (what: string) =>
      expect.stringMatching(
        `^the attachment "junit.xml" .* of attestation ${result?.attestation_id} .* ${what}`,
      ) as string;
    const client = new MongoClient(settings['MONGODB_URL'] ?? '', { runtimeAdapters: { os } });
    try {
      expect(await operated('verify')).toMatchObject({ ok: true });
      const records = client.db().collection<{ _id: string; file: BSON.ObjectId }>('blob_digests');
      const chunks = client.db().collection<{ files_id: BSON.ObjectId; data: BSON.Binary }>('blobs.chunks');
      const record = await records.findOne({ sha256: digest(content) });
      const chunk = await chunks.findOne({ files_id: record?.file ?? new BSON.ObjectId() });
      const verified = async () => {
        const { ok, details } = await operated('verify');
        return [ok, (details as { first: { fault: string }[] }).first.map((fault) => fault.fault)];
      };
      await records.deleteOne({ _id: record!._id });
      expect(await verified()).toEqual([false, [fault('is lost')]]);
      await records.insertOne(record!);
      await chunks.deleteOne({ _id: chunk!._id });
      expect(await verified()).toEqual([false, [fault('cannot be read: ')]]);
      const data = new BSON.Binary(Buffer.from(content.toUpperCase()));
      await chunks.insertOne({ ...chunk!, data });
      expect(await verified()).toEqual([false, [fault('has changed: ')]]);
      await chunks.replaceOne({ _id: chunk!._id }, chunk!);
      expect(await verified()).toEqual([true, []]);
    } finally {
      await client.close();
    }
  }, 60_000);

  it('serves every request while one instance of each service stops', async () => {
    const working = [work(REPORTS), work(REPORTS)];
    await work(1);
    await Promise.all([services.ingestion[1]?.close(), services.projection[1]?.close()]);
    for (const { env } of await Promise.all(working)) {
      expect(await deployments(env)).toMatchObject({ total_count: REPORTS });
    }
  }, 60_000);

  it('erases an organization from every collection', async () => {
    const mark = 'zebra';
    const env = await environment(caller, { description: mark });
    const flowName = await flow(caller);
    await post(caller, flowName, artifact(digest(mark), { trail_name: mark, filename: mark }));
    const attested = new FormData();
    attested.set('data_json', JSON.stringify({ attestation_name: mark, is_compliant: true }));
    attested.append('attachment_file', new Blob([mark]), mark);
    await caller.expect(201, 'POST', `/attestations/acme/${flowName}/trail/${mark}/generic`, { form: attested });
    await report(caller, env, [item({ [mark]: digest(mark) })]);
    await operated('checkpoint');
    const client = new MongoClient(settings['MONGODB_URL'] ?? '', { runtimeAdapters: { os } });
    try {
      const withMark = async () => {
        const results: string[] = [];
        for (const { collectionName: name } of await client.db().collections()) {
          // A rebuild may drop a collection while it is read.
          const all = await client.db().collection(name).find().toArray().catch(nothingIfDropped);
          if (all.some((doc) => Buffer.from(BSON.serialize(doc)).includes(mark))) results.push(name);
        }
        return results.sort();
      };
      expect(await withMark()).toEqual(expect.arrayContaining(['blobs.chunks', 'commits', 'data_chunks']));
      expect(await operated('erase-organization', 'acme', '--confirm', 'acme')).toMatchObject({ ok: true });
      expect(await eventually(withMark, (names) => names.length === 0)).toEqual([]);
      expect(await operated('verify')).toMatchObject({ ok: true, details: { erased: [{ name: 'acme' }] } });
    } finally {
      await client.close();
    }
  }, 90_000);
});

/** What MongoDB answers for a query whose collection was dropped meanwhile. */
const QUERY_PLAN_KILLED = 175;

function nothingIfDropped(error: unknown): [] {
  if (error instanceof MongoServerError && error.code === QUERY_PLAN_KILLED) return [];
  throw error;
}
