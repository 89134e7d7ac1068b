import type { SnapshotChange, SnapshotRecorded } from '@assurance/contracts/environments/events';
import { follow } from '@assurance/deployments/read/deployments/follow';
import {
  type DepartureRow,
  departures,
  type DeploymentRow,
  deployments,
} from '@assurance/deployments/read/deployments/rows';
import { putRows } from '@assurance/event-sourcing/projection/batches';
import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import type { Documents } from '@assurance/storage-ports';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { trailStream } from '../support/deployment-streams';
import { interrupted, stoppedAfter } from '../support/interleaved';
import { temporaryEngines } from '../support/temporary-engines';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** How many snapshots the history has, in each of which a version replaces the one before. */
const SNAPSHOTS = 20_000;
/** How much memory the history may take while it is read (bytes). All of its rows take more than 30 MB. */
const MEMORY_MAX = 12 * 1024 * 1024;
const HOUR = 3_600_000;
const org = 'long';
const environment = 'long-history';

const atOf = (snapshot: number) => 1_600_000_000_000 + snapshot * HOUR;
const fingerprintOf = (snapshot: number) => String(snapshot).padStart(64, '0');
const nameOf = (snapshot: number) => `web:${snapshot}`;
const idOf = (snapshot: number, of = snapshot) => `${environment}/${snapshot}/${fingerprintOf(of)}`;

/** The rows of a history that is decided. */
function rowsOfHistory() {
  const started = new Map<string, DeploymentRow>();
  const left = new Map<string, DepartureRow>();
  for (let snapshot = 1; snapshot <= SNAPSHOTS; snapshot += 1) {
    const common = { org, environment, snapshot, at: atOf(snapshot), origin: null, base: 'web' };
    started.set(idOf(snapshot), {
      ...common,
      environmentName: environment,
      fingerprint: fingerprintOf(snapshot),
      name: nameOf(snapshot),
      deployedAt: atOf(snapshot) / 1_000,
      compliant: null,
      kind: snapshot === 1 ? 'baseline' : 'first',
      final: true,
      ...(snapshot === 1 ? { begins: true } : {}),
    });
    if (snapshot === 1) continue;
    const [fingerprint, name] = [fingerprintOf(snapshot - 1), nameOf(snapshot - 1)];
    const departure = { ...common, fingerprint, name, since: snapshot - 1, completes: idOf(snapshot) };
    left.set(idOf(snapshot, snapshot - 1), departure);
  }
  return { started, left };
}

/** The last version leaves, and an earlier one returns. */
function rollback(to: number): RecordedEvent<SnapshotRecorded> {
  const snapshot = SNAPSHOTS + 1;
  const changeOf = (of: number, now: number): SnapshotChange => ({
    fingerprint: fingerprintOf(of),
    name: nameOf(of),
    change: now > 0 ? 'started' : 'exited',
    instances: [],
    since: { snapshot, at: atOf(snapshot), deployedAt: atOf(snapshot) / 1_000 },
    flows: [],
    compliant: null,
    was: 1 - now,
    now,
    wholly: true,
    replacedBy: null,
  });
  const data = {
    snapshot,
    environment,
    type: 'docker',
    changes: [changeOf(SNAPSHOTS, 0), changeOf(to, 1)],
    observedAt: atOf(snapshot),
    previousReportAt: atOf(snapshot - 1),
  } as const;
  return {
    event: { type: 'SnapshotRecorded', version: 1, data },
    meta: { org, actor: 'x', stream: `environment/${environment}`, seq: snapshot, at: atOf(snapshot) },
  };
}

describe('a long history of deployments', () => {
  const engines = temporaryEngines();

  /** Takes events in another process, and measures its memory (bytes) and its CPU (milliseconds). */
  async function take(...events: Parameters<typeof follow>[1]) {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const { user } = process.cpuUsage();
    let [operations, memory] = [0, 0];
    const measure = () => {
      operations += 1;
      if (operations % 10 === 0) {
        collectGarbage();
        memory = Math.max(memory, process.memoryUsage().heapUsed - before);
      }
      return Promise.resolve();
    };
    const documents: Documents = interrupted(stoppedAfter(engines().documents, Infinity), measure);
    await follow(documents, events);
    return { memory, cpu: (process.cpuUsage().user - user) / 1_000 };
  }

  const rowOf = (id: string) => engines().documents.collection<DeploymentRow>(deployments).get(id);

  it('is read in little memory, for a first report after a start and for late provenance', async () => {
    const { started, left } = rowsOfHistory();
    await putRows(engines().documents.collection<DeploymentRow>(deployments), started);
    await putRows(engines().documents.collection<DepartureRow>(departures), left);
    started.clear();
    left.clear();
    const afterStart = await take(rollback(SNAPSHOTS - 1));
    expect(await rowOf(idOf(SNAPSHOTS + 1, SNAPSHOTS - 1))).toMatchObject({ kind: 'rollback' });
    expect(afterStart.memory).toBeLessThan(MEMORY_MAX);
    expect(afterStart.cpu).toBeLessThan(20_000);

    const reports = [SNAPSHOTS - 1, SNAPSHOTS].map((of, i) =>
      trailStream(`late-${i}`, [{ fingerprint: fingerprintOf(of), at: 1 }], { org, actor: 'x' }),
    );
    const late = await take(...reports.flat());
    // Nothing of its repository ran while it was away.
    expect(await rowOf(idOf(SNAPSHOTS + 1, SNAPSHOTS - 1))).toMatchObject({ kind: 'restart' });
    expect(late.memory).toBeLessThan(MEMORY_MAX);
    expect(late.cpu).toBeLessThan(40_000);
  });
});
