import { ArtifactLines, lineTemplates, recordLines } from '@assurance/deployments/read/deployments/lines';
import type { Documents } from '@assurance/storage-ports';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import { provenance, repoNamed } from '@assurance/testing/deciders/samples';

const ENVIRONMENT = 'prod';

/** Documents with a delay: reads of templates wait until `end` is called. */
function heldAtTemplates(documents: Documents) {
  let [begin, end] = [(): void => undefined, (): void => undefined];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  const templates = documents.collection(lineTemplates);
  const countedTemplates = new Proxy(templates, {
    get: (target, name: keyof typeof templates) =>
      name !== 'getMany'
        ? target[name].bind(target)
        : async (ids: readonly string[]) => {
            begin();
            await ended;
            return target.getMany(ids);
          },
  });
  const collection = ((definition: object) =>
    definition === lineTemplates
      ? countedTemplates
      : documents.collection(definition as never)) as Documents['collection'];
  return { documents: { ...documents, collection }, begun, end: () => end() };
}

describe('the lines of an environment', () => {
  let engine: Awaited<ReturnType<typeof openTemporary>>;
  beforeEach(async () => {
    engine = await openTemporary();
  });
  afterEach(() => engine.close());

  it('are the same for who asks for a base name while it is being read', async () => {
    const origin = provenance('shop/web', { repo: repoNamed('shop') });
    const bases = ['shop/site', 'shop/web'];
    await recordLines(
      engine.engines.documents,
      bases.map((base) => ({ environment: ENVIRONMENT, base, origin })),
    );
    const { documents, begun, end } = heldAtTemplates(engine.engines.documents);
    const lines = new ArtifactLines(documents, ENVIRONMENT);
    const first = lines.with(['shop/web']);
    await begun;
    const second = lines.with(['shop/web']);
    end();
    for (const results of await Promise.all([first, second])) expect([...results].sort()).toEqual(bases);
  });
});
