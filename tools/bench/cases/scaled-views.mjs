import { fileURLToPath } from 'node:url';
import { Kafka, logLevel } from 'kafkajs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../../setup/child.mjs';
import { against } from '../measure/against.mjs';
import { load } from '../measure/load.mjs';
import { alternate } from '../measure/rounds.mjs';
import { plan, prepare } from './reports.mjs';
import { scaledStage } from './scaled-reports.mjs';

const ARTIFACTS = 10;
const QUIET_MS = 1_000;
const TOPIC = 'assurance.events.v1';

/**
 * Compares writing changed reports from Kafka to all views with a bare consumer that writes one row for each. Both are stopped while the reports
 * arrive, and continue afterwards, one after the other. Figures are commits, from the first processed to the last.
 */
export async function scaledViews({ rounds, connections, followed, brief, say }) {
  const stage = await scaledStage(brief);
  const { service, taken } = stage;
  const projection = stage.projection[0].child;
  const admin = new Kafka({ brokers: [stage.kafka.engine.url(stage.kafka.ports)], logLevel: logLevel.NOTHING }).admin();
  let limit;
  try {
    await admin.connect();
    const planned = plan(service.writer, 'changed', ARTIFACTS, connections);
    await prepare(service, planned, ARTIFACTS, say);
    const script = fileURLToPath(new URL('../limits/consumer.mjs', import.meta.url));
    limit = await startChild([script, stage.mongodbUrl, stage.kafka.engine.url(stage.kafka.ports), TOPIC]);
    const next = planned.sender();
    const report = async () => {
      await load(service.url, { connections, seconds: 0, least: followed, next, expect: /snapshot \d+ created/ });
      await published(admin, taken);
    };
    const done = { view: () => taken.settled(), row: async () => taken.consumed(await taken.commits()) };
    for (const by of ['view', 'row']) await done[by]();
    /** Who has not processed the reports of this round yet. */
    const waiting = new Set();
    /** Processes the same reports as the other one. They take turns at being first. */
    const contender = (by, pid) => ({
      pid,
      run: async () => {
        if (waiting.size === 0) {
          for (const one of [projection.pid, limit.pid]) process.kill(one, 'SIGSTOP');
          await report();
          for (const each of ['view', 'row']) waiting.add(each);
        }
        const since = await taken.mark();
        process.kill(pid, 'SIGCONT');
        await done[by]();
        waiting.delete(by);
        const figure = await taken.rate(since, by);
        return { ...figure, p50: figure.seconds * 1_000, p99: figure.seconds * 1_000 };
      },
    });
    const all = await alternate(
      { rounds, say },
      { views: contender('view', projection.pid), consumer: contender('row', limit.pid) },
    );
    const name = `${followed.toLocaleString('en')} commits from Kafka into all views (p50 is the whole)`;
    return { name, rival: 'raw consumer, bulk writes', ...against(all, 'views', 'consumer'), rounds: all };
  } finally {
    for (const pid of [projection.pid, limit?.pid]) if (pid !== undefined) process.kill(pid, 'SIGCONT');
    await admin.disconnect();
    await limit?.stop();
    await stage.close();
  }
}

/** Waits until Kafka has all commits. Some may be published twice, so it also waits until no more messages arrive for a while. */
async function published(admin, taken) {
  const wanted = await taken.db.collection('commits').countDocuments();
  for (let [before, given] = [-1, 0]; given < wanted || given !== before; await sleep(QUIET_MS)) {
    before = given;
    given = (await admin.fetchTopicOffsets(TOPIC)).reduce((sum, { high }) => sum + Number(high), 0);
  }
}
