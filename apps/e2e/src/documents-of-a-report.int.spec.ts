import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { holderOf } from '@assurance/access/lookups/named';
import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import type { ReportItem } from '@assurance/environments/domain/difference';
import { PutEnvironment } from '@assurance/environments/write/put-environment';
import { ReportRunning } from '@assurance/environments/write/report-running';
import { followViews } from '@assurance/event-sourcing/projection/follow-views';
import { Generations } from '@assurance/event-sourcing/projection/generations';
import { liveFollowers } from '@assurance/event-sourcing/projection/live-followers';
import { recordChanges } from '@assurance/event-sourcing/projection/note-changes';
import { CheckpointCache } from '@assurance/event-sourcing/projection/view-checkpoints';
import type { Ports } from '@assurance/event-sourcing/tokens';
import { type RoleUnderTest, startRole } from '@assurance/http/testing';
import { ingestion } from '@assurance/ingestion/role';
import { sha256 } from '@assurance/kernel';
import { views } from '@assurance/projection/views';
import { openMongo } from '@assurance/storage/mongodb';
import type { Commit } from '@assurance/storage-ports';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import { freshMongodb } from '@assurance/testing/engines/mongodb';
import { type Db, MongoClient } from 'mongodb';

const ARTIFACTS = 10;
/** Environments whose reports come together. */
const NAMES = Array.from({ length: 32 }, (_, i) => `prod-${i}`);
/** After so many reports merges expect what they find. */
const ENOUGH = 8;
const NOTED_BYTES = 64 * 1024 * 1024;
const DAY_MS = 86_400_000;

/** What MongoDB noted of one operation. A command that updates several documents is noted once for each. */
interface ProfiledCommand {
  readonly op: string;
  readonly ns: string;
  readonly ninserted?: number;
  readonly nModified?: number;
  readonly nUpserted?: number;
  readonly ndeleted?: number;
}

/** What commits make MongoDB write, and not the time: due work, sweeps, measured storage and notes of the last report are left out. */
const COUNTED = /^(commits|data|documents_(environments|ran|running|changes|taken_|view_|progress_))/;

/** What a single report writes in a batch of its own. */
const ALONE = {
  commits: 1,
  documents_environments: 1,
  documents_running: 2,
  documents_view_deployments: 1,
  documents_view_departures: 1,
  documents_view_environment_events: 2,
  documents_view_deployment_counts: 4,
  documents_taken_streams: 1,
  documents_view_event_feed: 1,
  documents_changes: 1,
};

const item = (version: number): ReportItem => ({
  digests: [[`registry.example.com/shop/service-${version}:1.4.${version}`, sha256(`service ${version}`)]],
  creationTimestamp: 1_700_000_000 + version,
});

/**
 * The documents of a changed report on MongoDB, by collection (docs/benchmarks.md). They cost more than anything else of it, so a number that grows
 * needs a reason.
 */
describe('a report that replaces one of ten artifacts', () => {
  const own = freshMongodb();
  const client = new MongoClient(own.url, { runtimeAdapters: { os }, enableUtf8Validation: false });
  let db: Db;
  let temporary: Awaited<ReturnType<typeof openTemporary>>;
  let mongo: Awaited<ReturnType<typeof openMongo>>;
  let role: RoleUnderTest;
  let caller: ReportRunning['caller'];
  let take: (batch: readonly Commit[]) => Promise<void>;
  /** The environments' streams, with the last seq that the views took. */
  const taken = new Map<string, number>();

  beforeAll(async () => {
    db = client.db(own.database);
    temporary = await openTemporary();
    const sources = { now: Date.now, steady: () => performance.now(), random: randomBytes };
    mongo = await openMongo({ ...own, ...sources });
    // This spec takes the batches itself, so that it can count them.
    const ports: Ports = { ...mongo, feed: temporary.engines.feed };
    const users = [{ name: 'ada', email: 'ada@acme.test', apiKeys: [], enforce: false }];
    const members = [{ user: 'ada', role: 'admin', enforce: false }] as const;
    const organizations = [{ name: 'acme', members, serviceAccounts: [] }];
    role = await startRole(ingestion, ports, { bootstrap: { kind: 'file', users, organizations } });
    const idOf = async (name: string) => (await holderOf(mongo.documents, NO_ORGANIZATION, 'account', name)) ?? '';
    caller = { org: { id: await idOf('acme'), name: 'acme' }, actor: await idOf('ada'), correlation: 'spec' };
    const [cache, generations] = [new CheckpointCache(), new Generations(ports)];
    take = async (batch) => {
      const { followers, written } = await liveFollowers(generations, views, cache);
      await followViews(mongo.events, followers, batch, written);
      await recordChanges(mongo.documents, batch);
    };
    for (const name of NAMES) {
      const command = { caller, input: { name, type: 'docker' as const }, mayUpdate: true };
      await role.commands.execute(new PutEnvironment(command));
      await report(name, ARTIFACTS);
      taken.set(streams.environment((await holderOf(mongo.documents, caller.org.id, 'environment', name)) ?? ''), 0);
    }
    for (let i = 1; i <= ENOUGH; i += 1) {
      await takeAll();
      await report('prod-0', ARTIFACTS + i);
    }
    await takeAll();
  });

  afterAll(async () => {
    await role.close();
    await mongo.close();
    await temporary.close();
    await client.close();
  });

  async function report(name: string, version: number): Promise<void> {
    const others = Array.from({ length: ARTIFACTS - 1 }, (_, i) => item(i));
    await role.commands.execute(new ReportRunning(caller, name, 'docker', [...others, item(version)]));
  }

  /** Gives the views all commits of environments that they do not have, as one batch. */
  async function takeAll(): Promise<void> {
    const batch: Commit[] = [];
    for (const [stream, seq] of taken) {
      const commits = await mongo.events.read(stream, seq + 1, 100);
      batch.push(...commits);
      taken.set(stream, seq + commits.length);
    }
    await take(batch);
  }

  /** What MongoDB did for a step: documents written, collections with a command that inserts, and reads of views. */
  async function noted(step: () => Promise<void>) {
    await db.dropCollection('system.profile').catch(() => undefined);
    await db.createCollection('system.profile', { capped: true, size: NOTED_BYTES });
    await db.command({ profile: 2 });
    try {
      await step();
    } finally {
      await db.command({ profile: 0 });
    }
    const written: Record<string, number> = {};
    const inserts = new Set<string>();
    let reads = 0;
    for (const profile of await db.collection<ProfiledCommand>('system.profile').find().toArray()) {
      const name = profile.ns.slice(own.database.length + 1);
      const { ninserted = 0, nModified = 0, nUpserted = 0, ndeleted = 0 } = profile;
      const count = ninserted + nModified + nUpserted + ndeleted;
      if (count > 0 && COUNTED.test(name)) written[name] = (written[name] ?? 0) + count;
      if (profile.op === 'insert') inserts.add(name);
      if (profile.op === 'query' && /^documents_(view_|taken_)/.test(name)) reads += 1;
    }
    return { written, inserts, reads };
  }

  it('by a new one writes these documents, alone', async () => {
    const { written, inserts, reads } = await noted(async () => {
      await report('prod-0', 100);
      await takeAll();
    });
    expect(written).toEqual({ ...ALONE, documents_view_component_artifacts: 1 });
    expect(reads).toBeLessThanOrEqual(11);
    // What starts and what leaves is one command.
    expect(inserts).not.toContain('documents_running');
  });

  it('by one that ran before writes these documents, alone', async () => {
    const { written, inserts, reads } = await noted(async () => {
      await report('prod-0', ARTIFACTS + 1);
      await takeAll();
    });
    expect(written).toEqual(ALONE);
    expect(reads).toBeLessThanOrEqual(14);
    // Of an artifact that ran before, the view of components has its rows.
    for (const name of ['documents_running', 'documents_view_component_artifacts']) expect(inserts).not.toContain(name);
  });

  it('writes fewer with others, as checkpoints and counts are written once for all', async () => {
    const begun = Date.now();
    const { written } = await noted(async () => {
      for (const version of [201, 202]) await Promise.all(NAMES.map((name) => report(name, version)));
      await takeAll();
    });
    const { documents_view_deployment_counts: counts = 0, documents_view_event_feed: feed = 0, ...others } = written;
    const reports = 2 * NAMES.length;
    expect(others).toEqual({
      commits: reports,
      documents_environments: reports,
      documents_running: 2 * reports,
      documents_view_deployments: reports,
      documents_view_departures: reports,
      documents_view_environment_events: 2 * reports,
      // Two artifacts, each in the environment in which it ran first, and a row for every other one.
      documents_view_component_artifacts: 2,
      documents_view_component_artifact_scopes: reports - 2,
      documents_taken_streams: NAMES.length,
      documents_changes: 1,
    });
    // Of each environment and of the organization, a day and a period.
    const days = new Set([begun, Date.now()].map((at) => Math.floor(at / DAY_MS))).size;
    expect(counts).toBeLessThanOrEqual(days * 2 * (NAMES.length + 1));
    expect(feed).toBeLessThanOrEqual(2);
  });
});
