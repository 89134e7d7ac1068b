import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, insist, nextUrl } from './ask.mjs';

const CLIENTS = 8;
/** The least pause between two reads (milliseconds). */
const READ_MS = 50;
/** A time within every default window (epoch seconds). */
const YESTERDAY = Math.floor(Date.now() / 1000) - 86_400;
/** The lead time of every deployment of a drill (seconds). */
export const LEAD_TIME = 600;

const hash = (algorithm, text) => createHash(algorithm).update(text).digest('hex');
/** The digest of a text, for reports. */
export const fingerprintOf = (text) => hash('sha256', text);

/** An artifact with its commit, as a pipeline reports it. */
export function artifactOf(fingerprint) {
  const sha1 = hash('sha1', fingerprint);
  const repository = 'https://github.com/drills/shop';
  return {
    fingerprint,
    filename: 'shop/web:1',
    git_commit: sha1,
    git_commit_info: {
      sha1,
      message: 'Sell tea',
      author: 'Ada <ada@example.com>',
      branch: 'main',
      timestamp: YESTERDAY - LEAD_TIME,
      url: `${repository}/commit/${sha1}`,
    },
    repo_info: { url: repository, name: 'drills/shop', id: '1', provider: 'github' },
    build_url: 'https://ci.example.com/1',
    commit_url: `${repository}/commit/${sha1}`,
    repo_url: '',
    template_reference_name: 'web',
    trail_name: sha1,
  };
}

/** A report of one container. */
export function reportOf(fingerprint) {
  return { artifacts: [{ digests: { web: fingerprint }, creationTimestamp: YESTERDAY }] };
}

export async function makeFlow(stage, name, onTry) {
  const form = new FormData();
  form.set('data_json', JSON.stringify({ name }));
  await insist(stage, 'PUT', '/flows/ORG/template_file', form, onTry);
}

export async function makeEnvironment(stage, name, onTry) {
  await insist(stage, 'PUT', '/environments/ORG', { name, type: 'docker' }, onTry);
}

/**
 * Reports provenance and then the next new artifact to an environment of this client, and repeats both until they are acknowledged.
 *
 * @param {number} number of the report, from 0; it creates the snapshot `number + 1`
 */
export async function reportNext(stage, ledger, name, number, onTry) {
  const fingerprint = fingerprintOf(`${name} ${number}`);
  await insist(stage, 'POST', `/artifacts/ORG/${name}`, artifactOf(fingerprint), onTry);
  const path = `/environments/ORG/${name}/report/docker`;
  const { text, tries } = await insist(stage, 'PUT', path, reportOf(fingerprint), onTry);
  // Each report creates one snapshot. `No new snapshot` is right only after an attempt without an answer.
  const made = /snapshot (\d+) created/.exec(text);
  if (made === null ? tries === 1 : Number(made[1]) !== number + 1) ledger.wrong.push(`report ${number + 1}: ${text}`);
  ledger.acknowledge(name, fingerprint);
}

/**
 * Starts clients that report provenance and new artifacts to their own environments, each until it is acknowledged, and one client that reads the list
 * of deployments.
 *
 * @param {number} [pause] how long a client waits after a report on average, and four times as long as after a read (milliseconds)
 * @returns the ledger, and `stop`, which waits until the last report of each client is acknowledged
 */
export async function load(stage, ledger, pause = 0) {
  const run = randomUUID().slice(0, 8);
  const onTry = (answer) => ledger.answered(answer);
  const names = Array.from({ length: CLIENTS }, (_, i) => `${run}-${i}`);
  await Promise.all(names.flatMap((name) => [makeFlow(stage, name, onTry), makeEnvironment(stage, name, onTry)]));
  for (const name of names) ledger.acknowledged.set(name, []);
  let over = false;
  const client = async (name) => {
    for (let i = 0; !over; i += 1) {
      await reportNext(stage, ledger, name, i, onTry);
      // Of different length, so that clients do not fall into step and a failure never meets a service without requests.
      await sleep(2 * pause * Math.random());
    }
  };
  const reader = async () => {
    while (!over) {
      const answer = await ask(nextUrl(stage), stage.keys.reader, 'GET', '/deployments/ORG?per_page=1');
      if (answer.status === 200) ledger.served('reads');
      else ledger.answered(answer);
      await sleep(READ_MS + pause / 4);
    }
  };
  ledger.last = { reports: performance.now(), reads: performance.now() };
  const failing = Promise.all([...names.map(client), reader()]);
  const failed = failing.then(() => new Promise(() => undefined));
  failed.catch(() => undefined);
  const during = (promise) => Promise.race([promise, failed]);
  return {
    ledger,
    /** Waits for a promise. Fails if a client fails first. */
    during,
    async stop() {
      over = true;
      await failing;
      for (const kind of ['reports', 'reads']) ledger.served(kind);
    },
  };
}
