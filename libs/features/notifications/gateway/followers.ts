import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Revocations } from '@assurance/access/gateway/revocations';
import { Sessions } from '@assurance/access/gateway/session/sessions';
import { routes } from '@assurance/contracts/http/routes/routes';
import { changedSince, type Changes, changes } from '@assurance/event-sourcing/projection/changes';
import {
  CLOCK,
  type Clock,
  LOGGER,
  type Logger,
  PORTS,
  type Ports,
  SETTINGS,
  type Settings,
} from '@assurance/event-sourcing/tokens';
import { type Identity, RefusalError, SECRET_BOX, type SecretBox, type ShareOwner, Shares } from '@assurance/http';
import { groupBy, yieldToOthers } from '@assurance/kernel';
import { getAll } from '@assurance/storage-ports';
import { Follower } from './follower';
import { NamedChanges } from './named-changes';
import { readableStreams } from './readable';

/** How often this gateway checks for changes, for all followers together (milliseconds). */
const LOOK_MS = 1_000;
const BEAT_MS = 15_000;
/** How many connections may be open at one gateway. */
const FOLLOWERS_MAX = { caller: 50, organization: 500, gateway: 2_000 } as const;
/** The share of all connections that one holder of organizations may have while no other holder has any. */
const ALONE = 3 / 4;

/** Sends the changes of an organization to its followers. It checks for changes once a second for all of them. */
@Injectable()
export class Followers implements OnModuleInit {
  private readonly followers = new Set<Follower>();
  private readonly revocations: Revocations;
  private readonly shares = new Shares(FOLLOWERS_MAX.gateway, ALONE);
  private readonly counts = { caller: new Map<string, number>(), organization: new Map<string, number>() };
  private readonly pendingReads = new Map<string, Promise<Changes | null>>();
  private readonly namedChanges: NamedChanges;
  private timer: NodeJS.Timeout | null = null;
  private looks = 0;
  private stopped = false;

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(SETTINGS) settings: Settings,
    @Inject(SECRET_BOX) box: SecretBox,
  ) {
    const sessions = new Sessions(box, settings, clock);
    const { documents } = ports;
    this.revocations = new Revocations(documents, clock, logger, (session) => sessions.endsOf(session).latest);
    this.namedChanges = new NamedChanges(documents, clock);
  }

  onModuleInit(): void {
    // This runs before the server waits for open connections to close.
    this.host.httpAdapter.getInstance<FastifyInstance>().addHook('preClose', (done) => {
      this.stopped = true;
      this.revocations.stop();
      for (const follower of this.followers) follower.end();
      done();
    });
  }

  /**
   * @param lastRevision the last revision that the caller received; null: the caller gets only new changes
   * @throws RefusalError `too-many-followers`
   */
  async follow(identity: Identity, lastRevision: number | null): Promise<Follower> {
    // Hundreds of followers may connect in one round of the event loop.
    await yieldToOthers();
    const owner = this.closeForNew(identity);
    const follower = new Follower(identity, lastRevision ?? 0);
    this.followers.add(follower);
    this.count(follower, 1);
    const leave = this.revocations.watch(identity, routes.followChanges, () => follower.end());
    follower.stream.once('close', () => {
      this.followers.delete(follower);
      this.count(follower, -1);
      leave();
      this.shares.release(owner, 1);
    });
    try {
      const current = await this.current(identity.org.id);
      if (lastRevision === null) follower.revision = current?.revision ?? 0;
      follower.send('ready', {});
      if (current !== null) await this.sendChange(follower, current);
    } catch (fault) {
      follower.stream.destroy();
      throw fault;
    }
    follower.ready = true;
    if (this.stopped) follower.end();
    else this.timer ??= this.schedule();
    return follower;
  }

  /** The changes of an organization, now or a moment ago. Concurrent callers share one read. */
  private current(org: string): Promise<Changes | null> {
    const pendingRead =
      this.pendingReads.get(org) ??
      this.ports.documents
        .collection(changes)
        .get(org)
        .finally(() => this.pendingReads.delete(org));
    this.pendingReads.set(org, pendingRead);
    return pendingRead;
  }

  private closeForNew({ principal, org, holder }: Identity): ShareOwner {
    const of = { caller: principal.id, organization: org.id };
    for (const scope of ['caller', 'organization'] as const) {
      const limit = FOLLOWERS_MAX[scope];
      if ((this.counts[scope].get(of[scope]) ?? 0) < limit) continue;
      throw new RefusalError({ kind: 'too-many-followers', whose: scope, limit });
    }
    const owner: ShareOwner = { holder: holder ?? org.id, caller: null };
    const refusal = this.shares.reserve(owner, 1);
    if (refusal !== null) {
      const [whose, limit] =
        refusal === 'all' ? (['gateway', FOLLOWERS_MAX.gateway] as const) : (['holder', refusal.limit] as const);
      throw new RefusalError({ kind: 'too-many-followers', whose, limit });
    }
    return owner;
  }

  private count({ identity: { principal, org } }: Follower, more: 1 | -1): void {
    add(this.counts.caller, principal.id, more);
    add(this.counts.organization, org.id, more);
  }

  private async poll(): Promise<void> {
    this.looks += 1;
    try {
      if (this.looks % (BEAT_MS / LOOK_MS) === 0) for (const follower of this.followers) follower.sendHeartbeat();
      await this.sendChanges();
    } catch (err) {
      this.logger.warn({ err }, 'changes could not be read; followers get them later');
    }
    this.timer = this.followers.size === 0 || this.stopped ? null : this.schedule();
  }

  private schedule(): NodeJS.Timeout {
    return setTimeout(() => void this.poll(), LOOK_MS).unref();
  }

  private async sendChanges(): Promise<void> {
    const organizations = groupBy(
      [...this.followers].filter(({ ready }) => ready),
      ({ identity }) => identity.org.id,
    );
    for (const [id, current] of await getAll(this.ports.documents.collection(changes), organizations.keys())) {
      for (const follower of organizations.get(id) ?? []) await this.sendChange(follower, current);
    }
  }

  private async sendChange(follower: Follower, current: Changes): Promise<void> {
    if (current.revision === follower.revision) return;
    const streams = changedSince(current, follower.revision);
    follower.revision = current.revision;
    if (streams === null) return follower.send('changed', { changed: null });
    const readable = await readableStreams(streams, follower.identity.principal, this.ports.documents);
    if (readable.length > 0) follower.send('changed', { changed: await this.namedChanges.of(readable) });
  }
}

function add(counts: Map<string, number>, key: string, more: number): void {
  const count = (counts.get(key) ?? 0) + more;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
