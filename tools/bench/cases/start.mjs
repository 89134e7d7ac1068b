import { randomBytes, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { against, growthOf } from '../measure/against.mjs';
import { load } from '../measure/load.mjs';
import { alternate } from '../measure/rounds.mjs';
import { derivedOf, startService } from '../measure/service.mjs';
import { startOf } from './history.mjs';
import { plan, prepare } from './reports.mjs';

const ARTIFACTS = 10;
const CONNECTIONS = 1;
/** The commits belong to this many environments. */
const STREAMS = 1_000;

/**
 * Compares the start of a service with many commits, until it is ready, with the start of an empty one. The commits are appended through the event
 * store, because so many reports would take an hour. Then all positions of the feed are set to the last commit, so that views count as complete.
 */
export async function start({ rounds, stored, say }) {
  const services = { none: await startService(), [stored]: await startService() };
  try {
    await fill(services[stored], stored, say);
    const contenders = Object.entries(services).map(([name, service]) => [name, { pid: [], run: startOf(service) }]);
    const starts = await alternate({ rounds, say: (text) => say(`starts: ${text}`) }, Object.fromEntries(contenders));
    const name = `start with ${stored.toLocaleString('en')} appended commits`;
    const row = { name: `${name} (p50 is the whole)`, rival: 'with none', ...against(starts, stored, 'none') };
    return [{ name, rows: [row], growth: growthOf(starts, 'none', stored), rounds: starts }];
  } finally {
    for (const { stop } of Object.values(services)) await stop();
  }
}

/** Appends copies of a changed report's commit to new environments, then starts the service once. */
async function fill(service, commits, say) {
  const planned = plan(service.writer, 'changed', ARTIFACTS, CONNECTIONS);
  await prepare(service, planned, ARTIFACTS, say);
  const next = planned.sender();
  const expect = /snapshot \d+ created/;
  await load(service.url, { connections: CONNECTIONS, seconds: 0, least: planned.names.length, next, expect });
  await service.settled();
  await service.end();
  say(`appending ${commits} commits`);
  await append(service.file, commits);
  const db = new DatabaseSync(service.file);
  try {
    db.exec(`ATTACH '${derivedOf(service.file)}' AS derived`);
    const newest = 'SELECT position, id FROM commits ORDER BY position DESC LIMIT 1';
    db.exec(`UPDATE derived.positions SET (position, id) = (${newest})`);
  } finally {
    db.close();
  }
  await service.begin();
}

/** Each stream has its own hash chain. Each commit is a snapshot. */
async function append(file, commits) {
  // Resolves packages from the standalone app's folder, as the app does.
  const require = createRequire(new URL('../../../apps/standalone/dist/main.js', import.meta.url));
  const { openEmbedded } = require('@assurance/storage-sqlite');
  const { commitHash } = require('@assurance/storage-records');
  const template = newestReport(file);
  const engines = await openEmbedded({ folder: dirname(file), now: Date.now, random: randomBytes });
  const one = async (stream, count) => {
    let prev = null;
    for (let seq = 1; seq <= count; seq += 1) {
      const index = { ...template.index, snapshot: seq };
      const commit = { ...template, id: randomUUID(), stream, seq, prev, index };
      const outcome = await engines.events.append(commit);
      if (outcome !== 'appended') throw new Error(`a commit was not appended: ${outcome}`);
      prev = commitHash(commit);
    }
  };
  try {
    const streams = Math.min(STREAMS, commits);
    const count = (i) => Math.floor(((i + 1) * commits) / streams) - Math.floor((i * commits) / streams);
    await Promise.all(Array.from({ length: streams }, (_, i) => one(`environment/${randomUUID()}`, count(i))));
  } finally {
    await engines.close();
  }
}

function newestReport(file) {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const sql = `SELECT body FROM commits WHERE stream LIKE 'environment/%' ORDER BY position DESC LIMIT 1`;
    return JSON.parse(db.prepare(sql).get().body);
  } finally {
    db.close();
  }
}
