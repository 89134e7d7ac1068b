import type {
  ArtifactComponents,
  ComponentDifference,
  EnvironmentComponents,
  RunningComponent,
} from '@assurance/contracts/components/answers/components';
import type { Environment } from '@assurance/contracts/environments/documents';
import { findEnvironment } from '@assurance/environments/lookups/environments';
import { snapshotDropped, snapshotUnknown, unreadable } from '@assurance/environments/read/snapshots';
import { readSnappish, type Snappish } from '@assurance/environments/read/snapshots/expression';
import { readSnapshot } from '@assurance/environments/read/snapshots/read';
import { resolveExpression, snapshotAt } from '@assurance/environments/read/snapshots/resolve';
import { pageFields, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import { type Seen, Views } from '@assurance/event-sourcing/projection/views';
import { CLOCK, type Clock, PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import type { Refusal } from '@assurance/http';
import { queryBy } from '@assurance/http/queries';
import type { Caller } from '@assurance/http/query-caller';
import { no, ok, type Result } from '@assurance/kernel';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { componentsOf, type Inventory, MATCHES_MAX } from './components/find';
import { componentsView } from './components/follow';
import { unjudgedOf } from './components/without-sbom';

const FINGERPRINTS_SHOWN = 10;
const SNAPPISH_FORMS = "such as 'env', 'env#3', 'env~1', 'env@{2023-10-02T12:00:00}' or 'env@{5.hours.ago}'";

/** What some artifacts contain, and how many of them nobody can judge. */
interface Judged extends Inventory {
  readonly without_sbom: number;
  readonly incomplete_sbom: number;
}

/** What artifacts contain. */
async function inventoryOf(
  documents: Ports['documents'],
  org: string,
  fingerprints: readonly string[],
): Promise<Judged | 'too-many'> {
  const components = await componentsOf(documents, org, fingerprints);
  if (components === 'too-many') return components;
  const { withoutSbom, incompleteSbom } = await unjudgedOf(documents, org, fingerprints);
  return { components, without_sbom: withoutSbom, incomplete_sbom: incompleteSbom };
}

const keysOf = ({ components }: Inventory) => [...components.keys()].sort();
const pageOf = (keys: readonly string[], { page, perPage }: PageRequest) =>
  keys.slice((page - 1) * perPage, page * perPage);

function shown({ components }: Inventory, keys: readonly string[]): RunningComponent[] {
  return keys.flatMap((key) => {
    const one = components.get(key);
    if (one === undefined) return [];
    const fingerprints = [...one.artifacts].sort().slice(0, FINGERPRINTS_SHOWN);
    return [{ ...one.component, artifact_count: one.artifacts.size, fingerprints }];
  });
}

function tooMany(field: string): Refusal {
  return { kind: 'invalid', errors: { [field]: `It has more than ${MATCHES_MAX} different components` } };
}

/** The components of an artifact. */
export class ListArtifactComponents extends queryBy<
  { fingerprint: string; page: PageRequest },
  Result<Seen<ArtifactComponents>, Refusal>
>() {}

@QueryHandler(ListArtifactComponents)
export class ListArtifactComponentsHandler implements IQueryHandler<ListArtifactComponents> {
  constructor(private readonly views: Views) {}

  async execute({ caller, fingerprint, page }: ListArtifactComponents) {
    const { value, behind } = await this.views.read(componentsView, caller, (documents) =>
      inventoryOf(documents, caller.org.id, [fingerprint]),
    );
    if (value === 'too-many') return no(tooMany('fingerprint'));
    const { without_sbom, incomplete_sbom } = value;
    const keys = keysOf(value);
    const components = pageOf(keys, page).flatMap((key) => value.components.get(key)?.component ?? []);
    const counts = { ...pageFields(page, keys.length), without_sbom, incomplete_sbom };
    return ok({ value: { fingerprint, ...counts, components }, behind });
  }
}

/** The components of what runs in an environment, or ran at a time (epoch seconds). */
export class ListEnvironmentComponents extends queryBy<
  { environment: string; at: number | null; page: PageRequest },
  Result<Seen<EnvironmentComponents>, Refusal>
>() {}

@QueryHandler(ListEnvironmentComponents)
export class ListEnvironmentComponentsHandler implements IQueryHandler<ListEnvironmentComponents> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly views: Views,
  ) {}

  async execute({ caller, environment: name, at, page }: ListEnvironmentComponents) {
    const found = await findEnvironment(this.ports, caller.org, name);
    if (!found.ok) return found;
    const { events } = this.ports;
    const index = at === null ? found.value.snapshot : await snapshotAt(events, found.value, at * 1_000);
    const read = index === 0 ? null : await readSnapshot(events, found.value, index);
    if (read === 'dropped') {
      const expression = { kind: 'index', text: `#${index}`, index } as const;
      return no(snapshotDropped({ environment: name, expression }, index));
    }
    const fingerprints = fingerprintsIn(read?.snapshot.artifacts ?? []);
    const { value, behind } = await this.views.read(componentsView, caller, (documents) =>
      inventoryOf(documents, caller.org.id, fingerprints),
    );
    if (value === 'too-many') return no(tooMany('env'));
    const { without_sbom, incomplete_sbom } = value;
    const keys = keysOf(value);
    const counts = { ...pageFields(page, keys.length), without_sbom, incomplete_sbom };
    const components = shown(value, pageOf(keys, page));
    return ok({ value: { environment: found.value.name, snapshot: index, ...counts, components }, behind });
  }
}

/** The difference of two snapshots in components. */
export class CompareComponents extends queryBy<
  { snappish1: string; snappish2: string; page: PageRequest },
  Result<Seen<ComponentDifference>, Refusal>
>() {}

/** A snapshot that is compared. */
interface Side {
  readonly id: string;
  readonly fingerprints: readonly string[];
}

@QueryHandler(CompareComponents)
export class CompareComponentsHandler implements IQueryHandler<CompareComponents> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly views: Views,
  ) {}

  async execute({ caller, snappish1, snappish2, page }: CompareComponents) {
    const one = await this.side(caller, 'snappish1', snappish1);
    if (!one.ok) return one;
    const two = await this.side(caller, 'snappish2', snappish2);
    if (!two.ok) return two;
    const { value, behind } = await this.views.read(componentsView, caller, async (documents) => [
      await inventoryOf(documents, caller.org.id, one.value.fingerprints),
      await inventoryOf(documents, caller.org.id, two.value.fingerprints),
    ]);
    const [before = 'too-many', after = 'too-many'] = value;
    if (before === 'too-many') return no(tooMany('snappish1'));
    if (after === 'too-many') return no(tooMany('snappish2'));
    const answer = ({ id }: Side, own: Judged, other: Judged) => {
      const keys = keysOf(own).filter((key) => !other.components.has(key));
      const { without_sbom, incomplete_sbom } = own;
      const counts = { without_sbom, incomplete_sbom, ...pageFields(page, keys.length) };
      return { snapshot_id: id, ...counts, components: shown(own, pageOf(keys, page)) };
    };
    const unchanged = keysOf(before).filter((key) => after.components.has(key)).length;
    const [first, second] = [answer(one.value, before, after), answer(two.value, after, before)];
    return ok({ value: { snappish1: first, snappish2: second, unchanged_count: unchanged }, behind });
  }

  private async side(caller: Caller, field: string, text: string): Promise<Result<Side, Refusal>> {
    const asked = readSnappish(text, this.clock.now());
    if (asked === null) return no(unreadable(field, SNAPPISH_FORMS, text));
    const found = await findEnvironment(this.ports, caller.org, asked.environment);
    if (!found.ok) return found;
    const environment = found.value;
    const index = await resolveExpression(this.ports.events, environment, asked.expression);
    return this.read(caller, asked, environment, index);
  }

  private async read(
    caller: Caller,
    asked: Snappish,
    environment: Environment,
    index: number,
  ): Promise<Result<Side, Refusal>> {
    const isThere = index >= 1 && index <= environment.snapshot;
    const read = isThere ? await readSnapshot(this.ports.events, environment, index) : null;
    if (read === 'dropped') return no(snapshotDropped(asked, index));
    if (read === null) return no(snapshotUnknown(caller, asked, index, environment.snapshot));
    return ok({ id: `${environment.name}#${index}`, fingerprints: fingerprintsIn(read.snapshot.artifacts) });
  }
}

/** Each once. One without a digest stands for itself: nobody knows what it contains. */
function fingerprintsIn(artifacts: readonly { readonly fingerprint: string; readonly name: string }[]): string[] {
  return [...new Set(artifacts.map(({ fingerprint, name }) => (fingerprint === '' ? `\n${name}` : fingerprint)))];
}
