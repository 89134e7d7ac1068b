import { deploymentsView } from '@assurance/deployments/read/deployments/follow';
import type { SnapshotChange, SnapshotRecorded } from '@assurance/contracts/environments/events';
import type { ArtifactReported } from '@assurance/contracts/flows/events';
import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import type { Collection, CollectionDefinition, Document, Documents } from '@assurance/storage-ports';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import { provenance, repoNamed } from '@assurance/testing/deciders/samples';

/** How many turns of the event loop pass before a round begins. Work that yields its thread starts its operations some turns later. */
const QUIET_TURNS = 50;

/** Runs operations round by round. An operation that starts while a round runs belongs to the next round. */
class Rounds {
  count = 0;
  private running = 0;
  private waiting: (() => void)[] = [];

  async take<T>(operation: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
      if (this.running === 0 && this.waiting.length === 1) this.begin();
    });
    try {
      return await operation();
    } finally {
      this.running -= 1;
      if (this.running === 0 && this.waiting.length > 0) this.begin();
    }
  }

  private begin(turns = QUIET_TURNS): void {
    setImmediate(() => {
      if (turns > 0) {
        this.begin(turns - 1);
        return;
      }
      const round = this.waiting;
      this.waiting = [];
      this.count += 1;
      this.running = round.length;
      for (const start of round) start();
    });
  }
}

/** Documents with operations that run round by round, like requests to a server. */
function roundByRound(documents: Documents, rounds: Rounds): Documents {
  const opened = new Map<object, unknown>();
  const opening = <T extends Document>(collection: Collection<T>) =>
    new Proxy(collection, {
      get: (target, name: keyof Collection<T>) => {
        const operation = target[name].bind(target) as (...args: unknown[]) => Promise<unknown>;
        return (...args: unknown[]) => rounds.take(() => operation(...args));
      },
    });
  return {
    ...documents,
    collection<T extends Document>(definition: CollectionDefinition<T>) {
      const cached = opened.get(definition) ?? opening(documents.collection(definition));
      opened.set(definition, cached);
      return cached as Collection<T>;
    },
  };
}

/** A snapshot in which one version of the web shop replaces another. */
function snapshot(org: string, environment: string, number: number): RecordedEvent<SnapshotRecorded> {
  const change = (version: number, fields: Partial<SnapshotChange>): SnapshotChange => ({
    change: 'started',
    fingerprint: `${environment}-${version}`,
    name: `shop/web:${version}`,
    instances: [version],
    compliant: true,
    since: { snapshot: version, at: version, deployedAt: version },
    flows: [],
    was: 0,
    now: 1,
    wholly: true,
    replacedBy: null,
    ...fields,
  });
  const changes = [
    change(number, {}),
    ...(number > 1 ? [change(number - 1, { change: 'exited', was: 1, now: 0 })] : []),
  ];
  const at = number * 1_000;
  const data = {
    snapshot: number,
    environment,
    type: 'docker',
    changes,
    observedAt: at,
    previousReportAt: at,
  } as const;
  return {
    event: { type: 'SnapshotRecorded', version: 1, data },
    meta: { org, stream: `environment/${environment}`, seq: number + 1, at, actor: 'reporter' },
  };
}

/** The first report of an artifact of the web shop. It has a repository and a template name. */
function report(org: string, fingerprint: string): RecordedEvent<ArtifactReported> {
  const first = { provenance: provenance('shop/web', { repo: repoNamed('shop'), reportedAt: 4_000 }), first: null };
  const data = { fingerprint, ...first, reported: fingerprint, externalUrls: {}, annotations: {} };
  return {
    event: { type: 'ArtifactReported', version: 1, data },
    meta: { org, stream: 'trail/build', seq: 1, at: 4_000, actor: 'reporter' },
  };
}

describe('the view of deployments', () => {
  let engine: Awaited<ReturnType<typeof openTemporary>>;
  beforeEach(async () => {
    engine = await openTemporary();
  });
  afterEach(() => engine.close());

  it('takes a snapshot that replaces an artifact in few steps of the store', async () => {
    expect(await stepsOf(snapshot('acme', 'prod', 3))).toBeLessThanOrEqual(6);
  });

  it('takes the report of an artifact that was replaced in few steps of the store', async () => {
    expect(await stepsOf(report('acme', 'prod-1'))).toBeLessThanOrEqual(12);
  });

  /** How many rounds a commit takes after two snapshots. */
  async function stepsOf(recorded: RecordedEvent): Promise<number> {
    const rounds = new Rounds();
    const documents = roundByRound(engine.engines.documents, rounds);
    for (const number of [1, 2]) await deploymentsView.take(documents, [snapshot('acme', 'prod', number)]);
    const before = rounds.count;
    await deploymentsView.take(documents, [recorded]);
    return rounds.count - before;
  }

  it.each([
    ['environments', () => 'acme'],
    ['organizations', (id: string) => `org of ${id}`],
  ])('takes snapshots of many %s in few more steps of the store than that of one', async (_of, orgOf) => {
    const rounds = new Rounds();
    const documents = roundByRound(engine.engines.documents, rounds);
    const names = Array.from({ length: 4 }, (_, i) => `env-${i}`);
    const roundsOf = async (...recorded: readonly RecordedEvent<SnapshotRecorded>[]): Promise<number> => {
      const before = rounds.count;
      await deploymentsView.take(documents, recorded);
      return rounds.count - before;
    };
    for (const number of [1, 2]) await roundsOf(snapshot('acme', 'alone', number));
    await roundsOf(...names.map((name) => snapshot(orgOf(name), name, 1)));
    const roundsOfOne = await roundsOf(snapshot('acme', 'alone', 3));
    const many = await roundsOf(...names.map((name) => snapshot(orgOf(name), name, 2)));
    expect(many).toBeLessThan(1.5 * roundsOfOne);
  });
});
