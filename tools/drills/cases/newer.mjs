import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import mongodb from '@assurance/storage-mongodb';
import records from '@assurance/storage-records';
import { ask, nextUrl } from '../load/ask.mjs';
import { makeEnvironment, makeFlow, reportNext } from '../load/clients.mjs';
import { nextRelease } from '../stage/service.mjs';

/** The number of environments: enough that both consumers and both ingestions meet one. */
const ENVIRONMENTS = 16;
const PATIENCE_MS = 60_000;

/**
 * Replaces one ingestion and one projection by the next release, which writes an event that the older instances do not know. These must stop their
 * consumers with an alarm and answer 503 for the environments with that event, and serve all others. Then they are replaced as well.
 */
export async function newerEventMet({ stage, clients, expect }) {
  const { ledger } = clients;
  const onTry = (answer) => ledger.answered(answer);
  const others = [...ledger.acknowledged.keys()];
  const names = Array.from({ length: ENVIRONMENTS }, (_, i) => `newer-${randomUUID().slice(0, 8)}-${i}`);
  const report = (number) =>
    clients.during(Promise.all(names.map((name) => reportNext(stage, ledger, name, number, onTry))));
  await Promise.all(names.flatMap((name) => [makeFlow(stage, name, onTry), makeEnvironment(stage, name, onTry)]));
  for (const name of names) ledger.acknowledged.set(name, []);
  await report(0);

  const [newer, older] = [0, 1].map((i) => [stage.ingestion[i], stage.projection[i]]);
  const update = (service) => service.replace(nextRelease);
  for (const service of newer) await clients.during(update(service));
  await writeNewer(stage, names);
  for (const service of older) {
    const stopped = await clients.during(until(async () => (await paused(service)) === 1));
    expect(stopped, `an older ${service.role} went on past an event that it does not know`);
    const ready = await fetch(`${service.operations}/ready`);
    const text = await ready.text();
    expect(ready.status === 503 && text.includes('is paused'), `an older ${service.role} is ready: ${text}`);
  }

  const statuses = await Promise.all(names.map((name) => change(stage, name, onTry)));
  const of = (status) => statuses.filter((one) => one === status).length;
  expect(of(503) > 0, 'no older ingestion refused an environment that a newer one has written to');
  expect(of(200) > 0, 'no newer ingestion changed an environment that it has written to');
  const before = new Map(others.map((name) => [name, ledger.acknowledged.get(name).length]));
  const grew = () => others.every((name) => ledger.acknowledged.get(name).length > before.get(name));
  expect(
    await clients.during(until(grew)),
    'other environments stood still beside those that a newer one has written to',
  );

  for (const service of older) await clients.during(update(service));
  await report(1);
  for (const service of [...newer, ...older]) {
    const caughtUp = async () =>
      (await paused(service)) === 0 && (await service.figure(figureOf('lag_commits', service))) < 100;
    expect(await clients.during(until(caughtUp)), `a newer ${service.role} did not take over`);
  }
  return `an event of the next release in ${names.length} environments, ${of(503)} of them refused by the older`;
}

/** Appends an event to each environment that the previous release does not know, as a newer ingestion would. */
async function writeNewer({ mongodbUrl }, names) {
  const sources = {
    now: () => Date.now(),
    steady: () => performance.now(),
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
  };
  const { events, close } = await mongodb.openMongo({ url: mongodbUrl, database: 'drills', ...sources });
  try {
    for (const stream of await streamsOf(events, new Set(names))) {
      for (let outcome; outcome !== 'appended';) {
        const newest = await events.newest(stream);
        const { org, index } = newest;
        const draft = { id: randomUUID(), org, stream, at: Date.now(), actor: 'system', correlation: 'newer', index };
        outcome = await events.append(
          await records.seal(events, draft, newest, [{ type: 'EnvironmentPainted', version: 1, data: {} }]),
        );
      }
    }
  } finally {
    await close();
  }
}

async function streamsOf(events, names) {
  const streams = [];
  for (let after = null; ;) {
    const { commits, next } = await events.scan(after, 1_000);
    for (const {
      stream,
      events: [first],
    } of commits) {
      if (first.type === 'EnvironmentCreated' && names.has(JSON.parse(first.data).name)) streams.push(stream);
    }
    if (next === null) return streams;
    after = next;
  }
}

async function change(stage, name, onTry) {
  const answer = await ask(nextUrl(stage), stage.keys.writer, 'PATCH', `/environments/ORG/${name}`, {
    description: 'changed',
  });
  onTry(answer);
  return answer.status;
}

function figureOf(what, { role }) {
  return `assurance_feed_${what}{group="${role}"}`;
}

function paused(service) {
  return service.figure(figureOf('paused', service));
}

async function until(holds) {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(100)) {
    if (await holds()) return true;
  }
  return false;
}
