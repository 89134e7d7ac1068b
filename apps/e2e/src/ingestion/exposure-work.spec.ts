import type { PolicyAttached } from '@assurance/contracts/policies/events';
import { EraseDocuments } from '@assurance/audit/write/erase-documents';
import { type Environment, environmentStates, running } from '@assurance/contracts/environments/documents';
import type { AggregateState } from '@assurance/contracts/events/aggregate';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { keyOf, streams } from '@assurance/contracts/events/streams';
import { type AttestationDocument, attestations } from '@assurance/flows/domain/attestation';
import { provenances } from '@assurance/flows/domain/provenance';
import { canonicalJson, sha256 } from '@assurance/kernel';
import type { CollectionDefinition, Commit, Document, Documents, StoredEvent } from '@assurance/storage-ports';
import { exposureWorkAfter } from '@assurance/vulnerabilities/write/exposure-work';
import { ExposureQueue } from '@assurance/vulnerabilities/write/exposure-worker';
import { graceEnds, noteGraceEnd } from '@assurance/vulnerabilities/write/grace-ends';
import { FINGERPRINTS, streamsOf } from '../support/deployment-streams';
import { temporaryEngines } from '../support/temporary-engines';

/** An event as a commit holds it. */
function stored({ type, version, data }: DomainEvent): StoredEvent {
  const text = canonicalJson(data);
  return { type, version, digest: sha256(text), size: Buffer.byteLength(text), data: text };
}

/** A snapshot in which an artifact starts, a policy that is attached there, and a report of the artifact. */
function commitsOf(org: string): readonly Commit[] {
  const [firstFingerprint = ''] = FINGERPRINTS;
  const [[snapshot] = [], [report] = []] = streamsOf(
    org,
    [[[firstFingerprint]]],
    [[{ fingerprint: firstFingerprint, at: 1 }]],
  );
  if (snapshot === undefined || report === undefined) throw new Error('no events');
  const environment = keyOf(snapshot.meta.stream);
  const attached: PolicyAttached = {
    type: 'PolicyAttached',
    version: 1,
    data: { policy: { id: 'p', name: 'strict' }, environment },
  };
  return [snapshot, { event: attached, meta: snapshot.meta }, report].map(({ event, meta }, i) => ({
    id: `c${i}`,
    org,
    stream: meta.stream,
    seq: i + 1,
    at: meta.at,
    actor: 'ada',
    correlation: 'spec',
    prev: null,
    events: [stored(event)],
  }));
}

describe('where a commit may have exposed what runs', () => {
  const engines = temporaryEngines();

  it('is not looked up for an organization that has neither imports nor findings', async () => {
    const { documents } = engines();
    const shapes: readonly CollectionDefinition<Document>[] = [running, provenances, attestations];
    const finds = shapes.map((shape) => jest.spyOn(documents.collection(shape), 'find'));
    expect(await exposureWorkAfter(engines(), [...commitsOf('quiet'), ...commitsOf('quiet')])).toEqual(new Map());
    // Whether there are findings is asked once for a batch.
    expect(finds.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 1]);
  });

  it('a policy counts once a scanner found something, an artifact only if it was in that', async () => {
    const { documents } = engines();
    const scan = { org: 'scanned', findings: true, at: 1, id: 'a1' } as AttestationDocument;
    await documents.collection(attestations).write([{ kind: 'put', id: 'a1', doc: scan }]);
    const all = commitsOf('scanned');
    const due = await exposureWorkAfter(engines(), all);
    expect([...due.values()]).toEqual([{ org: 'scanned', correlation: 'spec', fingerprints: null, seq: 0 }]);
    expect(
      await exposureWorkAfter(
        engines(),
        [all[0], all[2]].flatMap((commit) => commit ?? []),
      ),
    ).toEqual(new Map());
  });
});

describe('environments in which vulnerabilities are looked for', () => {
  const engines = temporaryEngines();

  it('are processed in turn by organization, even if an import makes many of them due', async () => {
    let now = 1;
    const queue = new ExposureQueue(engines().documents, () => now);
    const work = (org: string) => ({ org, correlation: 'spec', fingerprints: null, seq: 1 });
    await queue.enqueue(new Map(Array.from({ length: 300 }, (_, i) => [`acme-${i}`, work('acme')])));
    now += 1;
    await queue.enqueue(new Map([['other-1', work('other')]]));
    expect((await queue.ready(100)).slice(0, 2).map(({ owner }) => owner)).toEqual(['acme', 'other']);
  });
});

describe('the end of a grace period', () => {
  const engines = temporaryEngines();
  const row = { org: 'acme', environment: 'e1', due: 100 };
  const stream = streams.environment(row.environment);
  const ends = () => engines().documents.collection(graceEnds);
  const storedEnd = async () => (await ends().get(row.environment))?.due ?? null;

  beforeEach(async () => {
    const doc = { id: row.environment, org: row.org } as AggregateState<Environment>;
    await engines()
      .documents.collection(environmentStates)
      .write([{ kind: 'put', id: stream, doc }]);
  });

  it('is the earliest of those that are to come', async () => {
    const { documents } = engines();
    const dueTimes: (number | null)[] = [];
    for (const [due, at] of [[100, 1] as const, [200, 2] as const, [50, 3] as const, [300, 60] as const]) {
      await noteGraceEnd(documents, { ...row, due }, at);
      dueTimes.push(await storedEnd());
    }
    expect(dueTimes).toEqual([100, 100, 50, 300]);
  });

  it('is not kept of an environment that is erased while it is noted', async () => {
    const { documents } = engines();
    const erasure = new EraseDocuments(engines(), row.org);
    const erased: Documents = {
      ...documents,
      collection: (shape) => {
        const collection = documents.collection(shape);
        if (shape.name !== graceEnds.name) return collection;
        const merge: typeof collection.merge = async (...args) => {
          await erasure.eraseOfStream(stream);
          await erasure.eraseOthers();
          await collection.merge(...args);
        };
        return new Proxy(collection, {
          get: (target, property: keyof typeof collection) =>
            property === 'merge' ? merge : (target[property] as () => unknown).bind(target),
        });
      },
    };
    await noteGraceEnd(erased, row, 1);
    expect(await storedEnd()).toBeNull();
  });
});
