import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { each, first, range } from '../../common/api.ts';
import { fingerprintOf } from '../../common/made-up.ts';
import { root } from '../../common/root.ts';
import { audit } from '../audit.ts';
import type { Outcome } from '../cases.ts';
import type { Drill } from '../drill.ts';

/** The page that says how long a restore takes, and its words. */
const PAGE = join(root, 'docs/operating/reliability.md');
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
  const data = join(mongodb.folder, 'data');
  await locked(stage.mongodbUrl, () => cpSync(data, copy, { recursive: true }));
  const backedUp = performance.now();
  const names = [...drill.acknowledged.keys()];
  await each(names, async (name) => {
    for (const i of range(LATER)) await drill.report(name, fingerprintOf(`${name} after the backup ${i}`));
  });

  const lost = performance.now();
  const services = [...stage.gateway, ...stage.ingestion, ...stage.projection, ...stage.packages];
  await Promise.all(services.map((one) => one.kill()));
  await mongodb.kill();
  rmSync(data, { recursive: true });
  cpSync(copy, data, { recursive: true });
  await mongodb.start();
  await mongodb.ready();
  const prefix = `restored-${Math.round(lost)}.`;
  for (const service of services) service.settings = { ...service.settings, ASSURANCE_KAFKA_PREFIX: prefix };
  await Promise.all(services.map((one) => one.start()));
  await each(names, (name) => drill.reportNext(name));
  const again = (performance.now() - lost) / 1_000;
  const counts = await audit(drill);

  const bound = Number(BOUND.exec(readFileSync(PAGE, 'utf8'))?.[1]);
  drill.expect(again <= bound, `in service again after ${again.toFixed(1)} s; the page says ${bound} s`);
  rmSync(copy, { recursive: true });
  const point = ((lost - backedUp) / 1_000).toFixed(1);
  const gone = `${names.length * LATER} reports since the backup are gone`;
  return { counts, note: `RPO ${point} s: ${gone}; RTO ${again.toFixed(1)} s of ${bound} s` };
}

/** Calls a function while MongoDB writes nothing to its files. */
async function locked(url: string, act: () => void): Promise<void> {
  const client = new MongoClient(url);
  try {
    await client.db('admin').command({ fsync: 1, lock: true });
    act();
    await client.db('admin').command({ fsyncUnlock: 1 });
  } finally {
    await client.close();
  }
}
