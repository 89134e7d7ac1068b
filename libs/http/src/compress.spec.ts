import { Readable } from 'node:stream';
import { PAGE_HEADER } from '@assurance/contracts/access/session-cookie';
import fastify from 'fastify';
import { compressForPages } from './compress';

const LONG = { text: 'again and again '.repeat(1_000) };
const PAGE = { [PAGE_HEADER]: '1', 'accept-encoding': 'gzip, deflate, br' };

describe('JSON for pages', () => {
  const server = fastify().addHook('onSend', compressForPages);
  server.get('/long', () => LONG);
  server.get('/short', () => ({ a: 1 }));
  server.get('/stream', (_, reply) =>
    reply
      .type('application/json')
      .header('content-length', '9')
      .send(Readable.from([JSON.stringify(LONG)])),
  );
  server.get('/done', (_, reply) =>
    reply.type('application/json').header('content-encoding', 'gzip').send('x'.repeat(5_000)),
  );
  server.get('/text', (_, reply) => reply.type('text/event-stream').send('x'.repeat(5_000)));
  beforeAll(() => server.listen({ port: 0 }));
  afterAll(() => server.close());

  const ask = async (url: string, headers: Record<string, string> = PAGE) => {
    const { headers: answered, rawPayload } = await server.inject({ url, headers });
    return { encoding: answered['content-encoding'], length: answered['content-length'], bytes: rawPayload };
  };

  it.each(['/long', '/stream'])('%s is compressed, and is what it was', async (path) => {
    const [address] = server.addresses();
    const answer = await fetch(`http://localhost:${address?.port}${path}`, { headers: PAGE });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('vary')).toBe('accept-encoding');
    expect(await answer.json()).toEqual(LONG);
    expect((await ask(path)).bytes.length).toBeLessThan(500);
  });

  it.each(['/short', '/text'])('%s stays as it is', async (path) => {
    expect((await ask(path)).encoding).toBeUndefined();
  });

  it('that another process compressed is passed on', async () => {
    expect(await ask('/done')).toMatchObject({ encoding: 'gzip', length: '5000' });
  });

  it('goes as it is to programs, and to browsers that take no gzip', async () => {
    expect((await ask('/long', { 'accept-encoding': 'gzip' })).encoding).toBeUndefined();
    expect((await ask('/long', { [PAGE_HEADER]: '1' })).encoding).toBeUndefined();
  });
});
