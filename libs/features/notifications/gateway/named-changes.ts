import { ExpiringCache } from '@assurance/access/gateway/expiring-cache';
import { keyOf, kindOf } from '@assurance/contracts/events/streams';
import { environment } from '@assurance/environments/domain/environment';
import type { Clock } from '@assurance/event-sourcing/tokens';
import { attestationType } from '@assurance/evidence/domain/attestation-type';
import { flow } from '@assurance/flows/domain/flow';
import { repo } from '@assurance/flows/domain/repo';
import { control } from '@assurance/policies/domain/control';
import { policy } from '@assurance/policies/domain/policy';
import type { CollectionDefinition, Documents } from '@assurance/storage-ports';

/** How long a name is cached (milliseconds), because aggregate states of environments are large. */
const NAMED_MS = 30_000;
const REMEMBERED_MAX = 10_000;

/** The states of aggregates that have a name, by the kind of their streams. */
const NAMED = new Map<string, CollectionDefinition<{ readonly name: string }>>([
  ['environment', environment.states],
  ['flow', flow.states],
  ['policy', policy.states],
  ['attestation-type', attestationType.states],
  ['repo', repo.states],
]);

/** A changed aggregate by its name. */
export interface NamedChange {
  readonly kind: string;
  readonly name: string | null;
  /** For a trail: the name of its flow. */
  readonly flow?: string | null;
}

/** Replaces streams by the names of their aggregates. */
export class NamedChanges {
  private readonly names = new ExpiringCache<string | null>(NAMED_MS, REMEMBERED_MAX);

  constructor(
    private readonly documents: Pick<Documents, 'collection'>,
    private readonly clock: Pick<Clock, 'steady'>,
  ) {}

  of(streams: readonly string[]): Promise<NamedChange[]> {
    return Promise.all(streams.map((stream) => this.change(stream)));
  }

  private async change(stream: string): Promise<NamedChange> {
    const kind = kindOf(stream);
    const [first = '', ...rest] = keyOf(stream).split('/');
    if (kind === 'trail' || kind === 'artifact') {
      return { kind, name: rest.join('/'), flow: await this.name(`flow/${first}`) };
    }
    if (kind === 'notification') return { kind, name: rest.join('/') };
    return { kind, name: await this.name(stream) };
  }

  private async name(stream: string): Promise<string | null> {
    const now = this.clock.steady();
    const cachedName = this.names.get(stream, now);
    if (cachedName !== undefined) return cachedName;
    const name = await this.lookUpName(stream);
    this.names.set(stream, name, now);
    return name;
  }

  private async lookUpName(stream: string): Promise<string | null> {
    const kind = kindOf(stream);
    if (kind === 'control') return (await this.documents.collection(control.states).get(stream))?.identifier ?? null;
    const states = NAMED.get(kind);
    return states === undefined ? null : ((await this.documents.collection(states).get(stream))?.name ?? null);
  }
}
