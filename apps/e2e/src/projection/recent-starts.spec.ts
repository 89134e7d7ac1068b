import { follow } from '@assurance/deployments/read/deployments/follow';
import { type DeploymentRow, deployments } from '@assurance/deployments/read/deployments/rows';
import type { Documents } from '@assurance/storage-ports';
import { FINGERPRINTS, type RecordedEvent, streamsOf } from '../support/deployment-streams';
import { interrupted, stoppedAfter } from '../support/interleaved';
import { temporaryEngines } from '../support/temporary-engines';

const [a, b] = FINGERPRINTS as [string, string];
/** More operations than one snapshot takes. */
const OPERATIONS = 40;
const NEVER = Infinity;

describe('the starts that a process keeps of an environment', () => {
  const engines = temporaryEngines();
  let run = 0;

  /** Another process: it keeps nothing of what others wrote. */
  const another = () => stoppedAfter(engines().documents, NEVER);

  function history(runs: readonly (readonly string[])[], ...reported: readonly (readonly string[])[]) {
    run += 1;
    const org = `kept${run}`;
    const trails = reported.map((all) => all.map((fingerprint) => ({ fingerprint, at: 1 })));
    const [snapshots = [], ...trailStreams] = streamsOf(org, [runs], trails);
    const take = async (documents: Documents, ...events: readonly (RecordedEvent | undefined)[]) =>
      follow(
        documents,
        events.filter((event) => event !== undefined),
      );
    const kinds = async () => {
      const rows = await engines()
        .documents.collection<DeploymentRow>(deployments)
        .find({ where: { org }, limit: 100 });
      const inOrder = rows.map(({ doc }) => doc).sort((one, other) => one.snapshot - other.snapshot);
      return inOrder.map(({ kind }) => kind);
    };
    return { snapshots, reports: trailStreams.flat(), take, kinds };
  }

  it('count for nothing after snapshots that another process took', async () => {
    const { snapshots, take, kinds } = history([[b], [a], [b], [a]]);
    const own = another();
    await take(own, snapshots[0]);
    await take(own, snapshots[1]);
    await take(another(), snapshots[2]);
    await take(own, snapshots[3]);
    expect(await kinds()).toEqual(['baseline', 'first', 'rollback', 'redeployment']);
  });

  it('count for nothing where another process stopped between the rows of the same snapshot', async () => {
    for (let operations = 0; operations < OPERATIONS; operations += 1) {
      const { snapshots, take, kinds } = history([[a], [b], [a]]);
      const own = another();
      await take(own, snapshots[0]);
      await take(own, snapshots[1]);
      await take(stoppedAfter(engines().documents, operations), snapshots[2]).catch(() => undefined);
      await take(own, snapshots[2]);
      expect([operations, await kinds()]).toEqual([operations, ['baseline', 'first', 'rollback']]);
    }
  });

  it('decide nothing that a report decides otherwise, whenever another process takes it', async () => {
    for (let operation = 0; operation < OPERATIONS; operation += 1) {
      const { snapshots, reports, take, kinds } = history([[a], [b], [a]], [a], [b]);
      const [ofA, ofB] = reports;
      let left = NEVER;
      const own = interrupted(engines().documents, async () => {
        left -= 1;
        if (left === -1) await take(another(), ofB);
      });
      await take(own, ofA);
      await take(own, snapshots[0]);
      await take(own, snapshots[1]);
      left = operation;
      await take(own, snapshots[2]);
      if (left >= 0) await take(another(), ofB);
      // The repository of b is another one, so nothing of the line of a ran in between.
      expect([operation, await kinds()]).toEqual([operation, ['baseline', 'first', 'restart']]);
    }
  });
});
