import { localServer } from '@assurance/testing/engines/local-server';
import type { RunningServer } from '@assurance/testing/engines/running';
import { openMongo } from './open-mongo';

const START_MS = 120_000;

describe('a MongoDB that requires TLS and a user', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await localServer('mongodb-secured');
  }, START_MS);
  afterAll(() => server.stop());

  async function open(url: string): Promise<string[]> {
    const surroundings = { now: () => Date.now(), steady: () => performance.now(), random: () => Buffer.alloc(16) };
    try {
      const opened = await openMongo({ url, database: 'secured', ...surroundings });
      const problems = await opened.problems();
      await opened.close();
      return problems;
    } catch (error) {
      return [(error as Error).message];
    }
  }

  const withPassword = () => new URL(String(server.settings['MONGODB_PASSWORD_URL']));

  it('takes a user and a password', async () => expect(await open(withPassword().href)).toEqual([]));

  it('takes a certificate', async () => {
    expect(server.url).toContain('authMechanism=MONGODB-X509');
    expect(await open(server.url)).toEqual([]);
  });

  it('is distinguished from one that does not answer', async () => {
    const wrong = withPassword();
    wrong.password = 'wrong';
    expect(await open(wrong.href)).toEqual(['MongoDB refuses the user: see MONGODB_URL.']);
    const distrusted = withPassword();
    distrusted.searchParams.delete('tlsCAFile');
    const [fields] = await open(distrusted.href);
    expect(fields).toMatch(/^The TLS connection to MongoDB fails with [A-Z_]+: see tls, tlsCAFile /);
  });
});
