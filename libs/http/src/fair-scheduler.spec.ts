import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Route } from '@assurance/contracts/http/route';
import { routes } from '@assurance/contracts/http/routes/routes';
import { yieldSlotWhile } from '@assurance/kernel';
import { FairScheduler } from './fair-scheduler';

type QueuedRequest = Parameters<FairScheduler['turn']>[0];

/** A request of an organization; null: a request without a key from the address. */
function request(org: string | null, ip = '192.0.2.1'): QueuedRequest {
  const principal = { id: 'p', kind: 'user', name: 'p', role: 'reader' } as const;
  const identity = org === null ? {} : { identity: { org: { id: org, name: org }, principal } };
  return { ip, assurance: { correlation: 'c', ...identity } };
}

/** A connection for an answer. */
const connection = () => new EventEmitter() as ServerResponse;
/** Resolves when everything that can begin has begun. */
async function waitUntilSettled() {
  for (let i = 0; i < 100; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('The work of requests', () => {
  /** Asks for the turns of requests, and returns the requests that got theirs. */
  async function takeTurns(work: FairScheduler, route: Route, all: readonly QueuedRequest[]) {
    const begun: QueuedRequest[] = [];
    for (const request of all) {
      void Promise.resolve(work.turn(request, { raw: connection() }, route)).then(() => begun.push(request));
    }
    await waitUntilSettled();
    return begun;
  }
  const many = (org: string | null, ip?: string) => Array.from({ length: 20 }, () => request(org, ip));

  it('of one organization holds 16 reads at once, and keeps no other waiting', async () => {
    const work = new FairScheduler();
    const begun = await takeTurns(work, routes.listFlows, many('crowd'));
    expect(begun).toHaveLength(16);
    expect(await takeTurns(work, routes.listFlows, [request('other')])).toHaveLength(1);
    begun[0]?.assurance?.place?.end();
    await waitUntilSettled();
    expect(begun).toHaveLength(17);
  });

  it('delays no writes, no routes of the gateway and no routes of another process', async () => {
    const work = new FairScheduler();
    for (const route of [routes.putEnvironment, routes.getSession]) {
      expect(await takeTurns(work, route, many('crowd'))).toHaveLength(20);
    }
    const turns = many('crowd').map((request) => work.turn(request, { raw: connection() }, routes.listFlows, true));
    for (const turn of turns) await turn;
  });

  it('takes no place again once it has its answer', async () => {
    const work = new FairScheduler();
    const begun = await takeTurns(work, routes.listFlows, many('crowd').slice(0, 16));
    let written = () => undefined as void;
    const view = new Promise<void>((resolve) => (written = resolve));
    const [first] = begun;
    if (first === undefined) throw new Error('none began');
    const waiting = work.run(first, () => yieldSlotWhile(() => view));
    first.assurance?.place?.end();
    written();
    await waiting;
    expect(await takeTurns(work, routes.listFlows, [request('crowd')])).toHaveLength(1);
  });

  it('leaves its place to others while it waits for a view', async () => {
    const work = new FairScheduler();
    const begun = await takeTurns(work, routes.listFlows, many('crowd'));
    let written = () => undefined as void;
    const view = new Promise<void>((resolve) => (written = resolve));
    const first = begun[0];
    if (first === undefined) throw new Error('none began');
    const waiting = work.run(first, () => yieldSlotWhile(() => view));
    await waitUntilSettled();
    expect(begun).toHaveLength(17);
    written();
    // Requests of its organization that waited before it come first.
    for (const request of begun.slice(1, 5)) request.assurance?.place?.end();
    await waiting;
  });

  it('without a key holds 16 answers of one network until they were read', async () => {
    const work = new FairScheduler();
    const connections = many(null).map((request) => ({ request, raw: connection() }));
    const begun: unknown[] = [];
    for (const { request, raw } of connections) {
      void work.turn(request, { raw }, routes.openapi)?.then(() => begun.push(request));
    }
    await waitUntilSettled();
    expect(begun).toHaveLength(16);
    expect(await takeTurns(work, routes.openapi, [request(null, '192.0.2.2')])).toHaveLength(1);
    connections[0]?.raw.emit('close');
    await waitUntilSettled();
    expect(begun).toHaveLength(17);
    for (const { raw } of connections) raw.emit('close');
    await waitUntilSettled();
    expect(begun).toHaveLength(20);
  });

  it('lets probes pass', () => {
    const work = new FairScheduler();
    expect(work.turn(request(null), { raw: connection() }, routes.live)).toBeUndefined();
    expect(work.turn(request(null), { raw: connection() }, routes.ready)).toBeUndefined();
  });
});
