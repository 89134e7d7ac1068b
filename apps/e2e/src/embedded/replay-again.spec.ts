import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { Documents, Engines } from '@assurance/storage-ports';
import { Installation } from '../support/installation';
import { inFile } from '../support/operated';
import { digest, environment, item, report } from '../support/samples';
import { worldOf } from '../support/world';

const COMMITS = 30;

describe('a stream whose state was kept by an older schema version', () => {
  const installation = new Installation();
  /** Writes to the documents that an environment's commits leave, by their collections. */
  let writes: string[][] = [];

  function watchEngines(engines: Engines): Engines {
    const documents: Documents = {
      collection: (definition) => engines.documents.collection(definition),
      persist: () => engines.documents.persist(),
      drop: (definition) => engines.documents.drop(definition),
      writeInOrder: (steps) => {
        const names = steps.flatMap((parts) => parts.map(({ collection }) => collection.name));
        if (names.includes('environments') || names.includes('running')) writes.push(names);
        return engines.documents.writeInOrder(steps);
      },
    };
    return { ...engines, problems: () => engines.problems(), close: () => engines.close(), documents };
  }

  let engines: Engines;
  beforeAll(async () => {
    engines = await installation.open(watchEngines);
  }, 90_000);
  afterAll(() => installation.clear());

  it('is folded again in memory and written once, with all its documents', async () => {
    let env = '';
    const before = await installation.running(async (served) => {
      const member = (await worldOf(served)).as('member');
      env = await environment(member);
      for (let i = 1; i < COMMITS; i += 1) await report(member, env, [item({ web: digest(`${env} ${i}`) })]);
      return member.get<EnvironmentAnswer>(`/environments/acme/${env}`);
    });
    const rows = () =>
      inFile(installation.file, (db) =>
        ['running', 'environments'].map((of) =>
          (
            db.prepare(`SELECT id, doc FROM documents_${of} ORDER BY id`).all() as { id: string; doc: string | null }[]
          ).map(({ id, doc }) => [id, doc === null ? null : (JSON.parse(doc) as unknown)]),
        ),
      );
    await engines.documents.persist();
    const left = rows();
    inFile(installation.file, (db) => {
      db.exec(`UPDATE documents_environments SET doc = json_set(doc, '$.fold', 0), seq = 1`);
      db.exec(`UPDATE documents_running SET seq = 1`);
    });
    writes = [];
    await installation.running(async (served) => {
      const member = (await worldOf(served)).as('member');
      // The same again: it changes nothing, and finds that the state is an older one.
      await report(member, env, [item({ web: digest(`${env} ${COMMITS - 1}`) })]);
      expect(await member.get(`/environments/acme/${env}`)).toMatchObject({ name: before.name, type: before.type });
    });
    await engines.documents.persist();
    expect(writes.length).toBeGreaterThan(0);
    expect(writes.length).toBeLessThanOrEqual(2);
    expect(rows()).toEqual(left);
  });
});
