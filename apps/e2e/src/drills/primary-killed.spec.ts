import { setTimeout } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { eventually } from '../support/eventually';
import { installed, limitMs, REPORTS, times } from './drill';

/** How long a new primary, and a member that follows it, may take (milliseconds). */
const PATIENCE_MS = 180_000;

describe('two of every service on three members of MongoDB lose and double no report while', () => {
  const { installation, drill } = installed(['mongodb-set', 'kafka']);
  const often = times(20);

  /** The process id of the primary; null while there is none. */
  const primary = async (client: MongoClient): Promise<number | null> => {
    try {
      return Number((await client.db('admin').command({ serverStatus: 1 })).pid);
    } catch {
      return null;
    }
  };
  /** Whether each member is the primary or follows it. */
  const isWhole = async (client: MongoClient): Promise<boolean> => {
    try {
      const { members } = await client.db('admin').command({ replSetGetStatus: 1 });
      return (members as readonly { stateStr: string }[]).every(({ stateStr }) =>
        /^(PRIMARY|SECONDARY)$/.test(stateStr),
      );
    } catch {
      return false;
    }
  };

  it(
    'the primary is killed, and started again when there is a new one',
    () =>
      installation.mongodb((client) =>
        drill(async (clients) => {
          for (let i = 0; i < often; i += 1) {
            await clients.more(REPORTS);
            await setTimeout(Math.random() * 500);
            const old = await primary(client);
            if (old === null) throw new Error('there is no primary');
            process.kill(old, 'SIGKILL');
            const isNew = (pid: number | null) => pid !== null && pid !== old;
            const next = await clients.during(eventually(() => primary(client), isNew, PATIENCE_MS));
            expect(isNew(next)).toBe(true);
            await installation.servers[0]?.start();
            // While one of three is away, the set would lose its majority with the next one.
            expect(await clients.during(eventually(() => isWhole(client), Boolean, PATIENCE_MS))).toBe(true);
          }
          await clients.more(REPORTS);
        }),
      ),
    limitMs(often),
  );
});
