import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import { keyOf } from '@assurance/contracts/events/streams';
import type { KindRevision } from '@assurance/deployments/domain/kind-revision';
import { deploymentsView } from '@assurance/deployments/read/deployments/follow';
import { type DeploymentRow, deployments, kindRevisions, rowId } from '@assurance/deployments/read/deployments/rows';
import { Generations, isCurrent } from '@assurance/event-sourcing/projection/generations';
import type { Ports } from '@assurance/event-sourcing/tokens';
import { pieces } from '@assurance/kernel';
import { findPages, type StreamPosition } from '@assurance/storage-ports';
import type { DeploymentResult } from '../domain/message';
import { changeKindOf } from '../domain/occurrences';

const PIECE = 500;

/** The kinds of deployments, as the view of deployments decided them. No look-up waits for the view. */
export class DeploymentResults {
  private readonly generations: Generations;

  constructor(ports: Ports) {
    this.generations = new Generations(ports);
  }

  /** Of some streams, those whose deployments are decided up to a seq, or are not decided because the view is built again. */
  async decided(positions: readonly StreamPosition[]): Promise<Set<string>> {
    const view = await this.open();
    const reached = await view?.checkpoints.of(positions.map(({ stream }) => stream));
    const isDecided = ({ stream, seq }: StreamPosition) => reached === undefined || reached(stream) >= seq;
    return new Set(positions.filter(isDecided).map(({ stream }) => stream));
  }

  /** Waits until deployments are decided. @param ms the longest wait (milliseconds) */
  async reach(position: StreamPosition, ms: number): Promise<void> {
    await (await this.open())?.checkpoints.reach([position], ms);
  }

  /** The results of a snapshot's deployments, by fingerprint; none while they are not decided. */
  async of(
    { stream, seq }: StreamPosition,
    { snapshot, changes }: SnapshotRecorded['data'],
  ): Promise<ReadonlyMap<string, DeploymentResult>> {
    const results = new Map<string, DeploymentResult>();
    const started = changes.filter((change) => changeKindOf(change) === 'started' && change.kind === undefined);
    const view = started.length === 0 ? null : await this.open();
    if (view === null || (await view.checkpoints.of([stream]))(stream) < seq) return results;
    const ids = new Set(started.map(({ fingerprint }) => rowId(keyOf(stream), snapshot, fingerprint)));
    for (const some of pieces([...ids], PIECE)) {
      const rows = await view.documents.collection<DeploymentRow>(deployments).getMany(some);
      for (const { fingerprint, kind, final } of rows.values())
        results.set(fingerprint, { kind, kindFinal: final ?? false });
    }
    return results;
  }

  /** The kinds of earlier deployments that a snapshot changed; none while they are not decided. */
  async revisionsBy(
    { stream, seq }: StreamPosition,
    { snapshot, changes }: SnapshotRecorded['data'],
  ): Promise<readonly KindRevision[]> {
    const view = changes.some(({ wholly }) => wholly) ? await this.open() : null;
    if (view === null || (await view.checkpoints.of([stream]))(stream) < seq) return [];
    const revisions: KindRevision[] = [];
    const where = { environment: keyOf(stream), by: snapshot };
    for await (const page of findPages(view.documents.collection(kindRevisions), { where }, PIECE))
      for (const { doc } of page) revisions.push(doc);
    return revisions;
  }

  /** The view; null while it is built again. */
  private async open(): Promise<ReturnType<Generations['open']> | null> {
    const generation = (await this.generations.current([deploymentsView]))(deploymentsView);
    return isCurrent(deploymentsView, generation) ? this.generations.open(deploymentsView, generation.serving) : null;
  }
}
