import { hash } from 'node:crypto';
import { callApi } from '@assurance/web/requests';
import { each, range } from '../common/api.ts';
import { caller, ORG, type Stage } from '../common/stage.ts';
import type { Measured } from './embedded.ts';
import { load, request } from './load.ts';

const SECOND = 1_700_000_000;
/** How many environments a connection reports in turn. */
const POOL: Readonly<Record<number, number>> = { 10: 4 };

export type Kind = 'unchanged' | 'changed';
/** What the service answers to these reports. */
export const ANSWERS: Readonly<Record<Kind, RegExp>> = {
  unchanged: /no new snapshot/,
  changed: /snapshot \d+ created/,
};

export const reportPath = (environment: string): string => `/environments/${ORG}/${environment}/report/docker`;

/** The fingerprint of an artifact that nobody built. */
export const fingerprintOf = (name: number | string): string => hash('sha256', String(name));

/** A report of artifacts with these numbers. */
export const report = (numbers: readonly number[], since = (number: number) => SECOND + number) => ({
  artifacts: numbers.map((number) => ({
    digests: { [`registry.example.com/shop/service-${number}:1.4.${number}`]: fingerprintOf(number) },
    creationTimestamp: since(number),
  })),
});

/** Two reports that differ in one artifact. Sent in turn, each is a change. */
export const alternating = (count: number): readonly Buffer[] =>
  [range(count), [...range(count - 1), count]].map((numbers) => Buffer.from(JSON.stringify(report(numbers))));

export async function makeEnvironments(stage: Stage, names: readonly string[]): Promise<void> {
  await each(names, (name) => callApi(caller(stage), 'PUT', '/environments/{org}', { name, type: 'docker' }), 16);
}

/**
 * Makes the environments of reports of `count` artifacts and sends the first report of each.
 *
 * @returns makes what each connection sends to one server: to one environment after another, each in one state and then in the other
 */
export async function prepare(
  { keys, ...service }: Measured,
  kind: Kind,
  count: number,
  connections: number,
  say: (text: string) => void,
): Promise<() => (connection: number) => readonly Buffer[]> {
  const bodies = alternating(count);
  const own = range(connections).map((i) => range(POOL[count] ?? 1).map((j) => `bench-${i}-${j}`));
  // One caller may not send 32 reports of 10,000 artifacts at once.
  const key = (connection: number) => (connection % 2 === 0 ? keys.writer : keys.reader);
  const requests = own.map((names, i) =>
    names.map((name) => bodies.map((body) => request('PUT', `/api/v2${reportPath(name)}`, key(i), body))),
  );
  say(`making ${own.flat().length} environments of ${count} artifacts`);
  await makeEnvironments({ keys, ...service }, own.flat());
  let sent = 0;
  const next = () => requests.flat()[sent++]?.[0] ?? [];
  const atOnce = { connections: count > 1000 ? 4 : 16, seconds: 0, least: own.flat().length };
  await load(service.url, { ...atOnce, next, expect: /snapshot 1 created/ });
  await service.settled();
  return () => {
    const states = own.map((names) => ({ turn: 0, of: names.map(() => 0) }));
    return (connection) => {
      const state = states[connection] ?? { turn: 0, of: [] };
      const at = state.turn++ % state.of.length;
      // The first report of an environment had the first state, so the next one has the second.
      if (kind === 'changed') state.of[at] = 1 - (state.of[at] ?? 0);
      return requests[connection]?.[at]?.[state.of[at] ?? 0] ?? [];
    };
  };
}
