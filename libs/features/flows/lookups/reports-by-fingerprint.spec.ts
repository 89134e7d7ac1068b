import type { Collection, Document, Documents } from '@assurance/storage-ports';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import { provenanceId, type ProvenanceDocument, provenances } from '../domain/provenance';
import { readEvidence } from './evidence';
import { REPORTS_MAX, reportsByFingerprint } from './reports-by-fingerprint';

const ORG = 'org-acme';

function reportOf(fingerprint: string, trail: number): ProvenanceDocument {
  const stream = `trail/flow-shop/${trail}`;
  const first = {
    artifactId: `${fingerprint}-${trail}`,
    flow: { id: 'flow-shop', name: 'shop' },
    trail: String(trail),
    template: null,
    filename: 'web',
    gitCommit: 'c'.repeat(40),
    commitUrl: null,
    buildUrl: null,
    commit: null,
    repo: null,
    reportedAt: 1_700_000_000_000 + trail,
  };
  return { org: ORG, fingerprint, stream, first, reported: '' };
}

/** Wraps documents and counts the look-ups. */
function countLookups(documents: Documents): { readonly documents: Documents; readonly finds: () => number } {
  let finds = 0;
  const collection = <T extends Document>(definition: Parameters<Documents['collection']>[0]): Collection<T> => {
    const opened = documents.collection(definition) as Collection<T>;
    return { ...opened, find: (query) => ((finds += 1), opened.find(query)) };
  };
  return { documents: { ...documents, collection } as Documents, finds: () => finds };
}

describe('the reports of fingerprints', () => {
  it.each([
    ['of hundreds are read some at a time', 200, 1, 4],
    ['are read one by one where those of some together are too many', 3, 400, 4],
  ])('%s, first report first', async (_, fingerprints, trails, reads) => {
    const { engines, close } = await openTemporary();
    const names = Array.from({ length: fingerprints }, (__, i) => `fingerprint-${i}`);
    for (const name of names) {
      const reports = Array.from({ length: trails }, (__, trail) => reportOf(name, trails - trail));
      await engines.documents
        .collection(provenances)
        .write(reports.map((doc) => ({ kind: 'put', id: provenanceId(name, doc.stream), doc })));
    }
    const { documents, finds } = countLookups(engines.documents);
    const results = await reportsByFingerprint(documents, ORG, new Set([...names, 'unknown']));
    expect([...results.keys()].sort()).toEqual(names.sort());
    const times = (results.get('fingerprint-1') ?? []).map(({ first }) => first.trail);
    expect(times).toEqual(Array.from({ length: Math.min(trails, REPORTS_MAX) }, (__, i) => String(i + 1)));
    expect(finds()).toBeLessThanOrEqual(reads + 1);
    await close();
  });

  it('are read some at a time for evidence too', async () => {
    const { engines, close } = await openTemporary();
    const { documents, finds } = countLookups(engines.documents);
    const names = Array.from({ length: 200 }, (_, i) => `fingerprint-${i}`);
    expect([...(await readEvidence(documents, ORG, names))]).toEqual([]);
    expect(finds()).toBeLessThan(10);
    await close();
  });
});
