import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { each, first, range } from '../../common/api.ts';
import { fingerprintOf } from '../../common/made-up.ts';
import { audit } from '../audit.ts';
import type { Outcome } from '../cases.ts';
import type { Drill } from '../drill.ts';

/** What the page says of a restore. */
const BOUND = /in service again within (\d+) s/;
/** Reports of each environment after the backup, which the restore loses. */
const LATER = 2;

/**
 * MongoDB is restored from a backup while Kafka has later commits, and the services get a prefix that was never used, as `docs/operating/running.md`
 * says. What was acknowledged before the backup is there once, nothing later is, and the same environments take reports again.
 */
export async function mongodbRestored(drill: Drill): Promise<Outcome> {
  const { stage } = drill;
  await drill.load();
  await drill.more();
  await drill.unload();
  const mongodb = first(stage.mongodb);
  const copy = join(stage.folder, 'mongodb-backup');
  await locked(stage.mongodbUrl, () => cpSync(mongodb.data, copy, { recursive: true }));
  const backedUp = performance.now();
  const names = [...drill.acknowledged.keys()];
  await each(names, async (name) => {
    for (const i of range(LATER)) await drill.report(name, fingerprintOf(`${name} after the backup ${i}`));
  });

  const lost = performance.now();
  const services = [...stage.gateway, ...stage.ingestion, ...stage.projection, ...stage.packages];
  await Promise.all(services.map((one) => one.kill()));
  await mongodb.restore(copy);
  const prefix = `restored-${Math.round(lost)}.`;
  for (const service of services) service.settings = { ...service.settings, ASSURANCE_KAFKA_PREFIX: prefix };
  await Promise.all(services.map((one) => one.start()));
  await each(names, (name) => drill.reportNext(name));
  const again = (performance.now() - lost) / 1_000;
  const counts = await audit(drill);

  const bound = drill.expectWithin(again, BOUND);
  rmSync(copy, { recursive: true });
  const point = ((lost - backedUp) / 1_000).toFixed(1);
  const gone = `${names.length * LATER} reports since the backup are gone`;
  return { counts, note: `RPO ${point} s: ${gone}; RTO ${again.toFixed(1)} s of ${bound} s` };
}

/** Calls a function while MongoDB writes nothing to its files. */
async function locked(url: string, act: () => void): Promise<void> {
  await using client = new MongoClient(url);
  await client.db('admin').command({ fsync: 1, lock: true });
  act();
  await client.db('admin').command({ fsyncUnlock: 1 });
}
