import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { ArtifactListItem } from '@assurance/contracts/flows/answers/artifact';
import type { TrailPage } from '@assurance/contracts/flows/answers/trail';
import type { DatabaseSync } from 'node:sqlite';
import { Installation, type RunningRoles } from '../support/installation';
import { inFile } from '../support/operated';
import { artifact, digest, environment, flow, flowForm, item, post, report, sha1 } from '../support/samples';
import { worldOf } from '../support/world';

const TRAILS = ['trail-1', 'trail-2'];

describe('a data folder of an older version', () => {
  let installation: Installation;
  beforeAll(() => {
    installation = new Installation();
  });
  afterAll(async () => {
    await installation.clear();
    expect(installation.log).toEqual([]);
  });

  const lists = (served: RunningRoles) =>
    worldOf(served).then(async (world) => {
      const caller = world.as('member');
      const { total_count } = await caller.get<OrgDeploymentPage>('/deployments/acme?start_ts=0&end_ts=9999999999');
      const { data, pagination } = await caller.get<TrailPage>('/trails/acme');
      const artifacts = await caller.get<ArtifactListItem[]>('/artifacts/acme');
      return {
        deployments: total_count,
        trails: data.map(({ name }) => name).sort(),
        count: pagination.total,
        artifacts: artifacts.map(({ fingerprint }) => fingerprint).sort(),
      };
    });
  const whole = { deployments: 1, trails: TRAILS, count: 2, artifacts: TRAILS.map(digest).sort() };

  it('has the same lists: missing and outdated views are built at the start', async () => {
    await installation.running(async (served) => {
      const caller = (await worldOf(served)).as('member');
      const [flowName, env] = [await flow(caller), await environment(caller)];
      for (const trail of TRAILS) await post(caller, flowName, artifact(digest(trail), { trail_name: trail }));
      await report(caller, env, [item({ web: digest('trail-1') })]);
      expect(await lists(served)).toEqual(whole);
    });

    // Rows without counts under no version, and nothing of trails and artifacts: as before all three.
    inFile(installation.file, (db) => {
      const all = db.prepare('SELECT id, doc FROM documents_view_generations').all() as { id: string; doc: string }[];
      const { version: _, ...old } = JSON.parse(all.find(({ id }) => id === 'deployments')?.doc ?? '') as {
        serving: number;
        version: number;
      };
      db.prepare(`UPDATE documents_view_generations SET doc = ? WHERE id = 'deployments'`).run(JSON.stringify(old));
      db.exec(`DELETE FROM documents_view_deployment_counts_g${old.serving}`);
      db.exec(`DELETE FROM documents_view_generations WHERE id IN ('trails', 'artifacts')`);
      const tables = db.prepare('SELECT name FROM tables').all();
      const ofView = (tables as { name: string }[]).filter(({ name }) => /_view_(trail|artifact)/.test(name));
      expect(ofView).toHaveLength(7);
      for (const { name } of ofView) db.exec(`DELETE FROM ${name}`);
      db.exec(`UPDATE documents_taken_streams SET doc = json_remove(doc, '$.taken.trails', '$.taken.artifacts')`);
    });
    expect(await installation.running(lists)).toEqual(whole);
    expect(await installation.running(lists)).toEqual(whole);
  }, 60_000);

  it('finds attestations by their commit, which older documents do not have, once their trail goes on', async () => {
    const [going, resting] = ['going', 'resting'];
    const [commit, later] = [sha1(going), sha1('later')];
    let flowName = '';
    const attest = (served: RunningRoles, trail: string, name: string, sha: string) =>
      worldOf(served).then((world) => {
        const git_commit_info = { sha1: sha, message: 'Sell tea', author: 'Ada', timestamp: 1_700_000_000 };
        const form = flowForm({ attestation_name: name, is_compliant: true, git_commit_info });
        const path = `/attestations/acme/${flowName}/trail/${trail}/generic`;
        return world.as('member').expect(201, 'POST', path, { form });
      });
    const readAll = async (served: RunningRoles) => {
      const query = `attestation_type=generic&flow_name=${flowName}&commit_list=${commit}`;
      const path = `/attestations/acme/list_attestations_for_criteria?${query}`;
      const all = await (await worldOf(served)).as('member').get<Record<string, readonly AttestationAnswer[]>>(path);
      return (all[commit] ?? []).map(({ attestation_name }) => attestation_name).sort();
    };
    await installation.running(async (served) => {
      flowName = await flow((await worldOf(served)).as('member'));
      for (const trail of [going, resting]) await attest(served, trail, trail, commit);
      expect(await readAll(served)).toEqual([going, resting]);
    });
    // As the version before wrote them.
    const VERSION = 2 ** 40;
    inFile(installation.file, (db) => {
      for (const table of ['documents_attestations', 'documents_newest_attestations'])
        db.exec(`UPDATE ${table} SET doc = json_remove(doc, '$.commit'), seq = seq - ${VERSION}`);
      db.exec(`UPDATE documents_trails SET doc = json_set(doc, '$.fold', 2), seq = seq - ${VERSION}`);
    });
    await installation.running(async (served) => {
      expect(await readAll(served)).toEqual([]);
      await attest(served, going, 'more', later);
      expect(await readAll(served)).toEqual([going]);
    });
  }, 60_000);

  interface EnvironmentEventItem {
    readonly sha256: string;
    readonly type: string;
    readonly snapshot_index: number;
  }

  it('has the same deployments and events although its rows have no columns for indexed fields', async () => {
    const environments: string[] = [];
    const read = async (served: RunningRoles) => {
      const caller = (await worldOf(served)).as('member');
      const deployments = await caller.get<OrgDeploymentPage>('/deployments/acme?start_ts=0&end_ts=9999999999');
      const events = await caller.get<EnvironmentEventItem[]>(`/environments/acme/${environments[0] ?? ''}/events`);
      return {
        deployments: deployments.deployments.map(({ fingerprint, env_name }) => [env_name, fingerprint]),
        events: events.map(({ sha256, type, snapshot_index }) => [sha256, type, snapshot_index]),
      };
    };
    const before = await installation.running(async (served) => {
      const caller = (await worldOf(served)).as('member');
      const env = await environment(caller);
      environments.push(env);
      for (const version of ['first', 'second', 'third']) await report(caller, env, [item({ web: digest(version) })]);
      return read(served);
    });
    // One started, and each of the others took the place of the one before.
    expect(before.events).toHaveLength(3);
    inFile(installation.file, (db) => {
      const names = (sql: string) => (db.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
      const withColumns = names(
        `SELECT DISTINCT t.name FROM tables t, pragma_table_info(t.name) c WHERE c.name GLOB '[ki]_*'`,
      );
      expect(withColumns.length).toBeGreaterThanOrEqual(3);
      for (const table of withColumns) {
        for (const index of names(
          `SELECT name FROM derived.sqlite_master WHERE tbl_name = '${table}' AND type = 'index' AND sql IS NOT NULL`,
        ))
          db.exec(`DROP INDEX ${index}`);
        for (const column of names(`SELECT name FROM pragma_table_info('${table}') WHERE name GLOB '[ki]_*'`))
          db.exec(`ALTER TABLE ${table} DROP COLUMN "${column}"`);
      }
    });
    expect(await installation.running(read)).toEqual(before);
  }, 60_000);

  it('has its administrators and names, although they had no streams', async () => {
    const added = (db: DatabaseSync, table: string, column: string) =>
      db.exec(
        `DELETE FROM ${table} WHERE ${column} LIKE 'administrators/%' OR ${column} LIKE 'name/%-any-case/%' OR ${column} LIKE 'declaration/%'`,
      );
    await installation.running(() => Promise.resolve());
    inFile(installation.file, (db) => {
      added(db, 'commits', 'stream');
      for (const table of ['documents_administrators', 'documents_names', 'documents_declarations'])
        added(db, table, 'id');
    });
    await installation.running(async (served) => {
      const admin = (await worldOf(served)).as('admin');
      const MEMBERS = '/organizations/acme/members';
      expect((await admin.refused(400, 'DELETE', `${MEMBERS}/user-admin`)).message).toContain(
        'at least one administrator',
      );
      await admin.expect(200, 'PUT', `${MEMBERS}/user-member`, { json: { role: 'admin' } });
      await admin.expect(200, 'PUT', `${MEMBERS}/user-admin`, { json: { role: 'reader' } });
      await admin.refused(400, 'PUT', `${MEMBERS}/user-member`, { json: { role: 'reader' } });
      const json = { name: 'CI-Admin', privilege: 'reader' };
      expect((await admin.refused(400, 'POST', '/service-accounts/acme', { json })).errors).toHaveProperty('name');
    });
  }, 60_000);
});
