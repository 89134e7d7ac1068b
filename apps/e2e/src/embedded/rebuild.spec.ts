import { isDeepStrictEqual } from 'node:util';
import { componentsView } from '@assurance/components/read/components/follow';
import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import { deploymentsView } from '@assurance/deployments/read/deployments/follow';
import { environmentEventsView } from '@assurance/environments/read/environment-events/follow';
import type { View } from '@assurance/event-sourcing/projection/view';
import { eventsOf, metaOf } from '@assurance/event-sourcing/sealing/read';
import { artifactsView } from '@assurance/flows/read/artifacts/follow';
import { flowActivityView } from '@assurance/flows/read/flows/activity';
import { tagsView } from '@assurance/flows/read/tags';
import { trailsView } from '@assurance/flows/read/trails/follow';
import type { Documents } from '@assurance/storage-ports';
import { vulnerabilitiesView } from '@assurance/vulnerabilities/read/vulnerabilities/follow';
import type { Caller } from '../support/caller';
import { eventually } from '../support/eventually';
import { inFile, onEveryEngine, type OperatedService } from '../support/operated';
import {
  artifact,
  digest,
  environment,
  flow,
  flowForm,
  fresh,
  item,
  post,
  report,
  sbomForm,
  sbomOf,
  sha1,
} from '../support/samples';

const VIEWS: readonly View[] = [
  artifactsView,
  componentsView,
  deploymentsView,
  environmentEventsView,
  flowActivityView,
  tagsView,
  trailsView,
  vulnerabilitiesView,
];
const ROWS: Readonly<Record<string, readonly string[]>> = {
  artifacts: ['view_artifacts', 'view_artifact_words'],
  components: [
    'view_components',
    'view_component_uses',
    'view_component_parts',
    'view_component_part_uses',
    'view_component_sboms',
    'view_component_artifacts',
  ],
  deployments: ['view_deployments', 'view_departures', 'view_deployment_reports'],
  'environment-events': ['view_environment_events', 'view_environment_tag_words'],
  'flow-activity': ['view_flow_activity'],
  tags: ['view_tag_words'],
  trails: ['view_trails', 'view_trail_artifacts', 'view_trail_words'],
  vulnerabilities: [
    'view_vulnerability_entries',
    'view_vulnerability_packages',
    'view_vulnerability_purls',
    'view_vulnerability_matches',
    'view_vulnerability_matched_entries',
    'view_vulnerability_scans',
    'view_vulnerability_finding_uses',
    'view_vulnerability_finding_parts',
    'view_vulnerability_finding_names',
  ],
};

function rowsOf({ file }: OperatedService, collection: string): unknown[] {
  const sql = `SELECT id, doc FROM documents_${collection} WHERE doc IS NOT NULL ORDER BY id`;
  return inFile(file, (db) => db.prepare(sql).all() as { id: string; doc: string }[]).map(({ id, doc }) => [
    id,
    JSON.parse(doc) as unknown,
  ]);
}

/** All commits, taken once and in order by one consumer, into collections of its own. */
async function freshReplay({ engines }: OperatedService, view: View): Promise<string> {
  const prefix = `${fresh('fold')}_`.replaceAll('-', '_');
  const documents: Documents = {
    collection: (definition) => engines.documents.collection({ ...definition, name: `${prefix}${definition.name}` }),
    writeInOrder: (steps) => engines.documents.writeInOrder(steps),
    persist: () => engines.documents.persist(),
    drop: (definition) => engines.documents.drop(definition),
  };
  for (const definition of view.collections) await documents.collection(definition).get('none');
  for (let after: string | null = null; ;) {
    const { commits, next } = await engines.events.scan(after, 1_000);
    for (const commit of commits) {
      if (!view.kinds.has(commit.stream.split('/')[0] ?? '')) continue;
      for (const event of await eventsOf(engines.events, commit)) {
        if (view.types.has(event.type)) await view.take(documents, [{ event, meta: metaOf(commit) }]);
      }
    }
    if (next === null) return prefix;
    after = next;
  }
}

const count = (caller: Caller) =>
  caller.get<OrgDeploymentPage>('/deployments/acme?start_ts=0&end_ts=9999999999').then((page) => page.total_count);

onEveryEngine((operated) => {
  const caller = () => operated().world.as('member');

  /** Attaches a bill of materials and imports a vulnerability of a listed component, before or after it. A scanner finds the vulnerability too. */
  async function reportListed(flowName: string, trail: string, fingerprint: string, isFirst: boolean): Promise<void> {
    const admin = operated().world.as('admin');
    const lib = fresh('lib');
    const bom = sbomOf([{ name: lib, purl: `pkg:npm/${lib}@1.0.0` }]);
    const affected = [{ package: { ecosystem: 'npm', name: lib }, versions: ['1.0.0'] }];
    const entry = JSON.stringify({ id: `CVE-${lib}`, modified: '2024-01-01T00:00:00Z', affected });
    const form = new FormData();
    form.set('data_json', '{}');
    form.append('attachment_file', new Blob([entry]), 'db.json');
    const imported = () => admin.expect(201, 'POST', '/vulnerabilities/acme', { form });
    if (isFirst) await imported();
    await admin.expect(201, 'POST', `/attestations/acme/${flowName}/trail/${trail}/system`, {
      form: sbomForm(bom, fingerprint),
    });
    const scan = new FormData();
    const user_data = {
      SchemaVersion: 2,
      ArtifactName: 'web',
      Results: [{ Vulnerabilities: [{ VulnerabilityID: `CVE-${lib}`, PkgName: lib, InstalledVersion: '1.0.0' }] }],
    };
    const attested = { attestation_name: 'scan', artifact_fingerprint: fingerprint, is_compliant: true, user_data };
    scan.set('data_json', JSON.stringify(attested));
    await admin.expect(201, 'POST', `/attestations/acme/${flowName}/trail/${trail}/generic`, { form: scan });
    if (!isFirst) await imported();
    // Requests during the rebuild of a view are answered as before. A list that lags behind is requested again. A name that does not exist yet is unknown.
    await admin.get('/vulnerabilities/acme?per_page=1');
    expect((await admin.get<{ total_count: number }>(`/components/acme?name=${lib}`)).total_count).toBe(1);
    expect(await admin.get(`/vulnerabilities/acme/CVE-${lib}`)).toMatchObject({
      artifact_count: 1,
      total_count: 1,
      sources: [
        { kind: 'database', name: `CVE-${lib}` },
        { kind: 'scanner', name: 'Trivy' },
      ],
    });
  }

  /** Somebody at work: reports with provenance, renames, archives. */
  async function work(rounds: number): Promise<void> {
    const flowName = await flow(caller());
    let env = await environment(caller());
    for (let i = 0; i < rounds; i += 1) {
      const fingerprint = digest(`${env} ${i}`);
      if (i % 2 === 0) await post(caller(), flowName, artifact(fingerprint, { trail_name: `trail-${i}` }));
      for (const tagged of [`environment/${env}`, `flow/${flowName}`]) await tag(tagged, `round-${i}`);
      const git_commit_info = { sha1: sha1(fingerprint), message: `Round ${i}`, author: 'Ada' };
      const form = flowForm({ name: `trail-${i & ~1}`, git_commit_info });
      await caller().expect(200, 'PUT', `/trails/acme/${flowName}`, { form });
      await report(caller(), env, [item({ web: fingerprint })]);
      if (i % 2 === 1) await post(caller(), flowName, artifact(fingerprint, { trail_name: `trail-${i}` }));
      if (i % 2 === 0) await reportListed(flowName, `trail-${i}`, fingerprint, i % 4 === 0);
      if (i % 3 === 2) {
        const other = fresh('env');
        await caller().expect(200, 'PUT', `/environments/acme/${env}/rename`, { json: { new_name: other } });
        env = other;
      }
    }
  }

  async function tag(tagged: string, key: string): Promise<void> {
    const json = { set_tags: { [key]: 'night shift', team: key }, remove_tags: ['round-1'] };
    await caller().expect(200, 'PATCH', `/tags/acme/${tagged}`, { json });
  }

  /** Until each view holds what was done. */
  async function seen(): Promise<void> {
    await count(caller());
    await caller().get('/flows/acme');
    await caller().get('/trails/acme');
    await caller().get('/artifacts/acme');
    const env = await environment(caller());
    await caller().get(`/environments/acme/${env}/events`);
  }

  it.each(VIEWS.map(({ name }) => name))(
    'builds %s again while reports come, and ends with what a fresh replay has',
    async (name) => {
      const view = VIEWS.find((candidate) => candidate.name === name)!;
      await work(4);
      await seen();
      const [table = ''] = ROWS[name] ?? [];
      const before = servingNumber(operated(), name);
      await operated().engines.documents.persist();
      inFile(operated().file, (db) => db.exec(`DELETE FROM documents_${table}${before === 1 ? '' : `_g${before}`}`));
      let over = false;
      const rebuilt = operated()
        .operate('rebuild', name)
        .finally(() => (over = true));
      const working = [0, 1, 2].map(async () => {
        // Bounded: each rebuild reads all that those before it had come in.
        for (let round = 0; round < 4 && (round === 0 || !over); round += 1) await work(3);
      });
      expect(await rebuilt).toMatchObject({ ok: true });
      await Promise.all(working);
      await seen();

      const now = servingNumber(operated(), name);
      expect(now).toBeGreaterThan(before);
      const prefix = await freshReplay(operated(), view);
      await operated().engines.documents.persist();
      for (const collection of ROWS[name] ?? []) {
        const expected = rowsOf(operated(), `${prefix}${collection}`);
        expect(expected.length).toBeGreaterThan(5);
        // No read waits for the view of tags where there are few items.
        const rows = await eventually(
          () =>
            operated()
              .engines.documents.persist()
              .then(() => rowsOf(operated(), `${collection}_g${now}`)),
          (built) => isDeepStrictEqual(built, expected),
        );
        expect(rows).toEqual(expected);
      }
    },
    60_000,
  );

  it('removes the documents of the previous generation', async () => {
    const before = servingNumber(operated(), 'deployments');
    expect(await operated().operate('rebuild', 'deployments')).toMatchObject({ ok: true });
    const tables = inFile(operated().file, (db) =>
      db.prepare(`SELECT name FROM tables WHERE name LIKE 'documents_%'`).all(),
    ) as { name: string }[];
    const now = servingNumber(operated(), 'deployments');
    const suffix = before === 1 ? '' : `_g${before}`;
    const names = tables.map(({ name }) => name);
    expect(names).toContain(`documents_view_deployments_g${now}`);
    expect(names).toContain(`documents_progress_deployments_g${now}`);
    expect(names).not.toContain(`documents_view_deployments${suffix}`);
    expect(names).not.toContain(`documents_progress_deployments${suffix}`);
  });

  it('keeps the old generation if a stream cannot be read, and names the stream', async () => {
    await work(2);
    const [before, generation] = [await count(caller()), servingNumber(operated(), 'deployments')];
    const { stream, body } = inFile(
      operated().file,
      (db) =>
        db
          .prepare(
            `SELECT stream, body FROM commits WHERE stream LIKE 'environment/%' AND body LIKE '%SnapshotRecorded%'`,
          )
          .get() as { stream: string; body: string },
    );
    const write = (text: string) =>
      inFile(operated().file, (db) =>
        db.prepare('UPDATE commits SET body = ? WHERE body = ?').run(text, text === body ? broken : body),
      );
    const broken = JSON.stringify({
      ...(JSON.parse(body) as object),
      events: [{ type: 'SnapshotRecorded', version: 1, digest: '', size: 4, data: 'null' }],
    });
    write(broken);
    const { ok, summary } = await operated().operate('rebuild', 'deployments');
    expect(ok).toBe(false);
    expect(summary).toContain(`The view deployments is unchanged: ${stream} could not be followed`);
    expect(servingNumber(operated(), 'deployments')).toBe(generation);
    expect(await count(caller())).toBe(before);
    write(body);
    expect(await operated().operate('rebuild', 'deployments')).toMatchObject({ ok: true });
    expect(await count(caller())).toBe(before);
  });

  it('refuses unknown names of views', async () => {
    await expect(operated().operate('rebuild')).rejects.toThrow(
      'rebuild needs the name of a view: artifacts | audit-log | components | deployments | ',
    );
    await expect(operated().operate('rebuild', 'heads')).rejects.toThrow('rebuild needs the name of a view');
  });
});

function servingNumber({ file }: OperatedService, view: string): number {
  const sql = `SELECT doc FROM documents_view_generations WHERE id = ?`;
  const row = inFile(file, (db) => db.prepare(sql).get(view)) as { doc: string } | undefined;
  return row === undefined ? 1 : (JSON.parse(row.doc) as { serving: number }).serving;
}
