import type { TagChoice } from '@assurance/contracts/http/answers/common';
import type { FlowAnswer } from '@assurance/contracts/flows/answers/flow';
import type {
  ControlCoverageAnswer,
  ControlVersionAnswer,
  ControlVersionPage,
  DecisionPage,
} from '@assurance/contracts/policies/answers/control';
import { environment, flow, flowForm, fresh } from './support/samples';
import { onEveryDeployment } from './support/world';

onEveryDeployment((world) => {
  const admin = () => world().as('admin');
  const create = async () => {
    const identifier = fresh('SDLC');
    await admin().expect(201, 'POST', '/controls/acme', { json: { identifier, name: 'Review' } });
    return identifier;
  };
  const put = (identifier: string, json: object) =>
    admin().expect(200, 'PUT', `/controls/acme/${identifier}`, { json });
  const act = (identifier: string, what: string) =>
    admin().expect(200, 'POST', `/controls/acme/${identifier}/${what}`, { json: null });

  describe('versions of a control', () => {
    const version = (identifier: string, n: string | number) =>
      admin().get<ControlVersionAnswer>(`/controls/acme/${identifier}/versions/${n}`);
    const versions = (identifier: string, query = '') =>
      world().as('reader').get<ControlVersionPage>(`/controls/acme/${identifier}/versions?${query}`);

    it('keep what each change left, newest first, and say whether they were archived', async () => {
      const identifier = await create();
      const links = { wiki: 'https://wiki.example.com' };
      await put(identifier, { links });
      await act(identifier, 'archive');
      await act(identifier, 'unarchive');
      await put(identifier, { name: 'Code review', description: 'Two people' });
      await act(identifier, 'archive');
      const page = await versions(identifier);
      expect(page).toMatchObject({ page: 1, per_page: 15, total_pages: 1, total_count: 3 });
      const common = { identifier, created_by: 'ci-admin', created_at: expect.any(Number) as number };
      expect(page.versions).toEqual([
        { ...common, version: 3, name: 'Code review', description: 'Two people', links, status: 'archived' },
        { ...common, version: 2, name: 'Review', description: '', links, status: 'active' },
        { ...common, version: 1, name: 'Review', description: '', links: {}, status: 'active' },
      ]);
      for (const listedVersion of page.versions)
        expect(await version(identifier, listedVersion.version)).toEqual(listedVersion);
    });

    it('come in pages, in both directions', async () => {
      const identifier = await create();
      for (let i = 2; i <= 7; i += 1) await put(identifier, { name: `Review ${i}` });
      const numbers = async (query: string) =>
        (await versions(identifier, query)).versions.map((listedVersion) => listedVersion.version);
      expect(await numbers('per_page=3')).toEqual([7, 6, 5]);
      expect(await numbers('per_page=3&page=3')).toEqual([1]);
      expect(await numbers('per_page=3&page=4')).toEqual([]);
      expect(await numbers('per_page=3&page=2&sort_direction=asc')).toEqual([4, 5, 6]);
      await admin().refused(400, 'GET', `/controls/acme/${identifier}/versions?per_page=101`);
    });

    it.each(['0', '2', '-1', 'x', '1.0', '01', '99999999999'])('are unknown as %s', async (n) => {
      const identifier = await create();
      const { message } = await admin().refused(404, 'GET', `/controls/acme/${identifier}/versions/${n}`);
      expect(message).toBe(`Control '${identifier}' has no version '${n}' in organization 'acme'`);
    });

    it('of an unknown control are 404', async () => {
      const message = "Control 'nobody' does not exist in organization 'acme'";
      for (const rest of ['versions', 'versions/1', 'decisions', 'decisions/1']) {
        expect(await admin().refused(404, 'GET', `/controls/acme/nobody/${rest}`)).toEqual({ message });
      }
    });
  });

  describe('decisions on a control', () => {
    const flowOf = async () => {
      const name = await flow(admin());
      await admin().expect(201, 'PUT', `/trails/acme/${name}`, { form: flowForm({ name: 'build' }) });
      return { name, id: (await admin().get<FlowAnswer>(`/flows/acme/${name}`)).id };
    };
    const decide = async (flowName: string, control: string, is_compliant: boolean) => {
      const data = { attestation_name: 'review', type_name: 'decision', control, attestation_data: { is_compliant } };
      const path = `/attestations/acme/${flowName}/trail/build/system`;
      await admin().expect(201, 'POST', path, { form: flowForm(data) });
    };
    const decisions = (identifier: string, query = '') =>
      world().as('reader').get<DecisionPage>(`/controls/acme/${identifier}/decisions?${query}`);

    it('are those of this control alone, newest first, each with the version that it was about', async () => {
      const [identifier, other] = [await create(), await create()];
      const [first, second] = [await flowOf(), await flowOf()];
      await decide(first.name, identifier, true);
      await put(identifier, { name: 'Code review' });
      await decide(second.name, identifier, false);
      await decide(first.name, other, true);
      const page = await decisions(identifier);
      expect(page).toMatchObject({ page: 1, per_page: 15, total_pages: 1, total_count: 2 });
      expect(page.decisions).toMatchObject([
        { control: identifier, control_version: 2, is_compliant: false, flow_name: second.name, trail_name: 'build' },
        { control: identifier, control_version: 1, is_compliant: true, flow_name: first.name, reported_by: 'ci-admin' },
      ]);
      const [newest, oldest] = page.decisions;
      expect((await decisions(identifier, 'sort_direction=asc')).decisions).toEqual([oldest, newest]);
      expect((await decisions(identifier, 'is_compliant=True')).decisions).toEqual([oldest]);
      expect((await decisions(identifier, 'is_compliant=false')).decisions).toEqual([newest]);
      expect((await decisions(identifier, `flow_id=${first.id}`)).decisions).toEqual([oldest]);
      expect((await decisions(identifier, `flow_id=${first.id}&flow_id=${second.id}`)).total_count).toBe(2);
      expect((await decisions(identifier, `from_timestamp=${newest?.created_at}`)).decisions).toEqual([newest]);
      expect((await decisions(identifier, `to_timestamp=${oldest?.created_at}`)).decisions).toEqual([oldest]);
      expect((await decisions(identifier, 'per_page=1&page=2')).decisions).toEqual([oldest]);
      const of = (id = '') => `/controls/acme/${identifier}/decisions/${id}`;
      expect(await admin().get(of(newest?.attestation_id))).toMatchObject({
        ...newest,
        attestation_data: { is_compliant: false },
      });
      const elsewhere = (await decisions(other)).decisions[0]?.attestation_id;
      for (const id of ['unknown', elsewhere]) {
        const message = `Decision '${id}' on control '${identifier}' does not exist`;
        expect(await admin().refused(404, 'GET', of(id))).toEqual({ message });
      }
      await admin().refused(400, 'GET', of('').slice(0, -1) + '?from_timestamp=7&to_timestamp=6');
    });
  });

  it('the tags of controls are listed once each', async () => {
    const [value, other] = [fresh('a'), fresh('b')];
    for (const set_tags of [{ unit: value }, { unit: other }, { unit: value, 'x:y': 'z' }]) {
      const identifier = await create();
      if ('x:y' in set_tags) {
        await admin().refused(400, 'PATCH', `/tags/acme/control/${identifier}`, { json: { set_tags } });
        continue;
      }
      await admin().expect(200, 'PATCH', `/tags/acme/control/${identifier}`, { json: { set_tags } });
    }
    const last = await create();
    await admin().expect(200, 'PATCH', `/tags/acme/control/${last}`, { json: { set_tags: { unit: value, a: value } } });
    await act(last, 'archive');
    const own = (await world().as('reader').get<TagChoice[]>('/controls/acme/tags')).filter(
      (tag) => tag.value === value || tag.value === other,
    );
    expect(own).toEqual([
      { key: 'a', value },
      { key: 'unit', value },
      { key: 'unit', value: other },
    ]);
  });

  it('the coverage of a control is searched by its newer parameter, and by any word for a boolean', async () => {
    const identifier = await create();
    const name = await environment(admin(), { type: 'docker' });
    const coverage = (query: string) =>
      admin().get<ControlCoverageAnswer>(`/controls/acme/${identifier}/coverage?${query}`);
    expect(await coverage(`search=${name.toUpperCase()}`)).toMatchObject({ total_count: 1, environments: [{ name }] });
    expect(await coverage(`search=${name}&covered=True`)).toMatchObject({ total_count: 0 });
    expect(await coverage(`search=${name}&covered=0`)).toMatchObject({ total_count: 1 });
    expect(await coverage(`search=${name}&name=other`)).toMatchObject({ total_count: 1 });
  });
});
