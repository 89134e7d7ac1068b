import type { AttestationAnswer, AttestationListAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { TrailAnswer } from '@assurance/contracts/flows/answers/trail';
import { fresh } from './support/samples';
import { onEveryDeployment } from './support/world';

const SCHEMA = { type: 'object', required: ['coverage'], properties: { coverage: { type: 'number' } } };

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const form = (data: object, schema?: object) => {
    const body = new FormData();
    body.set('data_json', JSON.stringify(data));
    if (schema !== undefined) body.set('type_schema', new Blob([JSON.stringify(schema)]), 'schema.json');
    return body;
  };
  /** Makes a type of a name of its own, or another version of it. */
  const type = async (rules: readonly string[], schema?: object, name = fresh('type')) => {
    const data = { name, evaluator: { content_type: 'jq', rules } };
    await caller().expect(201, 'POST', '/custom-attestation-types/acme', { form: form(data, schema) });
    return name;
  };
  const at = (flow: string) => `/attestations/acme/${flow}/trail/build-1`;
  const custom = (attestation_data: unknown, type_name: string) => ({
    form: form({ attestation_name: 'coverage', type_name, attestation_data }),
  });
  const attest = (flow: string, data: unknown, name: string) =>
    caller().expect<string>(201, 'POST', `${at(flow)}/custom`, custom(data, name));
  const refused = (flow: string, data: unknown, name: string) =>
    caller().refused(400, 'POST', `${at(flow)}/custom`, custom(data, name));
  const trail = (flow: string) => caller().get<TrailAnswer>(`/trails/acme/${flow}/build-1`);
  const statusOf = async (flow: string) => (await trail(flow)).compliance_status.status;
  const attested = async (flow: string, name = 'coverage') => {
    const all = await caller().get<AttestationAnswer[]>(`${at(flow)}/${name}`);
    return all.map(({ attestation_type, is_compliant }) => [attestation_type, is_compliant]);
  };

  /** All that was recorded under a name. */
  const recorded = async (flow: string, name: string) => {
    const results: AttestationListAnswer['data'][number][] = [];
    for (const { attestation_id } of await caller().get<AttestationAnswer[]>(`${at(flow)}/${name}`)) {
      const path = `/attestations/acme?attestation_id=${encodeURIComponent(attestation_id)}`;
      results.push(...(await caller().get<AttestationListAnswer>(path)).data);
    }
    return results;
  };

  describe('a custom attestation', () => {
    it('is compliant if every rule of its type yields true', async () => {
      const [flow, name] = [fresh('flow'), await type(['.coverage >= 80', '.coverage <= 100'], SCHEMA)];
      expect(await attest(flow, { coverage: 81 }, name)).toBe('OK');
      expect([await attested(flow), await statusOf(flow)]).toEqual([[[`custom:${name}`, true]], 'COMPLIANT']);
      await attest(flow, { coverage: 101 }, name);
      expect(await attested(flow)).toContainEqual([`custom:${name}`, false]);
      expect(await statusOf(flow)).toBe('NON-COMPLIANT');
    });

    it('of a type without rules is always compliant', async () => {
      const [flow, name] = [fresh('flow'), await type([])];
      for (const data of [null, [], 'x', { a: { b: 1 } }]) await attest(flow, data, name);
      expect(await attested(flow)).toHaveLength(4);
      expect(await statusOf(flow)).toBe('COMPLIANT');
    });

    it('is refused if its data violates the schema; the error names the place', async () => {
      const [flow, name] = [fresh('flow'), await type([], SCHEMA)];
      expect(await refused(flow, { coverage: 'high' }, name)).toEqual({
        message: expect.stringMatching(/^Input payload validation failed: /),
        errors: { 'attestation_data.coverage': 'must be number' },
      });
      expect(Object.keys((await refused(flow, null, name)).errors ?? {})).toEqual(['attestation_data']);
      expect(await caller().refused(404, 'GET', `/trails/acme/${flow}/build-1`)).toHaveProperty('message');
    });

    it('is judged by the newest version of its type, and keeps its verdict when a new version appears', async () => {
      const [flow, name] = [fresh('flow'), await type(['.coverage >= 80'])];
      await attest(flow, { coverage: 70 }, name);
      await type(['.coverage >= 60'], undefined, name);
      expect(await statusOf(flow)).toBe('NON-COMPLIANT');
      await attest(flow, { coverage: 70 }, name);
      expect(await statusOf(flow)).toBe('COMPLIANT');
      expect((await recorded(flow, 'coverage')).map(({ type_version }) => type_version).sort()).toEqual([1, 2]);
      await caller().expect(200, 'PUT', `/custom-attestation-types/acme/${name}/archive`, { json: null });
      await attest(flow, { coverage: 50 }, name);
      expect(await statusOf(flow)).toBe('NON-COMPLIANT');
    });

    it('of an unknown type is refused', async () => {
      expect(await caller().refused(404, 'POST', `${at(fresh('flow'))}/custom`, custom({}, 'nothing'))).toEqual({
        message: "Custom attestation type 'nothing' does not exist for org 'acme'",
      });
    });

    it('with an endless rule is refused, while others are accepted', async () => {
      const [flow, name] = [fresh('flow'), await type(['true', 'def f: f; f'])];
      const plain = caller().expect(201, 'POST', `${at(flow)}/generic`, {
        form: form({ attestation_name: 'plain', is_compliant: true }),
      });
      const { errors } = await refused(flow, {}, name);
      expect(errors?.['attestation_data']).toContain("Rule 'def f: f; f' of version 1 takes more time or memory");
      await plain;
      expect(await attested(flow, 'plain')).toEqual([['generic', true]]);
      const good = await type(['true']);
      await attest(flow, {}, good);
    });
  });

  describe('a decision', () => {
    const decide = (flow: string, control: string, is_compliant: boolean, name = 'decision') =>
      caller().expect(201, 'POST', `${at(flow)}/system`, {
        form: form({ attestation_name: name, type_name: 'decision', control, attestation_data: { is_compliant } }),
      });
    const control = async () => {
      const identifier = fresh('SDLC');
      const json = { identifier, name: 'Code review' };
      await world().as('admin').expect(201, 'POST', '/controls/acme', { json });
      return identifier;
    };

    it('counts for its trail; the newest one of a control decides', async () => {
      const [flow, identifier] = [fresh('flow'), await control()];
      await decide(flow, identifier, false);
      expect(await statusOf(flow)).toBe('NON-COMPLIANT');
      await decide(flow, identifier, true);
      expect(await statusOf(flow)).toBe('COMPLIANT');
      expect(await attested(flow, 'decision')).toContainEqual(['decision', true]);
    });

    it('stores the current version of its control, and is accepted for an unknown control', async () => {
      const [flow, identifier] = [fresh('flow'), await control()];
      await decide(flow, identifier, true, 'first');
      await world()
        .as('admin')
        .expect(200, 'PUT', `/controls/acme/${identifier}`, { json: { name: 'Review' } });
      await decide(flow, identifier, true, 'second');
      await decide(flow, 'nobody-made-it', true, 'third');
      const versions: unknown[] = [];
      for (const name of ['first', 'second', 'third']) {
        for (const { control: of, control_version } of await recorded(flow, name)) versions.push([of, control_version]);
      }
      expect(versions).toEqual([
        [identifier, 1],
        [identifier, 2],
        ['nobody-made-it', null],
      ]);
    });
  });
});
