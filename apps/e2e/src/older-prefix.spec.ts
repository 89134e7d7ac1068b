import { keyOf } from './support/declared';
import { exchange } from './support/exchange';
import { flowForm, fresh } from './support/samples';
import { onOwnServices } from './support/world';

onOwnServices((world) => {
  /** Sends a request under the older prefix, which the document does not name. */
  async function send(role: 'member' | 'reader' | null, method: string, path: string, body?: Request) {
    const headers: Record<string, string> = role === null ? {} : { authorization: `Bearer ${keyOf(role)}` };
    if (body !== undefined) headers['content-type'] = body.headers.get('content-type') ?? '';
    const bytes = body === undefined ? undefined : await body.bytes();
    const answer = await exchange(`${world().url}/api/fastapi${path}`, { method, headers, body: bytes });
    return { status: answer.status, body: JSON.parse(answer.content.toString()) as unknown };
  }
  const json = (value: unknown) =>
    new Request('http://localhost', {
      method: 'POST',
      body: JSON.stringify(value),
      headers: { 'content-type': 'application/json' },
    });

  it('serves forms, small bodies, changes and reads under the older prefix', async () => {
    const [flow, env] = [fresh('flow'), fresh('env')];
    const form = new Request('http://localhost', { method: 'POST', body: flowForm({ name: flow }) });
    expect(await send('member', 'PUT', '/flows/acme/template_file', form)).toEqual({ status: 201, body: 'OK' });
    expect(await send('member', 'PUT', '/environments/acme', json({ name: env, type: 'docker' }))).toMatchObject({
      status: 201,
    });
    expect(await send('member', 'PUT', `/environments/acme/${env}/report/docker`, json({ artifacts: [] }))).toEqual({
      status: 200,
      body: 'Report processed, no new snapshot needed',
    });
    expect(await send('member', 'PATCH', `/tags/acme/flow/${flow}`, json({ set_tags: { team: 'a' } }))).toMatchObject({
      status: 200,
    });
    const older = await send('reader', 'GET', `/flows/acme/${flow}?`);
    expect(older).toEqual({ status: 200, body: await world().as('reader').get(`/flows/acme/${flow}`) });
  });

  it('asks for the same key and rights, and checks the same', async () => {
    expect(await send(null, 'GET', '/flows/acme')).toMatchObject({ status: 401 });
    expect(
      await send('reader', 'PUT', '/environments/acme', json({ name: fresh('env'), type: 'docker' })),
    ).toMatchObject({ status: 403 });
    expect(await send('member', 'GET', '/flows/acme?colour=red')).toMatchObject({ status: 400 });
    expect(await send('member', 'GET', '/nothing')).toMatchObject({ status: 404 });
  });
});
