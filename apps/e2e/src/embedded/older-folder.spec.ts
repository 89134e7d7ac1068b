import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArtifactListItem, OrgDeploymentPage, TrailPage } from '@assurance/contracts-http';
import { auditPackage } from '@assurance/audit-package-role';
import { gateway } from '@assurance/gateway-role';
import { ingestion } from '@assurance/ingestion-role';
import { projection } from '@assurance/projection-role';
import { type Served, serve } from '@assurance/runtime';
import { BOOTSTRAP } from '../support/declared';
import { inFile } from '../support/operated';
import { artifact, digest, environment, flow, item, post, report } from '../support/samples';
import { worldOf } from '../support/world';

const TRAILS = ['trail-1', 'trail-2'];

describe('a data folder of an older version', () => {
  const faults: string[] = [];
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assurance-e2e-'));
    writeFileSync(join(folder, 'bootstrap.yaml'), BOOTSTRAP);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
    expect(faults).toEqual([]);
  });

  async function running<T>(use: (service: Served) => Promise<T>): Promise<T> {
    const served = await serve([gateway, ingestion, projection, auditPackage], {
      env: {
        ASSURANCE_PORT: '0',
        ASSURANCE_DATA_DIR: join(folder, 'data'),
        ASSURANCE_BOOTSTRAP_FILE: join(folder, 'bootstrap.yaml'),
        ASSURANCE_LOG_LEVEL: 'error',
      },
      log: { write: (line) => faults.push(line) },
      onFault: (fault) => faults.push(String(fault)),
    });
    try {
      return await use(served);
    } finally {
      await served.close();
    }
  }

  const lists = (served: Served) =>
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

  it('has the same lists: views that it lacks, or that were made otherwise, are built at start', async () => {
    await running(async (served) => {
      const caller = (await worldOf(served)).as('member');
      const [flowName, env] = [await flow(caller), await environment(caller)];
      for (const trail of TRAILS) await post(caller, flowName, artifact(digest(trail), { trail_name: trail }));
      await report(caller, env, [item({ web: digest('trail-1') })]);
      expect(await lists(served)).toEqual(whole);
    });

    // Rows without counts under no version, and nothing of trails and artifacts: as before all three.
    inFile(join(folder, 'data', 'assurance.db'), (db) => {
      const all = db.prepare('SELECT id, doc FROM documents_view_generations').all() as { id: string; doc: string }[];
      const { version: _, ...old } = JSON.parse(all.find(({ id }) => id === 'deployments')?.doc ?? '') as {
        serving: number;
        version: number;
      };
      db.prepare(`UPDATE documents_view_generations SET doc = ? WHERE id = 'deployments'`).run(JSON.stringify(old));
      db.exec(`DELETE FROM documents_view_deployment_counts_g${old.serving}`);
      db.exec(`DELETE FROM documents_view_generations WHERE id IN ('trails', 'artifacts')`);
      const tables = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all();
      const ofView = (tables as { name: string }[]).filter(({ name }) =>
        /_(view|progress)_(trail|artifact)/.test(name),
      );
      expect(ofView).toHaveLength(7);
      for (const { name } of ofView) db.exec(`DELETE FROM ${name}`);
    });
    expect(await running(lists)).toEqual(whole);
    expect(await running(lists)).toEqual(whole);
  }, 60_000);
});
