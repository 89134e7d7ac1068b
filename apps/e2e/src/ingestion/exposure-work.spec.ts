import type { PolicyAttached } from '@assurance/contracts/policies/events';
import { running } from '@assurance/contracts/environments/documents';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { keyOf } from '@assurance/contracts/events/streams';
import { type AttestationDocument, attestations } from '@assurance/flows/domain/attestation';
import { provenances } from '@assurance/flows/domain/provenance';
import { canonicalJson, sha256 } from '@assurance/kernel';
import type { CollectionDefinition, Commit, Document, StoredEvent } from '@assurance/storage-ports';
import { exposureWorkAfter } from '@assurance/vulnerabilities/write/exposure-work';
import { ExposureQueue } from '@assurance/vulnerabilities/write/exposure-worker';
import { FINGERPRINTS, streamsOf } from '../support/deployment-streams';
import { temporaryEngines } from '../support/temporary-engines';

/** An event as a commit holds it. */
function stored({ type, version, data }: DomainEvent): StoredEvent {
  const text = canonicalJson(data);
  return { type, version, digest: sha256(text), size: Buffer.byteLength(text), data: text };
}

/** A snapshot in which an artifact starts, a policy that is attached there, and a report of the artifact. */
function commitsOf(org: string): readonly Commit[] {
  const [one = ''] = FINGERPRINTS;
  const [[snapshot] = [], [report] = []] = streamsOf(org, [[[one]]], [[{ fingerprint: one, at: 1 }]]);
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
        [all[0], all[2]].flatMap((one) => one ?? []),
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
