import { setTimeout as sleep } from 'node:timers/promises';
import { apps } from '../stage/service.mjs';
import { newerEventMet } from './newer.mjs';

/** Every role; gateways come last, so that gateways of both releases call services of both. */
const ROLES = ['ingestion', 'projection', 'packages', 'gateway'];
/** How long to wait after a replaced instance is ready before the next one is replaced (milliseconds). */
const BESIDE_MS = 300;

/**
 * Replaces one process after another by the same role of the new release, and then by that of the previous release, as a rolling update and its
 * rollback do. Then both releases meet an event that only the newer one knows. Callers use the other gateway before one is replaced, as with a load
 * balancer.
 *
 * `instances`: how many of each role are replaced at most.
 */
export async function rolled({ stage, clients, times, reports, instances = Infinity, expect }) {
  const { ledger } = clients;
  const replaced = { forth: 0, back: 0 };
  const all = ROLES.flatMap((role) => stage[role].slice(0, instances));
  const replace = async (one, release, way) => {
    const gateways = stage.gateway;
    stage.gateway = gateways.filter((other) => other !== one);
    await one.replace(release);
    stage.gateway = gateways;
    replaced[way] += 1;
    await clients.during(sleep(BESIDE_MS));
  };
  await clients.during(ledger.more(reports));
  for (let i = 0; i < times; i += 1) {
    for (const one of all) await clients.during(replace(one, apps, 'forth'));
    await clients.during(ledger.more(reports));
    for (const one of all.toReversed()) await clients.during(replace(one, stage.previous, 'back'));
    await clients.during(ledger.more(reports));
  }
  const met = await newerEventMet({ stage, clients, expect });
  const others = [...ledger.refused].filter(([status]) => status !== 503);
  expect(others.length === 0, `answers other than 2xx and 503: ${others.map(([status, n]) => `${n} × ${status}`)}`);
  return [
    `${replaced.forth} processes replaced forth and ${replaced.back} back`,
    met,
    `503 to ${ledger.refused.get(503) ?? 0} requests`,
  ].join(', ');
}
