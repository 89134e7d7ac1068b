import { type Aggregate, type DomainEvent, type NameKind, refuseUnknown, streams } from '@assurance/contracts-events';
import { PORTS, type Ports } from '@assurance/http';
import { no, ok, type Result } from '@assurance/kernel';
import {
  attestationType,
  type AttestationType,
  control,
  type Control,
  environment,
  type Environment,
  flow,
  type Flow,
  NO_SPACES,
  policy,
  type Policy,
  type Repo,
  type ServiceAccount,
  serviceAccount,
  shownIn,
  spaceTree,
  type SpaceTree,
  type TargetConfig,
  targetConfig,
  trail,
  type Trail,
} from '@assurance/model';
import { idsOf, reposById, reposNamed } from '@assurance/projection-views';
import { actorsOf, holderOf, type NameOf } from '@assurance/readers';
import { type Documents, getAll } from '@assurance/storage-ports';
import { commitsOf } from '@assurance/storage-records';
import { Inject, Injectable } from '@nestjs/common';

interface Org {
  readonly id: string;
  readonly name: string;
}

/** Aggregate states by name, for queries. Throws `UnknownEvent` if the stream has an event that this version does not know. */
@Injectable()
export class Lookups {
  private readonly documents: Documents;
  private readonly events: Ports['events'];

  constructor(@Inject(PORTS) { documents, events }: Ports) {
    this.documents = documents;
    this.events = events;
  }

  async environment(org: Org, name: string) {
    const state = await this.named(environment, org.id, name);
    if (state === null) return no({ kind: 'environment-unknown', org: org.name, name } as const);
    return state.archived ? no({ kind: 'environment-archived', name } as const) : ok<Environment>(state);
  }

  async flow(org: Org, name: string): Promise<Result<Flow, { kind: 'flow-unknown'; org: string; name: string }>> {
    const state = await this.named(flow, org.id, name);
    return state === null ? no({ kind: 'flow-unknown', org: org.name, name }) : ok(state);
  }

  /** A custom attestation type by its name, archived ones too. */
  async attestationType(org: Org, name: string) {
    const state = await this.named(attestationType, org.id, name);
    if (state === null) return no({ kind: 'attestation-type-unknown', org: org.name, name } as const);
    return ok<AttestationType>(state);
  }

  /** A control by its identifier, archived ones too. */
  async control(org: Org, identifier: string) {
    const state = await this.named(control, org.id, identifier);
    return state === null ? no({ kind: 'control-unknown', org: org.name, identifier } as const) : ok<Control>(state);
  }

  async policy(org: Org, name: string) {
    const state = await this.named(policy, org.id, name);
    return state === null ? no({ kind: 'policy-unknown', org: org.name, name } as const) : ok<Policy>(state);
  }

  /** Names of policies by their ids. */
  async policyNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const states = await getAll(this.documents.collection(policy.states), ids.map(streams.policy));
    return new Map([...states.values()].map(({ id, name }) => [id, name]));
  }

  /** All spaces of an organization. */
  async spaces(org: Pick<Org, 'id'>): Promise<Pick<SpaceTree, 'spaces'>> {
    return (await this.documents.collection(spaceTree.states).get(streams.spaces(org.id))) ?? NO_SPACES;
  }

  /** The id of the space in which something is shown, by that of the space that it was put into. */
  async shownIn(org: Pick<Org, 'id'>): Promise<(space?: string) => string> {
    const tree = await this.spaces(org);
    return (space) => shownIn(tree, space);
  }

  /** Deleted ones are unknown. */
  async serviceAccount(org: Org, name: string) {
    const state = await this.named(serviceAccount, org.id, name);
    if (state === null || state.deleted) return no({ kind: 'service-account-unknown' } as const);
    return ok<ServiceAccount>(state);
  }

  /** Deleted ones are unknown. */
  async targetConfig(org: Org, name: string) {
    const state = await this.named(targetConfig, org.id, name);
    if (state === null || state.deleted) return no({ kind: 'target-config-unknown', name, org: org.name } as const);
    return ok<TargetConfig>(state);
  }

  /** A trail of a flow. */
  async trail(org: Org, flow: Flow, name: string) {
    const stream = streams.trail(flow.id, name);
    const state = await this.known(stream, await this.documents.collection(trail.states).get(stream));
    if (state === null) return no({ kind: 'trail-unknown', name, org: org.name, flow: flow.name } as const);
    return ok<Trail>(state);
  }

  /** Names of those who acted, for one answer: each is looked up once. */
  actors(): NameOf {
    return actorsOf(this.documents);
  }

  /** Environments by id, archived ones too. */
  async environments(ids: readonly string[]): Promise<ReadonlyMap<string, Environment>> {
    const states = await getAll(this.documents.collection(environment.states), ids.map(streams.environment));
    return new Map([...states.values()].map((state) => [state.id, state]));
  }

  /** Ids of environments by exact name; unknown names are left out. */
  async environmentIds(org: Org, names: readonly string[]): Promise<string[]> {
    const held = await Promise.all(names.map((name) => holderOf(this.documents, org.id, 'environment', name)));
    const ids = held.filter((id) => id !== null);
    const states = await getAll(this.documents.collection(environment.states), ids.map(streams.environment));
    return [...new Set(ids.flatMap((id) => states.get(streams.environment(id))?.includedEnvironments ?? [id]))];
  }

  /** A repository of the organization by its internal id, or by that of one that was joined to it. */
  async repo(org: Org, id: string): Promise<Repo | null> {
    const state = (await reposById(this.documents, [id])).get(id);
    return state?.org === org.id ? state : null;
  }

  /** Ids under which events know the repositories of this name: several may share one. */
  async reposNamed(org: Org, name: string): Promise<string[]> {
    return (await reposNamed(this.documents, { org: org.id, name })).flatMap(idsOf);
  }

  private async named<State extends object>(
    aggregate: Aggregate<State, DomainEvent, NameKind>,
    org: string,
    name: string,
  ) {
    const id = await holderOf(this.documents, org, aggregate.kind, name);
    if (id === null) return null;
    const stream = `${aggregate.kind}/${id}`;
    return this.known(stream, await this.documents.collection(aggregate.states).get(stream));
  }

  /**
   * @throws UnknownEvent if a newer version of the service wrote the events after the state. This version cannot compute the newest
   *   state.
   */
  private async known<State extends { readonly seq: number }>(
    stream: string,
    state: State | null,
  ): Promise<State | null> {
    for await (const commit of commitsOf(this.events, stream, (state?.seq ?? 0) + 1)) refuseUnknown(commit);
    return state;
  }
}
