import type { SnapshotListItem } from '@assurance/contracts/environments/answers/snapshot';
import type { NotificationAnswer } from '@assurance/contracts/notifications/answers/notification';
import type { Collection, CollectionDefinition, Documents, Engines } from '@assurance/storage-ports';
import type { Caller } from '../support/caller';
import { eventually } from '../support/eventually';
import { Installation, type RunningRoles } from '../support/installation';
import { inFile } from '../support/operated';
import { Receiver } from '../support/receiver';
import { digest, environment, fresh, item, report } from '../support/samples';
import { worldOf } from '../support/world';

const MANY = 12;
const ALL = '/organizations/acme/environments_notifications';

describe('a batch of commits', () => {
  let receiver: Receiver;
  let installation: Installation;
  let opened: Engines;
  /** How many documents of logical environments and of notifications were read, other than one by one. */
  let result: Record<string, number> = {};

  const watched = (engines: Engines): Engines => {
    const { documents } = engines;
    const counting: Documents = {
      writeInOrder: (steps) => documents.writeInOrder(steps),
      persist: () => documents.persist(),
      drop: (definition) => documents.drop(definition),
      collection: <T extends object>(definition: CollectionDefinition<T>): Collection<T> => {
        const all = documents.collection(definition);
        const count = (size: number) => (result[definition.name] = (result[definition.name] ?? 0) + size);
        return {
          get: (id) => all.get(id),
          getMany: async (ids) => {
            const some = await all.getMany(ids);
            count(some.size);
            return some;
          },
          find: async (query) => {
            const some = await all.find(query);
            count(some.length);
            return some;
          },
          count: (where) => all.count(where),
          scan: (after, limit) => all.scan(after, limit),
          write: (writes) => all.write(writes),
          merge: (ids, change) => all.merge(ids, change),
        };
      },
    };
    return { ...engines, problems: () => engines.problems(), close: () => engines.close(), documents: counting };
  };

  beforeAll(async () => {
    receiver = await Receiver.start();
    installation = new Installation({
      ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8',
      ASSURANCE_SECRET: 's'.repeat(32),
    });
    opened = await installation.open(watched);
  }, 60_000);
  afterAll(async () => {
    await installation.clear();
    await receiver.stop();
    expect(installation.log).toEqual([]);
  });

  const memberOf = async (served: RunningRoles) => (await worldOf(served)).as('member');
  const logical = (caller: Caller, member: string) =>
    environment(caller, { type: 'logical', included_environments: [member] });
  const notify = async (caller: Caller, env: string, path: string) => {
    const targets = [{ type: 'WEBHOOK', webhook: receiver.url(path) }];
    const json = { name: fresh('alert'), environments: [env], triggers: ['ON_STARTED_ARTIFACT'], targets };
    await caller.expect(201, 'PUT', ALL, { json });
  };
  const runs = (caller: Caller, env: string) => report(caller, env, [item({ web: digest(fresh('web')) })]);
  const shows = async (caller: Caller, env: string, snapshots: number) => {
    const list = () => caller.get<SnapshotListItem[]>(`/snapshots/acme/${env}`);
    expect((await eventually(list, ({ length }) => length >= snapshots)).length).toBe(snapshots);
  };
  const payloadsOf = async (path: string, messages: number) => {
    const count = () => Promise.resolve(receiver.at(path).length);
    expect(await eventually(count, (now) => now >= messages)).toBe(messages);
  };

  it('reads only documents of its environments, and all in an older store until its states are folded again', async () => {
    const [hook, others] = [`/${fresh('hook')}`, `/${fresh('hook')}`];
    const { env, union } = await installation.running(async (served) => {
      const caller = await memberOf(served);
      const [own, foreign] = [await environment(caller), await environment(caller)];
      const all = await logical(caller, own);
      await notify(caller, own, hook);
      for (let i = 0; i < MANY; i += 1) {
        await logical(caller, foreign);
        await notify(caller, foreign, others);
      }
      expect(await caller.get<NotificationAnswer[]>(ALL)).toHaveLength(MANY + 1);
      await runs(caller, own);
      await shows(caller, all, 1);
      await payloadsOf(hook, 1);
      result = {};
      await runs(caller, own);
      await payloadsOf(hook, 2);
      await shows(caller, all, 2);
      expect(result['notifications'] ?? 0).toBeLessThan(MANY);
      expect(result['environments'] ?? 0).toBeLessThan(MANY);
      return { env: own, union: all };
    });
    await opened.documents.persist();
    inFile(installation.file, (db) => {
      for (const [of, schemaVersion] of [
        ['environments', 4],
        ['notifications', 1],
      ] as const) {
        db.exec(
          `UPDATE documents_${of} SET doc = json_set(doc, '$.fold', ${schemaVersion}), seq = 1 WHERE doc IS NOT NULL`,
        );
      }
      db.exec('DELETE FROM documents_logical_members');
      db.exec('DELETE FROM documents_notified_environments');
    });
    // Clears the engine's cache of rows.
    await opened.documents.persist();
    await installation.running(async (served) => {
      const caller = await memberOf(served);
      await runs(caller, env);
      await shows(caller, union, 3);
      await payloadsOf(hook, 3);
    });
    expect(receiver.at(others)).toEqual([]);
  }, 60_000);
});
