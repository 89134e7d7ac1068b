import type { MembershipPage } from '@assurance/contracts/access/answers/access';
import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { EnvironmentPage, FlowPage } from '@assurance/contracts/environments/answers/catalogue';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import type { ControlPage } from '@assurance/contracts/policies/answers/control';
import type { Caller } from './support/caller';
import { newMember } from './support/joining';
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
  repository,
} from './support/samples';
import { onEveryDeployment } from './support/world';

/** A page: what it lists, and the paths of it and its neighbours. */
interface ListPage {
  readonly items: readonly string[];
  readonly self: string;
  readonly next: string | null;
  readonly prev: string | null;
}

/** A list that grows at its head. */
interface GrowingList {
  readonly path: string;
  /** What a page has, and its links where the body has them. */
  readonly read: (body: never) => {
    readonly items: readonly string[];
    readonly next?: string | undefined;
    readonly prev?: string | undefined;
  };
  /** Adds one item at the head. */
  readonly add: (n: number) => Promise<unknown>;
}

const SIZE = 7;

onEveryDeployment((world) => {
  const caller = () => world().as('admin');
  const pathOf = (url: string) => new URL(url).href.replace(/^.*\/api\/v2/, '');

  async function read(list: GrowingList, path: string): Promise<ListPage> {
    const { status, body, headers, text } = await caller().send('GET', path);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    const inBody = list.read(body as never);
    const link = (name: 'next' | 'prev') => {
      const url = inBody[name] ?? new RegExp(`<([^>]*)>; rel="${name}"`).exec(headers.get('link') ?? '')?.[1];
      return url === undefined ? null : pathOf(url);
    };
    return { items: inBody.items, self: path, next: link('next'), prev: link('prev') };
  }

  const trail = (name: string, flowName: string) =>
    caller().expect(201, 'PUT', `/trails/acme/${flowName}`, { form: flowForm({ name, description: '' }) });
  const attest = (flowName: string, name: string, n: number) => {
    const form = new FormData();
    form.set('data_json', JSON.stringify({ attestation_name: `check-${n}`, is_compliant: true }));
    return caller().expect(201, 'POST', `/attestations/acme/${flowName}/trail/${name}/generic`, { form });
  };
  const names = (key: string) => (body: readonly Readonly<Record<string, string>>[]) => ({
    items: body.map((item) => item[key] ?? ''),
  });

  /** Each kind of list, with nothing in it. */
  const lists: Readonly<Record<string, () => Promise<GrowingList>>> = {
    'deployments of an organization': async () => {
      const env = await environment(caller());
      await report(caller(), env, []);
      return {
        path: `/deployments/acme?env_name=${env}&`,
        read: ({ deployments, _links }: OrgDeploymentPage) => ({
          items: deployments.map(({ fingerprint }) => fingerprint),
          next: _links?.next,
          prev: _links?.prev,
        }),
        add: deploying(caller(), env, () => Promise.resolve()),
      };
    },
    'deployments of a repository': async () => {
      const [env, flowName, repo_info] = [await environment(caller()), await flow(caller()), repository()];
      await post(caller(), flowName, artifact(digest(fresh('first')), { repo_info }));
      const { repos } = await caller().get<{ repos: { id: string }[] }>(
        `/repos/acme?name=${encodeURIComponent(repo_info.name)}`,
      );
      await report(caller(), env, []);
      return {
        path: `/repos/acme/${repos[0]?.id}/deployments?`,
        read: ({ deployments, _links }: OrgDeploymentPage) => ({
          items: deployments.map(({ fingerprint }) => fingerprint),
          next: _links?.next,
          prev: _links?.prev,
        }),
        add: deploying(caller(), env, (fingerprint) =>
          post(caller(), flowName, artifact(fingerprint, { repo_info, trail_name: fresh('trail') })),
        ),
      };
    },
    'trails of an organization': async () => {
      const flowName = await flow(caller());
      return {
        path: `/trails/acme?flow=${flowName}&`,
        read: ({ data }: { data: { name: string }[] }) => ({ items: data.map(({ name }) => name) }),
        add: () => trail(fresh('trail'), flowName),
      };
    },
    'trails of a flow': async () => {
      const flowName = await flow(caller());
      const read = ({ data }: { data: readonly Readonly<Record<string, string>>[] }) => names('name')(data);
      return { path: `/trails/acme/${flowName}?`, read, add: () => trail(fresh('trail'), flowName) };
    },
    'artifacts of an organization': async () => {
      const flowName = await flow(caller());
      return {
        path: `/artifacts/acme?flow_name=${flowName}&`,
        read: names('fingerprint'),
        add: () => post(caller(), flowName, artifact(digest(fresh('artifact')), { trail_name: fresh('trail') })),
      };
    },
    'artifacts of a flow': async () => {
      const flowName = await flow(caller());
      return {
        path: `/artifacts/acme/${flowName}?`,
        read: names('fingerprint'),
        add: () => post(caller(), flowName, artifact(digest(fresh('artifact')), { trail_name: fresh('trail') })),
      };
    },
    attestations: async () => {
      const flowName = await flow(caller());
      const name = fresh('trail');
      await trail(name, flowName);
      return {
        path: `/attestations/acme?flow_name=${flowName}&`,
        read: ({ data }: { data: { attestation_id: string }[] }) => ({
          items: data.map(({ attestation_id }) => attestation_id),
        }),
        add: (n) => attest(flowName, name, n),
      };
    },
    'events of an environment': async () => {
      const env = await environment(caller());
      return {
        path: `/environments/acme/${env}/events?interval=1..NOW&`,
        read: (events: { sha256: string; snapshot_index: number; description?: string }[]) => ({
          items: events.map((event) => JSON.stringify(event)),
        }),
        add: (n) => report(caller(), env, [item({ web: digest(`${env} ${n}`) })]),
      };
    },
    'snapshots of an environment': async () => {
      const env = await environment(caller());
      return {
        path: `/snapshots/acme/${env}?`,
        read: (snapshots: { index: number }[]) => ({ items: snapshots.map(({ index }) => String(index)) }),
        add: (n) => report(caller(), env, [item({ web: digest(`${env} ${n}`) })]),
      };
    },
    'allowed artifacts': async () => {
      const env = await environment(caller());
      return {
        path: `/allowlists/acme/${env}?`,
        read: ({ artifacts }: { artifacts: { artifact_fingerprint: string }[] }) => ({
          items: artifacts.map((artifact) => artifact.artifact_fingerprint),
        }),
        add: (n) =>
          caller().expect(201, 'PUT', `/allowlists/acme/${env}`, {
            json: { artifact_fingerprint: digest(`${env} ${n}`), artifact_name: 'x', description: 'x' },
          }),
      };
    },
    environments: async () => {
      const part = fresh('followed-env');
      return {
        path: `/environments/acme?name=${part}-&sort_direction=desc&`,
        read: ({ environments }: EnvironmentPage) => ({ items: environments.map(({ name }) => name) }),
        add: (n) =>
          caller().expect(201, 'PUT', '/environments/acme', {
            json: { name: `${part}-${100 + n}`, type: 'docker', description: '' },
          }),
      };
    },
    'environments, of which all are sorted by time': async () => {
      const part = fresh('followed-env');
      return {
        path: `/environments/acme?name=${part}-&sort=last_modified_at&sort_direction=desc&`,
        read: ({ environments }: EnvironmentPage) => ({ items: environments.map(({ name }) => name) }),
        add: (n) =>
          caller().expect(201, 'PUT', '/environments/acme', {
            json: { name: `${part}-${n}`, type: 'docker', description: '' },
          }),
      };
    },
    flows: async () => {
      const part = fresh('followed-flow');
      return {
        path: `/flows/acme?search_by_name=${part}-&sort=latest_activity&sort_direction=desc&`,
        read: ({ data }: FlowPage) => ({ items: data.map(({ name }) => name) }),
        add: (n) =>
          caller().expect(201, 'PUT', '/flows/acme/template_file', {
            form: flowForm({ name: `${part}-${n}`, description: '' }),
          }),
      };
    },
    repositories: async () => {
      const [flowName, part] = [await flow(caller()), fresh('acme/followed')];
      return {
        path: `/repos/acme?search=${part}-&sort_direction=desc&`,
        read: ({ repos }: RepoPage) => ({ items: repos.map(({ name }) => name) }),
        add: (n) => {
          const name = `${part}-${100 + n}`;
          const repo_info = { ...repository(), url: `https://github.com/${name}`, name };
          return post(caller(), flowName, artifact(digest(name), { repo_info, trail_name: fresh('trail') }));
        },
      };
    },
    controls: async () => {
      const part = fresh('FOLLOWED');
      return {
        path: `/controls/acme?search=${part}-&sort_direction=desc&`,
        read: ({ controls }: ControlPage) => ({ items: controls.map(({ identifier }) => identifier) }),
        add: (n) =>
          caller().expect(201, 'POST', '/controls/acme', {
            json: { identifier: `${part}-${100 + n}`, name: 'Followed', description: '' },
          }),
      };
    },
    'changes of memberships': async () => {
      const user = fresh('Grace');
      await newMember(world(), caller(), user, 'reader');
      return {
        path: `/membership-audit-log/acme?search=${user}&`,
        read: ({ events, _links }: MembershipPage) => ({
          items: events.map(({ id }) => id),
          next: _links?.next,
          prev: _links?.prev,
        }),
        add: (n) =>
          caller().expect(200, 'PUT', `/organizations/acme/members/${user}`, {
            json: { role: n % 2 === 0 ? 'member' : 'reader' },
          }),
      };
    },
  };

  it.each(Object.keys(lists))('repeats and leaves out none of the %s while others come', async (name) => {
    const list = await lists[name]?.();
    if (list === undefined) throw new Error(`there is no list of ${name}`);
    let n = 0;
    for (; n < SIZE; n += 1) await list.add(n);
    const { items: before } = await read(list, `${list.path}page=1&per_page=50`);
    expect(before.length).toBeGreaterThanOrEqual(SIZE);

    const follow = async (from: string, side: 'next' | 'prev') => {
      const pages: ListPage[] = [];
      for (let path: string | null = from; path !== null; n += 1) {
        const page = await read(list, path);
        pages.push(page);
        path = page[side];
        if (path !== null) await list.add(n);
      }
      return pages;
    };
    const there = await follow(`${list.path}page=1&per_page=2`, 'next');
    expect(there.flatMap(({ items }) => items)).toEqual(before);
    const back = await follow(there.at(-1)?.self ?? '', 'prev');
    const all = back.toReversed().flatMap(({ items }) => items);
    expect(all.slice(-before.length)).toEqual(before);
    expect(new Set(all).size).toBe(all.length);
  });

  it('lists each of many deployments of one second once, by links and by numbers of pages', async () => {
    const env = await environment(caller());
    const all = Array.from({ length: 45 }, (_, i) => digest(`${env} ${i}`));
    await report(caller(), env, [item(Object.fromEntries(all.map((fingerprint, i) => [`part-${i}`, fingerprint])))]);
    const deployments: GrowingList = {
      path: `/deployments/acme?env_name=${env}&`,
      read: ({ deployments, _links }: OrgDeploymentPage) => ({
        items: deployments.map(({ fingerprint }) => fingerprint),
        next: _links?.next,
      }),
      add: () => Promise.resolve(),
    };
    const events: GrowingList = {
      path: `/environments/acme/${env}/events?`,
      read: (results: { sha256: string }[]) => ({ items: results.map(({ sha256 }) => sha256) }),
      add: () => Promise.resolve(),
    };
    for (const list of [deployments, events]) {
      const { items: whole } = await read(list, `${list.path}per_page=50`);
      expect(whole.toSorted()).toEqual(all.toSorted());
      const linked: string[] = [];
      for (let path: string | null = `${list.path}per_page=7`; path !== null;) {
        const page: ListPage = await read(list, path);
        linked.push(...page.items);
        path = page.next;
      }
      expect(linked).toEqual(whole);
      const numbered = await Promise.all(
        Array.from({ length: 8 }, (_, i) => read(list, `${list.path}per_page=7&page=${i + 1}`)),
      );
      expect(numbered.flatMap(({ items }) => items)).toEqual(whole);
    }
  });

  it.each(Object.keys(lists))('refuses a position that is none in a list of %s', async (name) => {
    const { path } = (await lists[name]?.()) ?? { path: '' };
    for (const [query, field] of [
      ['after=x', 'after'],
      [`before=${Buffer.from('{"a":1}').toString('base64url')}`, 'before'],
      [`after=${Buffer.from('[1,null]').toString('base64url')}`, 'after'],
      ['after=WzFd&before=WzFd', 'before'],
    ] as const) {
      const { errors } = await caller().refused(400, 'GET', path + query);
      expect(Object.keys(errors ?? {})).toEqual([field]);
    }
    // One of another list, or made up: no page, and no fault.
    for (const cursor of ['[1]', '["x"]', '[1,2,3,4,5,6]', '[1e300]', '["",""]']) {
      await caller().get(`${path}after=${Buffer.from(cursor).toString('base64url')}`);
    }
  });
});

/** Reports one more artifact, which began to run before earlier ones were listed. */
function deploying(caller: Caller, env: string, posted: (fingerprint: string) => Promise<unknown>) {
  const running: ReturnType<typeof item>[] = [];
  return async (n: number) => {
    const fingerprint = digest(`${env} ${n}`);
    await posted(fingerprint);
    running.push(item({ [`part-${n}`]: fingerprint }, Math.floor(Date.now() / 1000) - 3_600 + n));
    await report(caller, env, running);
  };
}
