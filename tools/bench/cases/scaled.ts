import { setTimeout as sleep } from 'node:timers/promises';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { first } from '../../common/api.ts';
import type { Child } from '../../common/child.ts';
import { setServers } from '../../common/stage.ts';
import { ANSWERS, type Kind, prepare } from '../bodies.ts';
import type { Measured } from '../embedded.ts';
import { startLimit } from '../limits.ts';
import { load } from '../load.ts';
import { against, alternate, cpuSeconds, figureOf, type Goal, type How, onceIn, type Result } from '../measure.ts';
import { Followers } from '../followers.ts';
import { WARM } from './reports.ts';

const ARTIFACTS = 10;
const QUIET_MS = 1_000;
const TOPIC = 'assurance.events.v1';
/** The part of what the raw engine does that is needed. */
const NEEDED = { unchanged: 0.7, changed: 0.25 };

/** One of each service on MongoDB and Kafka, and a client that looks at their data. */
async function started(brief: boolean) {
  const stage = await setServers({ copies: 1, logLevel: 'info', brief });
  const followers = await Followers.open(stage.mongodbUrl);
  const { gateway, ingestion, projection, packages, mongodb, kafka } = stage;
  const pids = [gateway, ingestion, projection].map((role) => first(role).pid);
  const others = [...packages, ...mongodb, ...kafka].map(({ pid }) => pid);
  const close = async () => {
    await followers.close();
    await stage.close();
  };
  const service: Measured = {
    ...stage,
    url: first(gateway).url,
    pid: pids[0] ?? 0,
    settled: () => followers.settled(),
    close,
  };
  return { service, followers, pids, everything: [...pids, ...others] };
}

/** Compares reports of 10 artifacts through the gateway with a bare server that inserts, or finds, one raw document for each. */
export async function scaledReports(kind: Kind, how: How): Promise<Result> {
  const { seconds, connections, say } = how;
  const { service, followers, pids, everything } = await started(how.brief);
  let limit: Child | undefined;
  try {
    const sender = await prepare(service, kind, ARTIFACTS, connections, say);
    const runner = (url: string, expect: RegExp) => {
      const next = sender();
      return () => load(url, { connections, seconds, next, expect });
    };
    const run = runner(service.url, ANSWERS[kind]);
    for (let warm = 0; warm < WARM; warm += 1) await run();
    await service.settled();
    const rival = kind === 'changed' ? 'insert' : 'find';
    limit = await startLimit(rival, service.mongodbUrl, String(await followers.commitBytes()));
    const raw = { pid: limit.pid, run: runner(limit.url, /Report processed/) };
    await raw.run();
    let begun = { cpu: 0, requests: 0 };
    const ofService = {
      pid: pids,
      run: async () => {
        const cpu = cpuSeconds(everything);
        const figure = await run();
        begun = { cpu, requests: figure.requests };
        return figure;
      },
      settle: async () => {
        await service.settled();
        return { everything: ((cpuSeconds(everything) - begun.cpu) * 1000) / begun.requests };
      },
    };
    const rounds = await alternate(how, { service: ofService, [rival]: raw });
    const name = `${kind} reports on MongoDB and Kafka, ${ARTIFACTS} artifacts`;
    const row = { name, rival: `raw ${rival}s behind one hop`, ...against(rounds, 'service', rival) };
    const least = NEEDED[kind];
    const goals: Goal[] = [{ goal: `scaled, ${kind}: at least ${least} of ${row.rival}`, figure: row.ratio, least }];
    const goal = 'scaled, changed: at most 8 ms of CPU, MongoDB and Kafka included';
    if (kind === 'changed') goals.push({ goal, figure: figureOf(rounds, 'service', 'everything'), most: 8 });
    return { rows: [row], goals, rounds: [rounds] };
  } finally {
    await limit?.stop();
    await service.close();
  }
}

/**
 * Compares writing changed reports from Kafka to all views with a bare consumer that writes one row for each. Both are stopped while the reports
 * arrive, and continue afterwards, one after the other. Figures are commits, from the first processed to the last.
 */
export async function scaledViews(how: How): Promise<Result> {
  const { connections, followed, say } = how;
  const { service, followers } = await started(how.brief);
  const brokers = first(service.kafka).url;
  const projection = first(service.projection);
  const admin = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING }).admin();
  let limit: Child | undefined;
  try {
    await admin.connect();
    const next = (await prepare(service, 'changed', ARTIFACTS, connections, say))();
    limit = await startLimit('consumer', service.mongodbUrl, brokers, TOPIC);
    const pids = [projection.pid, limit.pid];
    const both = ['view', 'consumer'] as const;
    for (const by of both) await followers.settled(by);
    /** Who has not processed the reports of this round yet. */
    const waiting = new Set<string>();
    /** Processes the same reports as the other one. They take turns at being first. */
    const contender = (by: 'view' | 'consumer', pid: number) => ({
      pid,
      run: async () => {
        if (waiting.size === 0) {
          for (const one of pids) process.kill(one, 'SIGSTOP');
          await load(service.url, { connections, seconds: 0, least: followed, next, expect: ANSWERS.changed });
          await published(admin, followers);
          for (const each of both) waiting.add(each);
        }
        const seen = async () => ({ at: performance.now(), many: await followers.processed(by) });
        let begun = await seen();
        const before = begun;
        process.kill(pid, 'SIGCONT');
        // Time counts from the first one that is processed, since a stopped consumer has to join its group again.
        while (begun.many === before.many) begun = await seen();
        await followers.settled(by);
        const end = await seen();
        waiting.delete(by);
        const from = end.many === begun.many ? before : begun;
        return onceIn((end.at - from.at) / 1_000, end.many - from.many);
      },
    });
    const contenders = { views: contender('view', projection.pid), consumer: contender('consumer', limit.pid) };
    const rounds = await alternate(how, contenders);
    const name = `${followed.toLocaleString('en')} commits from Kafka into all views (p50 is the whole)`;
    const row = { name, rival: 'raw consumer, bulk writes', ...against(rounds, 'views', 'consumer') };
    const goal = 'scaled, views: at least 0.5 of a raw consumer with bulk writes';
    return { rows: [row], goals: [{ goal, figure: row.ratio, least: 0.5 }], rounds: [rounds] };
  } finally {
    for (const pid of [projection.pid, limit?.pid]) if (pid !== undefined) process.kill(pid, 'SIGCONT');
    await admin.disconnect();
    await limit?.stop();
    await service.close();
  }
}

/** Waits until Kafka has all commits. Some may be published twice, so it also waits until no more messages arrive for a while. */
async function published(admin: Admin, { db }: Followers): Promise<void> {
  const count = await db.collection('commits').countDocuments();
  for (let [before, now] = [-1, 0]; now < count || now !== before; await sleep(QUIET_MS)) {
    before = now;
    now = (await admin.fetchTopicOffsets(TOPIC)).reduce((sum, { high }) => sum + Number(high), 0);
  }
}
