import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import mongodb from '@assurance/storage/mongodb';
import records from '@assurance/event-sourcing/sealing/seal';
import { range, until } from '../../common/api.ts';
import { type Instance, type Program, programOf } from '../../common/instance.ts';
import type { Stage } from '../../common/stage.ts';
import type { Drill } from '../drill.ts';
import { previousApps } from '../previous.ts';

/** Every role; gateways come last, so that gateways of both releases call services of both. */
const ROLES = ['ingestion', 'projection', 'packages', 'gateway'] as const;
/** How long to wait after a replaced instance is ready before the next one is replaced (milliseconds). */
const BESIDE_MS = 300;
/** The number of environments: enough that both consumers and both ingestions meet one. */
const ENVIRONMENTS = 16;
const PATIENCE_MS = 60_000;
/** The release after this one: a program that takes the role. */
const nextRelease: Program = (role) => [`${import.meta.dirname}/../next-release.ts`, role];

/**
 * Replaces one process after another by the same role of the new release, and then by that of the previous release, as a rolling update and its
 * rollback do. Then both releases meet an event that only the newer one knows. Callers use the other gateway before one is replaced, as with a load
 * balancer.
 */
export async function rolled(drill: Drill): Promise<string> {
  const { stage, size } = drill;
  const [replaced, previous] = [{ forth: 0, back: 0 }, programOf(previousApps())];
  const all = ROLES.flatMap((role) => stage[role].slice(0, size.instances));
  const replace = async (one: Instance, program: Program, way: 'forth' | 'back'): Promise<void> => {
    const gateways = stage.gateway;
    stage.gateway = gateways.filter((other) => other !== one);
    await drill.during(one.replace(program));
    stage.gateway = gateways;
    replaced[way] += 1;
    await drill.during(sleep(BESIDE_MS));
  };
  await drill.more();
  for (let i = 0; i < size.times; i += 1) {
    for (const one of all) await replace(one, programOf(), 'forth');
    await drill.more();
    for (const one of all.toReversed()) await replace(one, previous, 'back');
    await drill.more();
  }
  const met = await newerEventMet(drill);
  const others = [...drill.refused].filter(([status]) => status !== 503);
  drill.expect(others.length === 0, `answers other than 2xx and 503: ${others.map(([code, n]) => `${n} × ${code}`)}`);
  const processes = `${replaced.forth} processes replaced forth and ${replaced.back} back`;
  return `${processes}, ${met}, 503 to ${drill.refused.get(503) ?? 0} requests`;
}

/**
 * Replaces one ingestion and one projection by the next release, which writes an event that the older instances do not know. These must stop their
 * consumers with an alarm and answer 503 for the environments with that event, and serve all others. Then they are replaced as well.
 */
async function newerEventMet(drill: Drill): Promise<string> {
  const { stage } = drill;
  const others = [...drill.acknowledged.keys()];
  const names = range(ENVIRONMENTS).map((i) => `newer-${randomUUID().slice(0, 8)}-${i}`);
  const report = () => drill.during(Promise.all(names.map((name) => drill.reportNext(name))));
  const holds = (what: () => Promise<boolean>) => drill.during(until(what, PATIENCE_MS, 100));
  await drill.make(names);
  await report();

  const pair = (i: number) => [stage.ingestion, stage.projection].flatMap((all) => all.slice(i, i + 1));
  const [newer, older] = [pair(0), pair(1)];
  for (const service of newer) await drill.during(service.replace(nextRelease));
  await writeNewer(stage, new Set(names));
  for (const service of older) {
    const stopped = await holds(async () => (await feed(service, 'paused')) === 1);
    drill.expect(stopped, `an older ${service.role} went on past an event that it does not know`);
    const ready = await fetch(`${service.child.operations}/ready`);
    const text = await ready.text();
    const alarmed = ready.status === 503 && text.includes('is paused');
    drill.expect(alarmed, `an older ${service.role} is ready: ${text}`);
  }

  const change = (name: string) =>
    drill.ask('writer', 'PATCH', `/environments/{org}/${name}`, { description: 'changed' });
  const statuses = (await Promise.all(names.map(change))).map(({ status }) => status);
  const of = (status: number) => statuses.filter((one) => one === status).length;
  drill.expect(of(503) > 0, 'no older ingestion refused an environment that a newer one has written to');
  drill.expect(of(200) > 0, 'no newer ingestion changed an environment that it has written to');
  const reports = (name: string) => drill.acknowledged.get(name)?.length ?? 0;
  const before = new Map(others.map((name) => [name, reports(name)]));
  const grew = await holds(async () => others.every((name) => reports(name) > (before.get(name) ?? 0)));
  drill.expect(grew, 'other environments stood still beside those that a newer one has written to');

  for (const service of older) await drill.during(service.replace(nextRelease));
  await report();
  for (const service of [...newer, ...older]) {
    const caughtUp = async () => (await feed(service, 'paused')) === 0 && (await feed(service, 'lag_commits')) < 100;
    drill.expect(await holds(caughtUp), `a newer ${service.role} did not take over`);
  }
  return `an event of the next release in ${names.length} environments, ${of(503)} of them refused by the older`;
}

const feed = (service: Instance, what: string) => service.figure(`assurance_feed_${what}{group="${service.role}"}`);

/** Appends an event to each environment that the previous release does not know, as a newer ingestion would. */
async function writeNewer({ mongodbUrl }: Stage, names: ReadonlySet<string>): Promise<void> {
  const { events, close } = await mongodb.openMongo({
    ...{ url: mongodbUrl, database: 'drills', now: () => Date.now(), steady: () => performance.now() },
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
  });
  try {
    for (let after: Parameters<typeof events.scan>[0] = null; ;) {
      const { commits, next } = await events.scan(after, 1_000);
      for (const {
        stream,
        events: [created],
      } of commits) {
        const { name } = JSON.parse(created?.type === 'EnvironmentCreated' ? String(created.data) : '{}') as {
          name?: string;
        };
        for (let outcome = names.has(name ?? '') ? '' : 'appended'; outcome !== 'appended';) {
          const newest = await events.newest(stream);
          if (newest === null) throw new Error(`${stream} has no commit`);
          const { org } = newest;
          // The event records no snapshot, so its commit has no time of a report.
          const index = newest.index && { ...newest.index, observedAt: undefined };
          const draft = { id: randomUUID(), org, stream, at: Date.now(), actor: 'system', correlation: 'newer', index };
          const painted = { type: 'EnvironmentPainted', version: 1, data: {} };
          outcome = await events.append(await records.seal(events, draft, newest, [painted]));
        }
      }
      if (next === null) return;
      after = next;
    }
  } finally {
    await close();
  }
}
