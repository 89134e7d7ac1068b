import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { against } from '../measure/against.mjs';
import { alternating } from '../measure/bodies.mjs';
import { startChild } from '../../setup/child.mjs';
import { makeEnvironments, reportPath } from '../measure/client.mjs';
import { load, request } from '../measure/load.mjs';
import { bytesWritten, memory } from '../measure/process.mjs';
import { alternate } from '../measure/rounds.mjs';
import { startService } from '../measure/service.mjs';
import { spread } from '../measure/stats.mjs';

/** Rounds that are not counted. V8 compiles hot functions in the first seconds, which is a third of the CPU then. */
export const WARM = 4;
/** How many environments a connection reports in turn. */
const POOL = { 10: 4, 1000: 1, 10000: 1 };
const limit = (name) => fileURLToPath(new URL(`../limits/${name}.mjs`, import.meta.url));

/**
 * Sends reports on several connections. Each connection has its own environments.
 *
 * @param {'unchanged' | 'changed'} kind changed: each report replaces one artifact
 */
export async function reports(kind, count, { rounds, seconds, connections, say }) {
  const service = await startService();
  const journalFile = join(service.file, '../../journal');
  const started = [service];
  try {
    const planned = plan([service.writer, service.reader], kind, count, connections);
    await prepare(service, planned, count, say);
    const least = connections;
    const runner = (url, expect) => {
      const next = planned.sender();
      return () => load(url, { connections, seconds, least, next, expect });
    };
    const run = runner(service.url, kind === 'changed' ? /snapshot \d+ created/ : /no new snapshot/);
    for (let warm = 0; warm < (count > 1000 ? 1 : WARM); warm += 1) await run();
    await service.settled();
    const bytes = kind === 'changed' ? commitBytes(service.file) : null;
    const limitChild =
      kind === 'changed'
        ? await startChild([limit('journal'), journalFile, String(bytes)])
        : await startChild([limit('parse')]);
    started.push(limitChild);
    const rival = kind === 'changed' ? 'journal' : 'parser';
    let before = 0;
    const contenders = {
      service: {
        pid: service.pid,
        run: () => {
          before = bytesWritten(service.pid);
          return run();
        },
        settle: async () => {
          await service.settled();
          return { written: bytesWritten(service.pid) - before };
        },
      },
      [rival]: { pid: limitChild.pid, run: runner(limitChild.url, /Report processed/) },
    };
    await contenders[rival].run();
    const all = await alternate({ rounds, say }, contenders);
    return {
      name: `${kind} reports, ${count.toLocaleString('en')} artifacts`,
      kind,
      count,
      rival,
      ...against(all, 'service', rival),
      memory: memory(service.pid).most,
      ...(bytes === null ? {} : { written: writtenBeside(all, bytes) }),
      rounds: all,
    };
  } finally {
    for (const { stop } of started.reverse()) await stop();
    rmSync(journalFile, { force: true });
  }
}

/** Compares the bytes that the service writes for a report, with views and checkpoints, with those of its commit, which the journal writes. */
function writtenBeside(rounds, commit) {
  const each = rounds.map(({ service: { written, requests } }) => written / requests);
  return { each: spread(each), commit, ratio: spread(each.map((bytes) => bytes / commit)) };
}

/**
 * Plans what each connection sends: one environment after another, each in one state and then in the other.
 *
 * @param {string | readonly string[]} keys of callers; connections alternate between them, because one caller may not send 32 reports of 10,000
 *   artifacts at once
 */
export function plan(keys, kind, count, connections) {
  const callers = [keys].flat();
  const bodies = alternating(count);
  const names = Array.from({ length: connections }, (_, connection) =>
    Array.from({ length: POOL[count] }, (_, i) => `bench-${connection}-${i}`),
  );
  const requests = names.map((mine, connection) => {
    const key = callers[connection % callers.length];
    return mine.map((name) => bodies.map((body) => request('PUT', reportPath(name), key, body)));
  });
  /** Remembers the states that one server received. */
  const sender = () => {
    const sent = names.map((mine) => ({ turn: 0, states: mine.map(() => 0) }));
    return (connection) => {
      const mine = sent[connection];
      const at = mine.turn++ % requests[connection].length;
      // The first report of an environment had the first state, so the next one has the second.
      if (kind === 'changed') mine.states[at] ^= 1;
      return requests[connection][at][mine.states[at]];
    };
  };
  return { names: names.flat(), sender, first: (i) => requests.flat()[i][0] };
}

/** Creates the environments and sends the first report of each. */
export async function prepare(service, { names, first }, count, say) {
  say(`making ${names.length} environments of ${count} artifacts`);
  await makeEnvironments(service, names);
  const atOnce = count > 1000 ? 4 : 16;
  let given = 0;
  await load(service.url, {
    connections: atOnce,
    seconds: 0,
    least: names.length,
    next: () => first(given++),
    expect: /snapshot 1 created/,
  });
  await service.settled();
}

/** The average size of the newest commits of environments (bytes). The journal writes as much for a report. */
function commitBytes(file) {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const newest = `SELECT octet_length(body) AS size FROM commits WHERE stream LIKE 'environment/%' ORDER BY position DESC LIMIT 100`;
    return Math.round(db.prepare(`SELECT avg(size) AS size FROM (${newest})`).get().size);
  } finally {
    db.close();
  }
}
