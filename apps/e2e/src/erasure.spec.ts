import { OTHER_KEY, userKeyOf } from './support/declared';
import { artifact, digest, environment, flow, item, post, report } from './support/samples';
import { onOwnServices } from './support/world';

onOwnServices((world) => {
  it('answers for an erased organization as for one that never existed, and for others as before', async () => {
    const member = world().as('member');
    const other = world().withHeader(`Bearer ${OTHER_KEY}`);
    const [env, flowName] = [await environment(member), await flow(member)];
    await post(member, flowName, artifact(digest(env)));
    await report(member, env, [item({ web: digest(env) })]);
    await other.expect(201, 'PUT', '/environments/other', { json: { name: 'kept', type: 'docker', description: '' } });
    const before = (await other.send('GET', '/environments/other')).text;
    const { outcome, error } = await world().operator.run('erase-organization', 'acme', '--confirm', 'acme');
    expect([error, outcome]).toMatchObject([null, { ok: true }]);
    const user = world().withHeader(`Bearer ${userKeyOf('member')}`);
    for (const path of ['/environments', '/flows', '/trails', '/artifacts', '/retention', '/deployments']) {
      const unknown = await user.refused(403, 'GET', `${path}/nowhere`);
      expect(await user.refused(403, 'GET', `${path}/acme`)).toEqual(unknown);
      await member.refused(401, 'GET', `${path}/acme`);
    }
    expect((await other.send('GET', '/environments/other')).text).toBe(before);
    for (const name of ['acme', 'ACME']) await user.refused(400, 'POST', '/organizations', { json: { name } });
    const verified = await world().operator.run('verify');
    expect(verified.outcome).toMatchObject({ ok: true, details: { erased: [{ name: 'acme' }] } });
  });
});
