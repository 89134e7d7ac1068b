import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import { digest, environment, fresh, item, report } from './support/samples';
import { onEveryDeployment } from './support/world';

const FORBIDDEN = { message: "You don't have permission to access this resource" };

onEveryDeployment((world) => {
  const admin = () => world().as('admin');
  const snapshotter = () => world().as('snapshotter');
  const put = (status: number, json: object) => snapshotter().expect(status, 'PUT', '/environments/acme', { json });
  const readEnvironment = (name: string) => admin().get<EnvironmentAnswer>(`/environments/acme/${name}`);

  it('creates an environment, repeats the request, and reports to it', async () => {
    const json = { name: fresh('env'), type: 'docker', description: 'made by a reporter' };
    expect(await put(201, json)).toBe('OK');
    expect(await put(200, json)).toBe('OK');
    await report(snapshotter(), json.name, [item({ 'web:1': digest('web') })]);
  });

  it('does not change settings of existing environments, also not of its own', async () => {
    const name = await environment(admin(), { description: 'live', include_scaling: false });
    const before = await readEnvironment(name);
    for (const change of [{ description: 'mine' }, { include_scaling: true }, { require_provenance: true }]) {
      expect(await put(403, { name, type: 'docker', ...change })).toEqual(FORBIDDEN);
    }
    expect(await readEnvironment(name)).toEqual(before);
    expect(await put(200, { name, type: 'docker', description: '' })).toBe('OK');
  });

  it('does not remove the members of a logical environment', async () => {
    const member = await environment(admin());
    const name = await environment(admin(), { type: 'logical', included_environments: [member] });
    expect(await put(403, { name, type: 'logical', included_environments: [] })).toEqual(FORBIDDEN);
    expect((await readEnvironment(name)).included_environments).toEqual([member]);
  });

  it('does not restore an archived environment', async () => {
    const name = await environment(admin());
    await admin().expect(200, 'PUT', `/environments/acme/${name}/archive`);
    expect(await put(403, { name, type: 'docker' })).toEqual(FORBIDDEN);
    expect((await admin().refused(404, 'GET', `/environments/acme/${name}`)).message).toContain('has been archived');
  });
});
