import { type NameKind, streams } from '@assurance/contracts-events';
import { no, ok, type Result } from '@assurance/kernel';
import { name as register, type ServiceAccount, serviceAccount, user } from '@assurance/model-access';
import { attestationType, type AttestationType } from '@assurance/model-attestation-type';
import { control, type Control } from '@assurance/model-control';
import { environment, type Environment } from '@assurance/model-environment';
import { flow, type Flow, trail, type Trail } from '@assurance/model-flow';
import { type TargetConfig, targetConfig } from '@assurance/model-notification';
import { policy, type Policy } from '@assurance/model-policy';
import { repo, type Repo } from '@assurance/model-repo';
import { matching } from '@assurance/projection-views';
import { type Documents, getAll } from '@assurance/storage-ports';

interface Org {
  readonly id: string;
  readonly name: string;
}

/** Heads by name, for queries. */
export class Lookups {
  constructor(private readonly documents: Documents) {}

  async environment(org: Org, name: string) {
    const found = await this.byName(org.id, 'environment', name);
    const head =
      found === null ? null : await this.documents.collection(environment.heads).get(streams.environment(found));
    if (head === null) return no({ kind: 'environment-unknown', org: org.name, name } as const);
    return head.archived ? no({ kind: 'environment-archived', name } as const) : ok<Environment>(head);
  }

  async flow(org: Org, name: string): Promise<Result<Flow, { kind: 'flow-unknown'; org: string; name: string }>> {
    const found = await this.byName(org.id, 'flow', name);
    const head = found === null ? null : await this.documents.collection(flow.heads).get(streams.flow(found));
    return head === null ? no({ kind: 'flow-unknown', org: org.name, name }) : ok(head);
  }

  /** A custom attestation type by its name, archived ones too. */
  async attestationType(org: Org, name: string) {
    const found = await this.byName(org.id, 'attestation-type', name);
    const heads = this.documents.collection(attestationType.heads);
    const head = found === null ? null : await heads.get(streams.attestationType(found));
    if (head === null) return no({ kind: 'attestation-type-unknown', org: org.name, name } as const);
    return ok<AttestationType>(head);
  }

  /** A control by its identifier, archived ones too. */
  async control(org: Org, identifier: string) {
    const found = await this.byName(org.id, 'control', identifier);
    const head = found === null ? null : await this.documents.collection(control.heads).get(streams.control(found));
    return head === null ? no({ kind: 'control-unknown', org: org.name, identifier } as const) : ok<Control>(head);
  }

  async policy(org: Org, name: string) {
    const found = await this.byName(org.id, 'policy', name);
    const head = found === null ? null : await this.documents.collection(policy.heads).get(streams.policy(found));
    return head === null ? no({ kind: 'policy-unknown', org: org.name, name } as const) : ok<Policy>(head);
  }

  /** Names of policies by their ids. */
  async policyNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const heads = await getAll(this.documents.collection(policy.heads), ids.map(streams.policy));
    return new Map([...heads.values()].map(({ id, name }) => [id, name]));
  }

  /** Deleted ones are unknown. */
  async serviceAccount(org: Org, name: string) {
    const found = await this.byName(org.id, 'service-account', name);
    const heads = this.documents.collection(serviceAccount.heads);
    const head = found === null ? null : await heads.get(streams.serviceAccount(found));
    if (head === null || head.deleted) return no({ kind: 'service-account-unknown' } as const);
    return ok<ServiceAccount>(head);
  }

  /** Deleted ones are unknown. */
  async targetConfig(org: Org, name: string) {
    const found = await this.byName(org.id, 'target-config', name);
    const heads = this.documents.collection(targetConfig.heads);
    const head = found === null ? null : await heads.get(streams.targetConfig(found));
    if (head === null || head.deleted) return no({ kind: 'target-config-unknown', name, org: org.name } as const);
    return ok<TargetConfig>(head);
  }

  /** A trail of a flow. */
  async trail(org: Org, flow: Flow, name: string) {
    const head = await this.documents.collection(trail.heads).get(streams.trail(flow.id, name));
    if (head === null) return no({ kind: 'trail-unknown', name, org: org.name, flow: flow.name } as const);
    return ok<Trail>(head);
  }

  /** The name of whoever acted: a user, a service account, or the word itself (`bootstrap`). */
  async actor(id: string): Promise<string> {
    const known = await this.documents.collection(user.heads).get(streams.user(id));
    if (known !== null) return known.name;
    return (await this.documents.collection(serviceAccount.heads).get(streams.serviceAccount(id)))?.name ?? id;
  }

  /** `actor`, each looked up once. */
  actors(): (id: string) => Promise<string> {
    const known = new Map<string, Promise<string>>();
    return (id) => {
      const name = known.get(id) ?? this.actor(id);
      known.set(id, name);
      return name;
    };
  }

  /** Environments by id, archived ones too. */
  async environments(ids: readonly string[]): Promise<ReadonlyMap<string, Environment>> {
    const heads = await getAll(this.documents.collection(environment.heads), ids.map(streams.environment));
    return new Map([...heads.values()].map((head) => [head.id, head]));
  }

  /** Ids of environments by exact name; unknown names are left out. */
  async environmentIds(org: Org, names: readonly string[]): Promise<string[]> {
    const ids = await Promise.all(names.map((name) => this.byName(org.id, 'environment', name)));
    return [...new Set(ids.filter((id) => id !== null))];
  }

  /** A repository of the organization by its internal id. */
  async repo(org: Org, id: string): Promise<Repo | null> {
    const head = await this.documents.collection(repo.heads).get(streams.repo(id));
    return head?.org === org.id ? head : null;
  }

  /** Ids of all repositories of exactly this name: several may share one. */
  async reposNamed(org: Org, name: string): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of matching(this.documents, { org: org.id, name })) ids.push(id);
    return ids;
  }

  private async byName(org: string, kind: NameKind, name: string): Promise<string | null> {
    const head = await this.documents.collection(register.heads).get(streams.name(org, kind, name));
    return head?.id ?? null;
  }
}
