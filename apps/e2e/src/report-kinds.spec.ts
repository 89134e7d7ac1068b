import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import { NO_CONTEXTS } from '@assurance/contracts/environments/answers/context';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import { itemOf, type Kind, KINDS, reportAs } from './support/kinds';
import { CREATED, digest, environment, fresh, item, UNCHANGED } from './support/samples';
import { onEveryDeployment } from './support/world';

onEveryDeployment((world) => {
  const caller = () => world().as('snapshotter');
  const of = (kind: string) => environment(caller(), { type: kind });
  const latest = (env: string) => caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
  const refused = (status: number, kind: string, env: string, json: unknown) =>
    caller().refused(status, 'PUT', `/environments/acme/${env}/report/${kind}`, { json });

  describe.each(KINDS.map((kind) => [kind.kind, kind] as const))('a report of %s', (name, kind: Kind) => {
    it('creates snapshots of changes, and shows details of instances', async () => {
      const env = await of(name);
      expect(await reportAs(caller(), name, env, [itemOf(kind, 'a'), itemOf(kind, 'b')])).toBe(CREATED(1));
      expect(await reportAs(caller(), name, env, [itemOf(kind, 'b'), itemOf(kind, 'a')])).toBe(UNCHANGED);
      expect(await latest(env)).toMatchObject({
        type: name,
        artifacts: [
          { name: 'a', fingerprint: digest('a'), ...kind.shows, annotation: { type: 'started' } },
          { name: 'b', fingerprint: digest('b'), ...kind.shows, annotation: { type: 'started' } },
        ],
      });
      expect(await reportAs(caller(), name, env, [itemOf(kind, 'b')])).toBe(CREATED(2));
      const [stays, removed, ...more] = (await latest(env)).artifacts;
      expect(more).toEqual([]);
      expect(stays).toMatchObject({ name: 'b', ...kind.shows, annotation: { type: 'unchanged' } });
      expect(removed).toMatchObject({ name: 'a', annotation: { type: 'exited', now: 0 } });
      expect(removed).toMatchObject(NO_CONTEXTS);
      expect(await reportAs(caller(), name, env, null)).toBe(CREATED(3));
    });

    it('that differs only in details of instances creates no snapshot, and does not change the shown details', async () => {
      for (const include_scaling of [false, true]) {
        const env = await environment(caller(), { type: name, include_scaling });
        await reportAs(caller(), name, env, [itemOf(kind, 'a')]);
        const other = { ...itemOf(kind, 'a'), ...kind.saysOtherwise, creationTimestamp: 5 };
        expect(await reportAs(caller(), name, env, [other])).toBe(UNCHANGED);
        expect((await latest(env)).artifacts).toMatchObject([kind.shows]);
      }
    });

    it('scales where the environment includes it', async () => {
      const counts = async (include_scaling: boolean) => {
        const env = await environment(caller(), { type: name, include_scaling });
        await reportAs(caller(), name, env, [itemOf(kind, 'a')]);
        return [env, await reportAs(caller(), name, env, [itemOf(kind, 'a'), itemOf(kind, 'a')])] as const;
      };
      expect((await counts(false))[1]).toBe(UNCHANGED);
      const [env, text] = await counts(true);
      expect(text).toBe(CREATED(2));
      expect((await latest(env)).artifacts).toMatchObject([
        { annotation: { type: 'scaled', was: 1, now: 2 }, ...kind.shows, creationTimestamp: { length: 2 } },
      ]);
    });

    it('is refused by environments of other types and by logical ones, and names both types', async () => {
      const [other] = KINDS.filter((kind) => kind.kind !== name);
      for (const type of [other?.kind ?? '', 'logical']) {
        const env = await environment(world().as('admin'), { type });
        const error = await refused(400, name, env, { artifacts: [itemOf(kind, 'a')] });
        expect(error).toEqual({ message: 'Invalid report data', errors: { type: expect.stringContaining(type) } });
        expect(error.errors?.['type']).toContain(name);
      }
    });

    it('to an unknown environment gets the error of the specification', async () => {
      expect(await refused(404, name, 'nowhere', { artifacts: [] })).toEqual({ message: 'Environment not found' });
    });

    it('accepts an empty digest where it may be unknown, without a deployment', async () => {
      const env = await of(name);
      const artifacts = [{ ...itemOf(kind, 'a'), digests: { a: '' } }];
      if (!kind.unknown) {
        const { message, errors } = await refused(400, name, env, { artifacts });
        expect([message, Object.keys(errors ?? {})]).toEqual(['Invalid report data', ['artifacts.0.digests.a']]);
        return;
      }
      expect(await reportAs(caller(), name, env, artifacts)).toBe(CREATED(1));
      expect((await latest(env)).artifacts).toMatchObject([{ name: 'a', fingerprint: '', ...kind.shows }]);
      expect(await reportAs(caller(), name, env, artifacts)).toBe(UNCHANGED);
      const deployments = () => caller().get<OrgDeploymentPage>(`/deployments/acme?env_name=${env}&start_ts=0`);
      expect(await deployments()).toMatchObject({ total_count: 0 });
      expect(await reportAs(caller(), name, env, [itemOf(kind, 'a')])).toBe(CREATED(2));
      expect(await deployments()).toMatchObject({ total_count: 1, deployments: [{ fingerprint: digest('a') }] });
    });

    it('names each wrong field', async () => {
      const env = await of(name);
      const good = itemOf(kind, 'a');
      const pathsOf = async (json: unknown) => {
        const { message, errors } = await refused(400, name, env, json);
        expect(message).toBe('Invalid report data');
        return Object.keys(errors ?? {}).sort();
      };
      expect(await pathsOf({})).toEqual(['artifacts']);
      expect(await pathsOf({ artifacts: [good], colour: 1 })).toEqual(['colour']);
      expect(await pathsOf({ artifacts: [good, { ...good, colour: 'red' }] })).toEqual(['artifacts.1.colour']);
      expect(await pathsOf({ artifacts: [{ ...good, digests: { a: 'A'.repeat(63) } }] })).toEqual([
        'artifacts.0.digests.a',
      ]);
      expect(await pathsOf({ artifacts: [{ ...good, creationTimestamp: 1.5 }] })).toEqual([
        'artifacts.0.creationTimestamp',
      ]);
      for (const field of kind.required) {
        const { [field]: _, ...without } = good as Readonly<Record<string, unknown>>;
        expect(await pathsOf({ artifacts: [without] })).toEqual([`artifacts.0.${field}`]);
        expect(await pathsOf({ artifacts: [{ ...good, [field]: null }] })).toEqual([`artifacts.0.${field}`]);
        expect(await pathsOf({ artifacts: [{ ...good, [field]: 7 }] })).toEqual([`artifacts.0.${field}`]);
      }
      for (const other of KINDS) {
        for (const field of Object.keys(other.says)) {
          if (field in kind.says || (name === 'cloud-run' && field === 'kind')) continue;
          expect(await pathsOf({ artifacts: [{ ...good, [field]: 'x' }] })).toEqual([`artifacts.0.${field}`]);
        }
      }
      expect(await latest(env).catch((error: Error) => error.message)).toContain('404');
    });

    it('accepts upper case digests, and stores them in lower case', async () => {
      const env = await of(name);
      await reportAs(caller(), name, env, [{ ...itemOf(kind, 'a'), digests: { a: digest('a').toUpperCase() } }]);
      expect((await latest(env)).artifacts).toMatchObject([{ fingerprint: digest('a') }]);
    });

    it('has exactly one digest for each item of kinds with one digest', async () => {
      const env = await of(name);
      const two = { ...itemOf(kind, 'a'), digests: { a: digest('a'), b: digest('b') } };
      const none = { ...itemOf(kind, 'a'), digests: {} };
      if (name !== 'S3' && name !== 'lambda') {
        expect(await reportAs(caller(), name, env, [two, none])).toBe(CREATED(1));
        expect((await latest(env)).artifacts).toMatchObject([
          { name: 'a', ...kind.shows },
          { name: 'b', ...kind.shows },
        ]);
        return;
      }
      for (const wrong of [two, none]) {
        const { errors } = await refused(400, name, env, { artifacts: [wrong] });
        expect(errors).toEqual({ 'artifacts.0.digests': expect.stringContaining('exactly one entry') });
      }
    });
  });

  it('does not exist in another spelling', async () => {
    const env = await of('K8S');
    for (const kind of ['k8s', 'Docker', 'logical', 'azure_apps', 's3', '']) {
      await refused(404, kind, env, { artifacts: [item({ [fresh('a')]: digest('a') })] });
    }
  });
});
