import type { AttestationReported, ListedComponent } from '@assurance/contracts/evidence/events';
import type { TrailEvent } from '@assurance/contracts/flows/events';
import { attestations } from '@assurance/flows/domain/attestation';
import { trail } from '@assurance/flows/domain/trail';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import { record } from '@assurance/testing/recorded/record';
import { EraseDocuments } from './erase-documents';

const ORG = 'org-acme';
const FLOW = { id: 'flow-shop', name: 'shop' };
const by = { org: ORG, actor: 'user-ada', at: 1_700_000_000_000 };

/** Components with more data than cached events have. */
const components: ListedComponent[] = Array.from({ length: 400 }, (_, i) => ({
  purl: null,
  name: `lib-${i}`,
  version: '1.0.0',
  licences: ['Apache-2.0'],
  sha256: null,
}));

const attested = (id: string): AttestationReported => ({
  type: 'AttestationReported',
  version: 1,
  data: {
    id,
    name: 'bom',
    type: 'sbom',
    countsAs: 'sbom',
    target: { kind: 'trail' },
    compliant: true,
    previous: null,
    overriddenId: null,
    typeVersion: null,
    control: null,
    commit: null,
    repo: null,
    originUrl: null,
    attachments: [],
    components: { listed: components.length, left: 0 },
  },
});

/** A trail with commits that refer to data outside of them. The data is the same for all trails. */
function trailOf(name: string): (TrailEvent | readonly [TrailEvent, ...TrailEvent[]])[] {
  const userData = { text: 'x'.repeat(100_000) };
  return [
    { type: 'TrailBegun', version: 1, data: { flow: FLOW, name, templateId: 't-1', commit: null } as never },
    [attested(`${name}-one`), { type: 'ComponentsListed', version: 1, data: { components } }],
    attested(`${name}-two`),
    { type: 'TrailUpdated', version: 1, data: { userData } },
    attested(`${name}-three`),
  ];
}

describe('documents of an organization that is erased', () => {
  it.each([
    ['of a trail go where a list of components was removed with another', 3],
    ['of all trails go before data that these share is removed', 5],
  ])('%s', async (_, commits) => {
    const { engines, close } = await openTemporary();
    const streams = ['one', 'two'].map((name) => ({ name, stream: `trail/${FLOW.id}/${name}` }));
    for (const { name } of streams) {
      await record(engines, trail, `${FLOW.id}/${name}`, by, trailOf(name).slice(0, commits));
    }
    const left = async () => {
      const results = await engines.documents.collection(attestations).find({
        where: { org: ORG, at: { gte: 0 } },
        order: [
          ['at', 'desc'],
          ['id', 'desc'],
        ],
        limit: 100,
      });
      return results.map(({ id }) => id);
    };
    expect(await left()).toHaveLength(2 * (commits === 3 ? 2 : 3));
    const documents = new EraseDocuments(engines, ORG);
    // With 5 commits, one process is killed after this step, and another one continues.
    if (commits === 5) for (const { stream } of streams) await documents.eraseOfStream(stream);
    for (const { stream } of streams) {
      await documents.eraseOfStream(stream);
      await engines.events.removeStream(stream);
    }
    expect(await left()).toEqual([]);
    await close();
  });
});
