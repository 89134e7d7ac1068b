import { setTimeout as sleep } from 'node:timers/promises';
import { type Instance, type Program, programOf } from '../../common/instance.ts';
import type { Drill } from '../drill.ts';
import { previousApps } from '../previous.ts';

/** Every role; gateways come last, so that gateways of both releases call services of both. */
const ROLES = ['ingestion', 'projection', 'packages', 'gateway'] as const;
/** How long to wait after a replaced instance is ready before the next one is replaced (milliseconds). */
const BESIDE_MS = 300;

/**
 * Replaces one process after another by the same role of the new release, and then by that of the previous release, as a rolling update and its
 * rollback do, and in the end all by the new one. Callers use the other gateway before one is replaced, as with a load balancer.
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
  for (const one of ROLES.flatMap((role) => stage[role])) await replace(one, programOf(), 'forth');
  await drill.more();
  const others = [...drill.refused].filter(([status]) => status !== 503);
  drill.expect(others.length === 0, `answers other than 2xx and 503: ${others.map(([code, n]) => `${n} × ${code}`)}`);
  const processes = `${replaced.forth} processes replaced forth and ${replaced.back} back`;
  return `${processes}, 503 to ${drill.refused.get(503) ?? 0} requests`;
}
