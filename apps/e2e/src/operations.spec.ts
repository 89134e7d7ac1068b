import type { Outcome } from '@assurance/event-sourcing/operation';
import { onOneProcess } from './support/world';

describe('the operations address', () => {
  onOneProcess((world) => {
    const get = async (path: string, token?: string | null) => {
      const response = await world().operator.send('GET', path, undefined, token);
      return [response.status, await response.text()];
    };

    it('answers liveness and readiness without a key, like the API', async () => {
      for (const path of ['/live', '/ready']) {
        expect(await get(path, null)).toEqual([200, 'OK']);
        const api = await fetch(world().url + path);
        expect([api.status, await api.text()]).toEqual([200, 'OK']);
      }
    });

    it.each([null, '', '0'.repeat(64), '0'.repeat(63)])('refuses the token %j', async (token) => {
      const { operator } = world();
      const requests = [
        await operator.send('GET', '/operations', undefined, token),
        await operator.send('POST', '/operations/parked', { args: [] }, token),
        await operator.send('POST', '/operations/none', { args: [] }, token),
      ];
      expect(requests.map(({ status }) => status)).toEqual([401, 401, 401]);
      expect(await requests[0]?.json()).toEqual({ message: 'Missing or invalid operations token' });
    });

    it('lists its operations, also for an unknown one', async () => {
      const { operator } = world();
      const listed = (await (await operator.send('GET', '/operations')).json()) as { operations: { name: string }[] };
      expect(listed.operations.map(({ name }) => name)).toEqual(expect.arrayContaining(['parked', 'replay']));
      const unknown = await operator.send('POST', '/operations/none', { args: [] });
      expect(unknown.status).toBe(404);
      expect(await unknown.json()).toMatchObject(listed);
    });

    it.each(['{', '[]', '{"args": "a"}', '{"args": [1]}', '{}', 'null'])('refuses the body %s', async (body) => {
      const { url, token } = world().operator.address;
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${url}/operations/parked`, { method: 'POST', headers, body });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ message: 'The body must be {"args": [words]}, with each word a string' });
    });

    it('runs an operation and returns its result', async () => {
      const outcome: Outcome = { ok: true, summary: 'No stream is parked.', details: { parked: [] } };
      expect(await world().operator.run('parked')).toEqual({ progress: [], outcome, error: null });
      const replayed = await world().operator.run('replay', 'projection');
      expect(replayed.outcome).toMatchObject({ ok: true, details: { group: 'projection', streams: 0, failed: [] } });
    });

    it('refuses wrong arguments with the operation’s sentence', async () => {
      const { outcome, error } = await world().operator.run('replay', 'nobody');
      expect([outcome, error]).toEqual([
        null,
        'replay needs the name of one consumer group: ingestion or projection or vulnerabilities or notification-dispatcher.',
      ]);
    });

    it('does not serve the API, and the API does not serve operations', async () => {
      expect((await get('/api/v2/environments/acme'))[0]).toBe(404);
      const headers = { accept: 'application/json' };
      expect((await fetch(`${world().url}/operations`, { headers })).status).toBe(404);
    });
  });
});
