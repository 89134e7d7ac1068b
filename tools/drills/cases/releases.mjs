import { setTimeout as sleep } from 'node:timers/promises';
import { apps } from '../stage/service.mjs';
import { newerEventMet } from './newer.mjs';

/** Every role, callers' own last: services of both releases are asked by gateways of both. */
const ROLES = ['ingestion', 'projection', 'packages', 'gateway'];
/** How long an instance that came back works beside the others before the next one is replaced (milliseconds). */
const BESIDE_MS = 300;

/**
 * Replaces one process after the other by the same role of the new release, and then by that of the release before, as a rolling update and its way back
 * do, and then lets the two releases meet an event that only the newer one knows. Callers of a gateway that is replaced are sent to the other one before it ends, as a load balancer does.
 *
 * `instances` bounds how many of a role are replaced.
 */
export async function rolled({ stage, clients, times, instances = Infinity, expect }) {
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
  await clients.during(ledger.more(20));
  for (let i = 0; i < times; i += 1) {
    for (const one of all) await clients.during(replace(one, apps, 'forth'));
    await clients.during(ledger.more(20));
    for (const one of all.toReversed()) await clients.during(replace(one, stage.previous, 'back'));
    await clients.during(ledger.more(20));
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
