import type { Running } from '@assurance/contracts/environments/documents';
import type { EnvironmentEvent, RefreshedArtifact } from '@assurance/contracts/environments/events';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { applyRefreshed } from '@assurance/environments/domain/refreshed';
import { keyText, runsDigest, runsDigests } from '@assurance/environments/domain/runs';
import { SnapshotReplay } from '@assurance/environments/domain/snapshot';
import { commitsOf, eventsOf, snapshotCommits } from '@assurance/event-sourcing/sealing/read';
import { canonicalJson } from '@assurance/kernel';
import type { Commit, CommitIndex, EventStore } from '@assurance/storage-ports';

/** The most artifacts in memory, for all environments together. */
const REMEMBERED_ARTIFACTS = 200_000;

type Run = Pick<Running, 'fingerprint' | 'name' | 'instances'>;
type Runs = Map<string, Run>;

/** The values that the next commit of an environment builds on. */
interface EnvironmentProgress {
  readonly seq: number;
  readonly snapshot: number;
  readonly full: number;
  readonly runs: Runs;
}

/** Compares the index of environments' commits with their events, in bounded memory. */
export class EnvironmentCheck {
  private readonly progress = new Map<string, EnvironmentProgress>();
  private cachedBytes = 0;

  constructor(private readonly events: EventStore) {}

  /**
   * Compares the index of a commit with its events, and returns the fault; null if there is none.
   *
   * @param before reads the stream's commit at `seq - 1`; null if there is none
   */
  async faultOf(
    commit: Commit,
    before: () => Promise<Commit | null>,
    events: readonly DomainEvent[],
  ): Promise<string | null> {
    const { stream, seq } = commit;
    const progress = this.progress.get(stream);
    const current = progress?.seq === seq - 1 ? progress : await this.progressOf(stream, await before());
    const { runs } = current;
    let { snapshot, full } = current;
    this.forget(stream);
    let [orderly, keptRuns] = [true, true];
    let observedAt: number | undefined;
    for (const event of events as readonly EnvironmentEvent[]) {
      if (event.type === 'SnapshotRecorded') {
        orderly &&= event.data.snapshot === snapshot + 1;
        ({ snapshot, observedAt } = event.data);
        const { refreshed } = event.data;
        const refresh = (run: Run, { name, instances }: RefreshedArtifact) => ({ ...run, name, instances });
        if (refreshed !== undefined) applyRefreshed(runs, refreshed, refresh);
        for (const change of event.data.changes) {
          if (change.now === 0) runs.delete(keyText(change));
          else runs.set(keyText(change), change);
        }
      }
      if (event.type === 'SnapshotStateKept') {
        full = event.data.snapshot;
        if (event.data.dropped === true) continue;
        keptRuns &&= digestOfCounts(event.data.artifacts) === digestOfCounts([...runs.values()]);
      }
    }
    this.remember(stream, { seq, snapshot, full, runs });
    if (!orderly) return 'its snapshot does not follow the one before';
    if (!keptRuns) return 'the full state that it keeps is not what runs';
    const identity = commit.index?.identity;
    const digests = runsDigests([...runs.values()], {}, identity ?? 'name');
    const index: CommitIndex = {
      snapshot,
      full,
      ...digests,
      ...(identity === undefined ? {} : { identity }),
      ...(observedAt === undefined ? {} : { observedAt }),
    };
    return canonicalJson(commit.index ?? null) === canonicalJson(index)
      ? null
      : 'its index does not agree with the events';
  }

  private async progressOf(stream: string, before: Commit | null): Promise<EnvironmentProgress> {
    const { snapshot, full } = before?.index ?? { snapshot: 0, full: 0 };
    let replay = await this.replay((await snapshotCommits(this.events, stream, snapshot)) ?? []);
    // The full state was dropped, so it is computed from all changes before it.
    if (replay.dropped) replay = await this.replay(commitsOf(this.events, stream, 1, before?.seq ?? 0));
    const runs: Runs = new Map(replay.result().artifacts.map((artifact) => [keyText(artifact), artifact]));
    return { seq: before?.seq ?? 0, snapshot, full, runs };
  }

  private async replay(commits: Iterable<Commit> | AsyncIterable<Commit>): Promise<SnapshotReplay> {
    const replay = new SnapshotReplay();
    for await (const commit of commits) {
      for (const event of await eventsOf(this.events, commit)) replay.apply(event as EnvironmentEvent);
    }
    return replay;
  }

  private remember(stream: string, progress: EnvironmentProgress): void {
    this.forget(stream);
    this.progress.set(stream, progress);
    this.cachedBytes += progress.runs.size + 1;
    for (const oldest of this.progress.keys()) {
      if (this.cachedBytes <= REMEMBERED_ARTIFACTS || this.progress.size === 1) break;
      this.forget(oldest);
    }
  }

  private forget(stream: string): void {
    const progress = this.progress.get(stream);
    if (progress !== undefined) this.cachedBytes -= progress.runs.size + 1;
    this.progress.delete(stream);
  }
}

function digestOfCounts(artifacts: Parameters<typeof runsDigest>[0]): string {
  return runsDigest(artifacts, 'runsCounted');
}
