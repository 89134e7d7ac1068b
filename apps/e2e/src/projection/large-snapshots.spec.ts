import type { SnapshotChange, SnapshotRecorded } from '@assurance/contracts/environments/events';
import { follow } from '@assurance/deployments/read/deployments/follow';
import { setImmediate } from 'node:timers/promises';
import { temporaryEngines } from '../support/temporary-engines';

const MANY = 10_000;
/** How long one turn of the event loop may take (milliseconds of CPU): 50, and what may compile code or collect garbage in it. */
const TURN_MAX = 80;
const HOUR = 3_600_000;

function changeOf(version: number, now: number, snapshot: number): SnapshotChange {
  const owner = { apiVersion: 'v1', kind: 'ReplicaSet', name: `web-${version % MANY}-7d4b9c6f5d`, uid: 'u' };
  return {
    fingerprint: String(version).padStart(64, '0'),
    name: `web-${version % MANY}:${version}`,
    change: now > 0 ? 'started' : 'exited',
    instances: [1],
    since: { snapshot, at: snapshot, deployedAt: snapshot },
    flows: [],
    compliant: null,
    was: 1 - now,
    now,
    wholly: true,
    replacedBy: null,
    contexts: [{ of: 'pod', pod: 'p', namespace: 'shop', owners: [owner] }],
  };
}

describe('a snapshot with 10,000 artifacts', () => {
  const engines = temporaryEngines();

  /** Takes a snapshot into the view of deployments. @returns the CPU of each turn of the event loop (milliseconds) */
  async function turnsOf(snapshot: number, started: readonly number[], left: readonly number[]): Promise<number[]> {
    const [observedAt, previousReportAt] = [snapshot * HOUR, snapshot === 1 ? null : (snapshot - 1) * HOUR];
    const changes = [
      ...left.map((version) => changeOf(version, 0, snapshot)),
      ...started.map((version) => changeOf(version, 1, snapshot)),
    ];
    const event: SnapshotRecorded = {
      type: 'SnapshotRecorded',
      version: 1,
      data: { snapshot, environment: 'large', type: 'K8S', changes, observedAt, previousReportAt },
    };
    const meta = { org: 'o', actor: 'x', stream: 'environment/large', seq: snapshot, at: observedAt };
    const turns: number[] = [];
    let isDone = false;
    const work = follow(engines().documents, [{ event, meta }]).finally(() => (isDone = true));
    while (!isDone) {
      const { user, system } = process.threadCpuUsage();
      await setImmediate();
      const after = process.threadCpuUsage();
      turns.push((after.user + after.system - user - system) / 1_000);
    }
    await work;
    return turns;
  }

  it('never holds the thread for long when they start, leave, return and replace each other', async () => {
    const [old, next] = [0, MANY].map((from) => Array.from({ length: MANY }, (_, i) => from + i));
    await turnsOf(1, [], []);
    for (const [i, [started = [], left = []]] of [[old], [[], old], [old], [next, old]].entries()) {
      const turns = await turnsOf(i + 2, started, left);
      expect(Math.max(...turns)).toBeLessThan(TURN_MAX);
    }
  });
});
