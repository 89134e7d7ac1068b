import { setTimeout as sleep } from 'node:timers/promises';
import { ask, nextUrl } from './ask.mjs';
import { LEAD_TIME } from './clients.mjs';

const PAGE = 50;
/** How long to wait until views have caught up (milliseconds). */
const CAUGHT_UP_MS = 120_000;

/**
 * Checks that every acknowledged report has one snapshot, one deployment and its provenance.
 *
 * @returns how many were found, doubled and lost, and how long the views took to show them (milliseconds)
 */
export async function audit(stage, ledger) {
  const { acknowledged, wrong } = ledger;
  const begun = performance.now();
  const counts = { found: 0, doubled: 0, lost: 0 };
  for (const [environment, fingerprints] of acknowledged) {
    const { deployments, snapshots } = await caughtUp(stage, environment, fingerprints.length, begun);
    ledger.looked += fingerprints.length;
    const many = new Map();
    for (const { fingerprint } of deployments) many.set(fingerprint, (many.get(fingerprint) ?? 0) + 1);
    const whole = new Set(deployments.filter((one) => one.lead_time >= LEAD_TIME).map((one) => one.fingerprint));
    for (const fingerprint of fingerprints) counts[whole.has(fingerprint) ? 'found' : 'lost'] += 1;
    const again = [...many.values()].reduce((sum, times) => sum + times - 1, 0);
    counts.doubled += Math.max(again, snapshots.length - fingerprints.length);
    const unknown = [...many.keys()].filter((fingerprint) => !fingerprints.includes(fingerprint));
    if (unknown.length > 0) wrong.push(`${environment} deployed what nobody reported: ${unknown.join(', ')}`);
    if (snapshots.some((index, i) => index !== i + 1)) wrong.push(`the snapshots of ${environment} have a gap`);
  }
  return { ...counts, caught: performance.now() - begun };
}

async function caughtUp(stage, environment, wanted, begun) {
  for (;;) {
    const deployments = await pages(
      stage,
      (page) => `/deployments/ORG?env_name=${environment}&start_ts=0&end_ts=9999999999&per_page=${PAGE}&page=${page}`,
    );
    const late = performance.now() - begun > CAUGHT_UP_MS;
    // A deployment that arrives between two pages moves the last one of a page to the next, which then has it again.
    const whole = new Set(deployments.flatMap((one) => (one.lead_time === undefined ? [] : [one.fingerprint])));
    if (late || whole.size >= wanted) {
      const list = (page) => `/snapshots/ORG/${environment}?reverse=true&per_page=${PAGE}&page=${page}`;
      const snapshots = (await pages(stage, list)).map(({ index }) => index);
      return { deployments, snapshots };
    }
    await sleep(100);
  }
}

/** Reads all items of a list, page by page. */
export async function pages(stage, path) {
  const all = [];
  for (let page = 1; ; page += 1) {
    const answer = await read(stage, path(page));
    const some = Array.isArray(answer) ? answer : answer.deployments;
    all.push(...some);
    if (some.length < PAGE) return all;
  }
}

/** Sends a read that must succeed. */
export async function read(stage, path) {
  const { status, text } = await ask(nextUrl(stage), stage.keys.reader, 'GET', path);
  if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${text}`);
  return JSON.parse(text);
}
