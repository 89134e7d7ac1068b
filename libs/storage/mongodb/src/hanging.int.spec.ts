import { randomBytes } from 'node:crypto';
import { localServer } from '@assurance/testing/engines/local-server';
import { openMongo } from './open-mongo';

const START_MS = 120_000;

it(
  'a check of a server that hangs ends within seconds, time after time, and passes again when the server goes on',
  async () => {
    const server = await localServer('mongodb');
    const steady = () => performance.now();
    const engines = await openMongo({
      url: server.url,
      database: 'hanging',
      now: Date.now,
      steady,
      random: randomBytes,
    });
    try {
      expect(await engines.problems()).toEqual([]);
      process.kill(server.pid(), 'SIGSTOP');
      // It may answer once more before the signal arrives.
      for (let times = 0, begin = steady(); times < 2; begin = steady()) {
        const problems = await engines.problems();
        expect(steady() - begin).toBeLessThan(8_000);
        if (problems.length === 0 && times === 0) continue;
        expect(problems).toEqual(['MongoDB does not answer']);
        times += 1;
      }
      process.kill(server.pid(), 'SIGCONT');
      while ((await engines.problems()).length > 0);
    } finally {
      process.kill(server.pid(), 'SIGCONT');
      await engines.close();
      await server.stop();
    }
  },
  START_MS,
);
