import type { EventFeedAnswer } from '@assurance/contracts/audit/answers/events';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { EnvironmentDiffAnswer } from '@assurance/contracts/environments/answers/environment-diff';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import type { FlowAnswer } from '@assurance/contracts/flows/answers/flow';
import type { Route } from '@assurance/contracts/http/route';
import { readSettled } from './support/every-get';
import { everyRoute } from './support/every-route';
import { eventually } from './support/eventually';
import {
  artifact,
  attach,
  CREATED,
  digest,
  environment,
  flow,
  flowForm,
  fresh,
  item,
  policy,
  post,
  PROVENANCE,
  report,
  repository,
  sbomForm,
  sbomOf,
} from './support/samples';
import { onEveryDeployment } from './support/world';

/** Parameters of queries that name an environment or a flow, with what follows the name. */
const BY_NAME: Readonly<Record<string, readonly ['env' | 'flow', string]>> = {
  env: ['env', ''],
  env_name: ['env', ''],
  environment: ['env', ''],
  environment_name: ['env', ''],
  snappish1: ['env', '#1'],
  flow: ['flow', ''],
  flow_name: ['flow', ''],
  flow_names: ['flow', ''],
};
const WHAT = { env: 'environments', flow: 'flows' } as const;

const isRead = ({ method, permission }: Route) => method === 'GET' && permission !== 'public';
const READS = everyRoute.filter(isRead).flatMap((route) => [
  ...(['env', 'flow'] as const)
    .filter((what) => route.path.includes(`{${what}}`))
    .map((what) => ({ route, param: null, what, after: '' })),
  ...Object.entries(BY_NAME)
    .filter(([name]) => route.query[name] !== undefined)
    .map(([param, [what, after]]) => ({ route, param, what, after })),
]);

/** What has another name now is found by its former name too, wherever a request may name it. */
onEveryDeployment((world) => {
  const caller = () => world().as('admin');
  const withFile = (data: object) => {
    const form = flowForm(data);
    form.set('attachment_file', new Blob(['evidence']), 'a.txt');
    return form;
  };
  /** A renamed environment and a renamed flow with everything that reads show. */
  const renamed = async () => {
    const [env, flowName] = [await environment(caller()), await flow(caller())];
    const fingerprint = digest(`${env} renamed`);
    const [trail, repo_info] = [fresh('trail'), repository()];
    await post(caller(), flowName, artifact(fingerprint, { trail_name: trail, repo_info }));
    for (const more of [{}, { artifact_fingerprint: fingerprint }]) {
      await caller().expect(201, 'POST', `/attestations/acme/${flowName}/trail/${trail}/generic`, {
        form: withFile({ attestation_name: 'check', is_compliant: true, ...more }),
      });
    }
    await caller().expect(201, 'POST', `/attestations/acme/${flowName}/trail/${trail}/system`, {
      form: sbomForm(sbomOf([{ name: 'log4j', version: '1', purl: 'pkg:npm/log4j@1' }]), fingerprint),
    });
    // Later than the first report, so that figures count it.
    const second = digest(`${env} second`);
    await post(caller(), flowName, artifact(second, { trail_name: trail, repo_info }));
    await attach(caller(), env, await policy(caller(), PROVENANCE));
    await caller().expect(201, 'PUT', `/allowlists/acme/${env}`, {
      json: { artifact_fingerprint: fingerprint, artifact_name: 'web', description: '' },
    });
    await report(caller(), env, [item({ 'shop/web:1': fingerprint })]);
    await report(caller(), env, [item({ 'shop/web:2': second })]);
    const names = { env: fresh('env'), flow: fresh('flow') };
    await caller().expect(200, 'PUT', `/environments/acme/${env}/rename`, { json: { new_name: names.env } });
    await caller().expect(200, 'PUT', `/flows/acme/${flowName}/rename`, { json: { new_name: names.flow } });
    return { former: { env, flow: flowName }, names, fingerprint, trail, repo_info };
  };
  let renamedPaths: Awaited<ReturnType<typeof renamed>> | undefined;
  const thing = async () => {
    if (renamedPaths === undefined) {
      renamedPaths = await renamed();
      await world().operator.checkpoint();
    }
    return renamedPaths;
  };

  it('is tried in every read and parameter that names an environment or a flow', () => {
    expect(READS.length).toBeGreaterThanOrEqual(25);
    // A new parameter that names one belongs into the table.
    const other = everyRoute
      .filter(isRead)
      .flatMap(({ query }) => Object.keys(query))
      .filter((name) => /^(env|flow|snappish)/.test(name) && BY_NAME[name] === undefined);
    expect([...new Set(other)].sort()).toEqual(['flow_id', 'flow_tag', 'snappish2']);
  });

  it.each(READS.map((read) => [`${read.route.path} by ${read.param ?? 'its path'}`, read] as const))(
    'in %s',
    async (_, read) => {
      const { former, names, fingerprint, trail, repo_info } = await thing();
      const { data } = await caller().get<{ readonly data: readonly { readonly attestation_id: string }[] }>(
        `/attestations/acme?name=check&flow=${names.flow}`,
      );
      const formerly = new RegExp(`\\b(?:${former.env}|${former.flow})\\b`, 'g');
      const answer = async (of: { readonly env: string; readonly flow: string }) => {
        const values: Readonly<Record<string, string>> = {
          ...of,
          org: 'acme',
          expr: '1',
          fingerprint,
          trail,
          name: 'check',
          repo: repo_info.name,
          sha: artifact(fingerprint).git_commit ?? '',
          id: data[0]?.attestation_id ?? '',
        };
        const path = read.route.path
          .slice('/api/v2'.length)
          .replace(/\{(\w+)(?:\.\.\.)?\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? ''));
        const query = new URLSearchParams();
        if (read.param !== null) query.set(read.param, of[read.what] + read.after);
        if (read.route.query['snappish2'] !== undefined) query.set('snappish2', `${names.env}#2`);
        if (path === '/components/acme') query.set('name', 'log4j');
        if (path.endsWith('/list_attestations_for_criteria')) query.set('commit_list', values['sha'] ?? '');
        const address = `${path}?${query.toString()}`;
        if (read.route.media !== undefined) return (await caller().bytes(address)).content.toString('latin1');
        return readSettled(caller(), address);
      };
      const present = await answer(names);
      expect(present).not.toMatch(/^\d{3} /);
      // A former name may be that of another environment or flow now.
      expect(present.match(formerly)).toBeNull();
      const parameters = { ...names, [read.what]: former[read.what] };
      // Some answers contain the requested name.
      const renamed = (await answer(parameters)).replace(formerly, (name) =>
        name === former.env ? names.env : names.flow,
      );
      expect(renamed).toEqual(present);
      // A name that was never used is different.
      const unknown = { ...names, [read.what]: 'nobody' };
      const nothing = await answer(unknown).catch(String);
      expect(nothing.replaceAll('nobody', names[read.what])).not.toEqual(present);
    },
  );

  it('in asserts, reports, provenance, evidence, allow-lists, policies, tags, notifications and members', async () => {
    const { former, names, fingerprint, trail } = await renamed();
    const web = [item({ 'shop/web:1': fingerprint })];
    const put = (path: string, json: unknown, status = 200) => caller().expect(status, 'PUT', path, { json });
    expect(await report(caller(), former.env, web)).toBe(CREATED(3));
    const other = { artifact_fingerprint: digest(`${former.env} other`), artifact_name: 'db', description: '' };
    await put(`/allowlists/acme/${former.env}`, other, 201);
    await attach(caller(), former.env, await policy(caller(), PROVENANCE));
    await caller().expect(200, 'PATCH', `/tags/acme/env/${former.env}`, { json: { set_tags: { team: 'shop' } } });
    await caller().expect(200, 'PATCH', `/tags/acme/flow/${former.flow}`, { json: { set_tags: { team: 'shop' } } });
    const all = await environment(caller(), { type: 'logical', included_environments: [former.env] });
    await put(
      '/organizations/acme/environments_notifications',
      {
        name: fresh('notification'),
        environments: [former.env],
        triggers: ['ON_STARTED_ARTIFACT'],
        targets: [],
      },
      201,
    );
    await caller().expect(200, 'PUT', `/trails/acme/${former.flow}`, {
      form: flowForm({ name: trail, description: 'x' }),
    });
    await post(caller(), former.flow, artifact(digest(`${former.flow} later`), { trail_name: trail }));
    await caller().expect(201, 'POST', `/attestations/acme/${former.flow}/trail/${trail}/generic`, {
      form: flowForm({ attestation_name: 'later', is_compliant: true }),
    });
    // All of it belongs to the holders of the present names.
    expect(await caller().get<EnvironmentAnswer>(`/environments/acme/${names.env}`)).toMatchObject({
      name: names.env,
      tags: { team: 'shop' },
    });
    expect(await caller().get<EnvironmentAnswer>(`/environments/acme/${all}`)).toMatchObject({
      included_environments: [names.env],
    });
    expect(await caller().get<FlowAnswer>(`/flows/acme/${names.flow}`)).toMatchObject({
      name: names.flow,
      tags: { team: 'shop' },
    });
    const notifications = await caller().get<readonly { readonly environments: readonly string[] }[]>(
      '/organizations/acme/environments_notifications',
    );
    expect(notifications.at(-1)?.environments).toEqual([names.env]);
    expect(await caller().get(`/asserts/acme/fingerprint/${fingerprint}?environment_name=${former.env}`)).toEqual(
      await caller().get(`/asserts/acme/fingerprint/${fingerprint}?environment_name=${names.env}`),
    );
    for (const [what, kindPath] of Object.entries(WHAT)) {
      const listed = await caller().get<readonly { readonly name: string }[]>(`/${kindPath}/acme`);
      expect(listed.map(({ name }) => name)).not.toContain(former[what as 'env']);
    }
  });

  it('is not in a snapshot and a comparison that were read just before a flow got its name', async () => {
    const [env, old, name] = [await environment(caller()), await flow(caller()), fresh('flow')];
    const [one, two] = [digest(`${env} one`), digest(`${env} two`)];
    for (const fingerprint of [one, two]) {
      await post(caller(), old, artifact(fingerprint));
      await report(caller(), env, [item({ 'shop/web': fingerprint })]);
    }
    const all = () =>
      Promise.all([
        caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`),
        caller().get<EnvironmentDiffAnswer>(`/env-diff/acme?snappish1=${env}~1&snappish2=${env}`),
      ]);
    const flowsIn = ([snapshot, { snappish1 }]: Awaited<ReturnType<typeof all>>) => [
      snapshot.artifacts[0]?.flow_name,
      snappish1.artifacts[0]?.flow,
    ];
    expect(flowsIn(await all())).toEqual([old, old]);
    await caller().expect(200, 'PUT', `/flows/acme/${old}/rename`, { json: { new_name: name } });
    expect(flowsIn(await all())).toEqual([name, name]);
    const search = (text: string) => caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1?page=1&search=${text}`);
    expect((await search(name)).artifact_page?.total_count).toBe(1);
    expect((await search(old)).artifact_page?.total_count).toBe(0);
  });

  it('is in the event feed by the name of its time: an environment of each snapshot, a flow of the beginning of a trail', async () => {
    const { former, names, trail } = await renamed();
    const later = fresh('trail');
    await report(caller(), former.env, [item({ 'shop/web:3': digest(`${former.env} third`) })]);
    for (const trailName of [trail, later]) {
      await caller().expect(201, 'POST', `/attestations/acme/${former.flow}/trail/${trailName}/generic`, {
        form: flowForm({ attestation_name: 'later', is_compliant: true }),
      });
    }
    const all = async () => {
      const results: EventFeedAnswer['events'][number][] = [];
      for (let cursor = ''; ;) {
        const page = await caller().get<EventFeedAnswer>(`/events/acme?limit=500&cursor=${cursor}`);
        results.push(...page.events);
        if (!page.more) return results;
        cursor = page.cursor;
      }
    };
    const flowOf = `flows/${names.flow}/trails/${later}`;
    const ofEnv = (n: number) => `environments/${n < 3 ? former.env : names.env}/snapshots/${n}`;
    const events = await eventually(all, (results) =>
      [flowOf, ofEnv(3)].every((subject) => results.some((event) => event.subject === subject)),
    );
    const ofType = (type: string, part: string) =>
      events.filter((event) => event.type.includes(type) && event.subject.includes(part));
    const snapshots = [
      ...ofType('snapshot.recorded', `/${former.env}/`),
      ...ofType('snapshot.recorded', `/${names.env}/`),
    ];
    expect(snapshots.map(({ subject }) => subject)).toEqual([1, 2, 3].map(ofEnv));
    expect(new Set(snapshots.map(({ data }) => (data as { environment: { id: string } }).environment.id)).size).toBe(1);
    expect(new Set(ofType('attestation', `/${trail}`).map(({ subject }) => subject))).toEqual(
      new Set([`flows/${former.flow}/trails/${trail}`]),
    );
    expect(ofType('trail.begun', `/${later}`).map(({ subject }) => subject)).toEqual([flowOf]);
    const flows = [...ofType('attestation', `/${trail}`), ...ofType('attestation', `/${later}`)];
    expect(new Set(flows.map(({ data }) => (data as { flow: { id: string } }).flow.id)).size).toBe(1);
  });
});
