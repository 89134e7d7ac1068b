import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import { inFile, onEveryEngine } from '../support/operated';
import { artifact, digest, environment, flow, flowForm, fresh, item, post, report, sha1 } from '../support/samples';

const COLLECTIONS = [
  'environments',
  'running',
  'ran',
  'provenances',
  'trails',
  'flows',
  'flow_templates',
  'users',
  'api_keys',
];

/** By how much the order of a document differs from that of one of the schema version before. */
const OF_A_VERSION = 2 ** 40;

onEveryEngine((operated) => {
  const caller = () => operated().world.as('member');
  const sql = (text: string) => inFile(operated().file, (db) => db.exec(text));

  /** All aggregate states and inline projections, without how often they were repaired. */
  const all = async () => {
    await operated().engines.documents.persist();
    return inFile(operated().file, (db) =>
      COLLECTIONS.flatMap((name) => {
        const rows = db.prepare(`SELECT id, doc FROM documents_${name} WHERE doc IS NOT NULL ORDER BY id`).all();
        return (rows as { id: string; doc: string }[]).map(({ id, doc }) => {
          const { era: _, ...rest } = JSON.parse(doc) as { era?: number };
          return [name, id, rest];
        });
      }),
    );
  };

  async function work(name: string, flowName: string, rounds: number): Promise<void> {
    for (let i = 0; i < rounds; i += 1) {
      const fingerprint = digest(`${name} ${i} ${Math.random()}`);
      await post(caller(), flowName, artifact(fingerprint));
      await report(caller(), name, [item({ web: fingerprint }), item({ db: digest(name) })]);
    }
  }

  it('does not change correct states', async () => {
    await work(await environment(caller()), await flow(caller()), 2);
    const before = await all();
    expect(await operated().operate('rebuild-heads')).toMatchObject({ ok: true, details: { repaired: 0 } });
    expect(await all()).toEqual(before);
  });

  it('repairs damaged, lost and foreign documents', async () => {
    await work(await environment(caller()), await flow(caller()), 3);
    const before = await all();
    sql(`UPDATE documents_environments SET doc = json_set(doc, '$.artifacts', 99)`);
    sql(`UPDATE documents_trails SET doc = json_set(doc, '$.description', 'other')`);
    sql(`DELETE FROM documents_flows`);
    sql(`DELETE FROM documents_api_keys WHERE id NOT IN (SELECT id FROM documents_api_keys LIMIT 1)`);
    sql(`UPDATE documents_running SET doc = json_set(doc, '$.name', 'wrong')`);
    sql(`UPDATE documents_ran SET doc = NULL`);
    sql(`UPDATE documents_provenances SET doc = json_set(doc, '$.first.reportedAt', 1)`);
    sql(`INSERT INTO documents_running (id, rev, seq, doc) SELECT 'strange', 1, 5, doc FROM documents_running LIMIT 1`);
    expect(await all()).not.toEqual(before);
    const { ok, details } = await operated().operate('rebuild-heads');
    expect([ok, (details as { repaired: number }).repaired > 3]).toEqual([true, true]);
    expect(await all()).toEqual(before);
    expect(await operated().operate('rebuild-heads')).toMatchObject({ details: { repaired: 0 } });
  });

  it('folds trails at rest that an earlier version folded, whose evidence lists by commit lack', async () => {
    const [flowName, sha] = [await flow(caller()), sha1(fresh('commit'))];
    const form = flowForm({ attestation_name: 'review', is_compliant: true, git_commit_info: { sha1: sha } });
    await caller().expect(201, 'POST', `/attestations/acme/${flowName}/trail/build-1/generic`, { form });
    const ofCommit = async () => {
      const path = `/attestations/acme/list_attestations_for_criteria?commit_list=${sha}`;
      return (await caller().get<Readonly<Record<string, unknown[]>>>(path))[sha]?.length;
    };
    expect(await ofCommit()).toBe(1);
    const before = await all();
    await operated().engines.documents.persist();
    // As versions wrote it that did not keep commits: each schema version orders its documents before those of later ones.
    sql(
      `UPDATE documents_trails SET seq = seq - ${OF_A_VERSION}, doc = json_set(doc, '$.fold', json_extract(doc, '$.fold') - 1)`,
    );
    for (const name of ['attestations', 'newest_attestations'])
      sql(`UPDATE documents_${name} SET seq = seq - ${OF_A_VERSION}, doc = json_remove(doc, '$.commit')`);
    expect(await ofCommit()).toBe(0);
    const { ok, details } = await operated().operate('rebuild-heads');
    expect([ok, (details as { repaired: number }).repaired > 0]).toEqual([true, true]);
    expect(await ofCommit()).toBe(1);
    expect(await all()).toEqual(before);
    expect(await operated().operate('rebuild-heads')).toMatchObject({ details: { repaired: 0 } });
  });

  it('repairs while reports continue, and later reports use the repaired state', async () => {
    const [flowName, ...names] = [
      await flow(caller()),
      await environment(caller()),
      await environment(caller()),
      await environment(caller()),
    ];
    for (const name of names) await work(name, flowName, 2);
    await operated().engines.documents.persist();
    sql(`UPDATE documents_environments SET doc = json_set(doc, '$.description', 'wrong')`);
    const rebuilt = operated().operate('rebuild-heads');
    await Promise.all(names.map((name) => work(name, flowName, 6)));
    expect(await rebuilt).toMatchObject({ ok: true });
    for (const name of names) {
      await work(name, flowName, 1);
      const { description } = await caller().get<EnvironmentAnswer>(`/environments/acme/${name}`);
      expect(description).toBe('');
    }
    const before = await all();
    expect(await operated().operate('rebuild-heads')).toMatchObject({ details: { repaired: 0 } });
    expect(await all()).toEqual(before);
  });
});
