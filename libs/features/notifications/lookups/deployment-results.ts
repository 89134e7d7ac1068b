import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import { keyOf } from '@assurance/contracts/events/streams';
import type { KindRevision } from '@assurance/deployments/domain/kind-revision';
import { deploymentsView } from '@assurance/deployments/read/deployments/follow';
import { type DeploymentRow, deployments, kindRevisions, rowId } from '@assurance/deployments/read/deployments/rows';
import { Generations, isCurrent } from '@assurance/event-sourcing/projection/generations';
import type { Clock, Ports } from '@assurance/event-sourcing/tokens';
import { pieces } from '@assurance/kernel';
import { type Commit, findPages } from '@assurance/storage-ports';
import type { DeploymentResult } from '../domain/message';
import { changeKindOf } from '../domain/occurrences';

/** How long a message waits until the deployments of its snapshot are decided (milliseconds). */
const WAIT_MS = 10_000;
/** How long no message waits after one waited in vain (milliseconds): the view is behind, and messages are later than they have to be. */
const PAUSE_MS = 60_000;
const PIECE = 500;

/** The kinds of deployments, as the view of deployments decided them. */
export class DeploymentResults {
  private readonly generations: Generations;
  private pausedUntil = -Infinity;

  constructor(
    ports: Ports,
    private readonly clock: Pick<Clock, 'steady'>,
  ) {
    this.generations = new Generations(ports);
  }

  /** Waits until the view contains a snapshot. @returns the results by fingerprint; none while the view is behind or built again */
  async of(
    { stream, seq }: Pick<Commit, 'stream' | 'seq'>,
    { snapshot, changes }: SnapshotRecorded['data'],
  ): Promise<ReadonlyMap<string, DeploymentResult>> {
    const results = new Map<string, DeploymentResult>();
    const started = changes.filter((change) => changeKindOf(change) === 'started' && change.kind === undefined);
    const generation = (await this.generations.current([deploymentsView]))(deploymentsView);
    if (started.length === 0 || !isCurrent(deploymentsView, generation)) return results;
    const { documents, checkpoints } = this.generations.open(deploymentsView, generation.serving);
    if (!(await this.hasTaken(checkpoints, { stream, seq }))) return results;
    const ids = new Set(started.map(({ fingerprint }) => rowId(keyOf(stream), snapshot, fingerprint)));
    for (const some of pieces([...ids], PIECE)) {
      const rows = await documents.collection<DeploymentRow>(deployments).getMany(some);
      for (const { fingerprint, kind, final } of rows.values())
        results.set(fingerprint, { kind, kindFinal: final ?? false });
    }
    return results;
  }

  /** Waits until the view contains a snapshot. @returns the kinds of earlier deployments that it changed */
  async revisionsBy(
    { stream, seq }: Pick<Commit, 'stream' | 'seq'>,
    { snapshot, changes }: SnapshotRecorded['data'],
  ): Promise<readonly KindRevision[]> {
    const generation = (await this.generations.current([deploymentsView]))(deploymentsView);
    if (!changes.some(({ wholly }) => wholly) || !isCurrent(deploymentsView, generation)) return [];
    const { documents, checkpoints } = this.generations.open(deploymentsView, generation.serving);
    if (!(await this.hasTaken(checkpoints, { stream, seq }))) return [];
    const revisions: KindRevision[] = [];
    const where = { environment: keyOf(stream), by: snapshot };
    for await (const page of findPages(documents.collection(kindRevisions), { where }, PIECE))
      for (const { doc } of page) revisions.push(doc);
    return revisions;
  }

  private async hasTaken(
    checkpoints: ReturnType<Generations['open']>['checkpoints'],
    position: Pick<Commit, 'stream' | 'seq'>,
  ): Promise<boolean> {
    const reached = await checkpoints.of([position.stream]);
    if (reached(position.stream) >= position.seq) return true;
    if (this.clock.steady() < this.pausedUntil) return false;
    if (await checkpoints.reach([position], WAIT_MS)) return true;
    this.pausedUntil = this.clock.steady() + PAUSE_MS;
    return false;
  }
}
