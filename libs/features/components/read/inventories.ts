import type {
  ArtifactComponents,
  ComponentDifference,
  EnvironmentComponents,
  RunningComponent,
} from '@assurance/contracts/components/answers/components';
import { findEnvironment } from '@assurance/environments/lookups/environments';
import { droppedSnapshotRefusal, unreadableExpression } from '@assurance/environments/read/snapshots';
import { readSnappish, SNAPPISH_FORMS } from '@assurance/environments/read/snapshots/expression';
import { locateSnapshot, readLocatedSnapshot } from '@assurance/environments/read/snapshots/located-snapshot';
import { readSnapshot } from '@assurance/environments/read/snapshots/replay';
import { snapshotAt } from '@assurance/environments/read/snapshots/resolve';
import { numberedPage, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import type { Ports } from '@assurance/event-sourcing/tokens';
import type { Refusal } from '@assurance/http';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import { type Caller, siteOf } from '@assurance/http/query-caller';
import { err, isoOf, ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { componentsAddress } from './address';
import { componentKey } from './components/find';
import { componentsView } from './components/follow';
import { type Inventory, inventoryOf } from './components/inventory';
import { countUnjudgedAmong, isKnownArtifact, unjudgedAnswer } from './components/without-sbom';

const FINGERPRINTS_SHOWN = 10;

/** What artifacts contain, and how many of them nobody can judge. */
interface JudgedInventory {
  readonly inventory: Inventory;
  readonly unjudged: ReturnType<typeof unjudgedAnswer>;
}

async function judgedInventoryOf(
  documents: Ports['documents'],
  org: string,
  fingerprints: readonly string[],
): Promise<JudgedInventory | 'too-many'> {
  const inventory = await inventoryOf(documents, org, fingerprints);
  if (inventory === 'too-many') return inventory;
  return { inventory, unjudged: unjudgedAnswer(await countUnjudgedAmong(documents, org, fingerprints)) };
}

const pageOf = (keys: readonly string[], { page, perPage }: PageRequest) =>
  keys.slice((page - 1) * perPage, page * perPage);

async function runningComponents(
  documents: Ports['documents'],
  org: string,
  inventory: Inventory,
  keys: readonly string[],
): Promise<RunningComponent[]> {
  const components: RunningComponent[] = [];
  for (const component of await inventory.readComponents(documents, org, keys)) {
    const all = await inventory.artifactsWith(componentKey(component));
    components.push({ ...component, artifact_count: all.length, fingerprints: all.slice(0, FINGERPRINTS_SHOWN) });
  }
  return components;
}

function tooManyRefusal(field: string, instead: string): Refusal {
  return { kind: 'invalid', errors: { [field]: `It has more components than one answer can be made of. ${instead}` } };
}

const SEARCH = 'Search for one component: GET /components/{org}';
const ONE_BY_ONE = `List those of one artifact: GET /components/{org}/artifacts/{fingerprint}. ${SEARCH.replace('Search', 'Or search')}`;

/** The components of an artifact. */
export class ListArtifactComponents extends queryBy<
  { fingerprint: string; page: PageRequest },
  Result<ViewAnswer<ArtifactComponents>, Refusal>
>() {}

@QueryHandler(ListArtifactComponents)
export class ListArtifactComponentsHandler extends ViewHandler implements IQueryHandler<ListArtifactComponents> {
  async execute({ caller, fingerprint, page }: ListArtifactComponents) {
    const org = caller.org.id;
    const address = componentsAddress(siteOf(this.settings, caller), 'artifacts', fingerprint);
    const { value, behind } = await this.views.read(componentsView, caller, async (documents) => {
      if (!(await isKnownArtifact(documents, org, fingerprint))) return null;
      const judgedInventory = await judgedInventoryOf(documents, org, [fingerprint]);
      if (judgedInventory === 'too-many') return judgedInventory;
      const { inventory, unjudged } = judgedInventory;
      const components = await inventory.readComponents(documents, org, pageOf(inventory.keys, page));
      return { fingerprint, ...numberedPage(address, {}, page, inventory.size), ...unjudged, components };
    });
    if (value === null) return err({ kind: 'fingerprint-unknown', fingerprint } as const);
    return value === 'too-many' ? err(tooManyRefusal('fingerprint', SEARCH)) : ok({ value, behind });
  }
}

/** The components of the artifacts that run in an environment, or ran there at a time (epoch seconds). */
export class ListEnvironmentComponents extends queryBy<
  { environment: string; at: number | null; page: PageRequest },
  Result<ViewAnswer<EnvironmentComponents>, Refusal>
>() {}

@QueryHandler(ListEnvironmentComponents)
export class ListEnvironmentComponentsHandler extends ViewHandler implements IQueryHandler<ListEnvironmentComponents> {
  async execute({ caller, environment: name, at, page }: ListEnvironmentComponents) {
    const environment = await findEnvironment(this.ports, caller.org, name);
    if (!environment.ok) return environment;
    const { events } = this.ports;
    const index = at === null ? environment.value.snapshot : await snapshotAt(events, environment.value, at * 1_000);
    const read = index === 0 ? null : await readSnapshot(events, environment.value, index);
    if (read === 'dropped') {
      const expression = { kind: 'index', text: `#${index}`, index } as const;
      return err(droppedSnapshotRefusal({ environment: name, expression }, index));
    }
    const fingerprints = fingerprintsIn(read?.snapshot.artifacts ?? []);
    const org = caller.org.id;
    const address = componentsAddress(siteOf(this.settings, caller), 'environments', environment.value.name);
    const query = { at: at === null ? null : isoOf(at * 1_000) };
    const { value, behind } = await this.views.read(componentsView, caller, async (documents) => {
      const judgedInventory = await judgedInventoryOf(documents, org, fingerprints);
      if (judgedInventory === 'too-many') return judgedInventory;
      const { inventory, unjudged } = judgedInventory;
      const components = await runningComponents(documents, org, inventory, pageOf(inventory.keys, page));
      return { ...numberedPage(address, query, page, inventory.size), ...unjudged, components };
    });
    if (value === 'too-many') return err(tooManyRefusal('env', ONE_BY_ONE));
    return ok({ value: { environment: environment.value.name, snapshot: index, ...value }, behind });
  }
}

/** The difference of two snapshots in components. */
export class CompareComponents extends queryBy<
  { snappish1: string; snappish2: string; page: PageRequest },
  Result<ViewAnswer<ComponentDifference>, Refusal>
>() {}

/** A snapshot that is compared. */
interface ComparedSnapshot {
  readonly id: string;
  readonly fingerprints: readonly string[];
}

@QueryHandler(CompareComponents)
export class CompareComponentsHandler extends ViewHandler implements IQueryHandler<CompareComponents> {
  async execute({ caller, snappish1, snappish2, page }: CompareComponents) {
    const result = await this.side(caller, 'snappish1', snappish1);
    if (!result.ok) return result;
    const two = await this.side(caller, 'snappish2', snappish2);
    if (!two.ok) return two;
    const org = caller.org.id;
    const address = componentsAddress(siteOf(this.settings, caller), 'compare');
    const { value, behind } = await this.views.read(componentsView, caller, async (documents) => {
      const before = await judgedInventoryOf(documents, org, result.value.fingerprints);
      if (before === 'too-many') return 'snappish1';
      const after = await judgedInventoryOf(documents, org, two.value.fingerprints);
      if (after === 'too-many') return 'snappish2';
      const listOnly = async ({ id }: ComparedSnapshot, { inventory, unjudged }: JudgedInventory, other: Inventory) => {
        const keys = inventory.keys.filter((key) => !other.has(key));
        const components = await runningComponents(documents, org, inventory, pageOf(keys, page));
        const pages = numberedPage(address, { snappish1, snappish2 }, page, keys.length);
        return { snapshot_id: id, ...unjudged, ...pages, components };
      };
      return {
        snappish1: await listOnly(result.value, before, after.inventory),
        snappish2: await listOnly(two.value, after, before.inventory),
        unchanged_count: before.inventory.keys.filter((key) => after.inventory.has(key)).length,
      };
    });
    if (typeof value === 'string') return err(tooManyRefusal(value, ONE_BY_ONE));
    return ok({ value, behind });
  }

  private async side(caller: Caller, field: string, text: string): Promise<Result<ComparedSnapshot, Refusal>> {
    const snappish = readSnappish(text, this.clock.now());
    if (snappish === null) return err(unreadableExpression(field, SNAPPISH_FORMS, text));
    const locatedSnapshot = await locateSnapshot(this.ports, caller, snappish);
    if (!locatedSnapshot.ok) return locatedSnapshot;
    const snapshot = await readLocatedSnapshot(this.ports.events, locatedSnapshot.value);
    if (!snapshot.ok) return snapshot;
    return ok({ id: locatedSnapshot.value.id, fingerprints: fingerprintsIn(snapshot.value.artifacts) });
  }
}

/** Each artifact once. An artifact without a digest counts separately, because its content is unknown. */
function fingerprintsIn(artifacts: readonly { readonly fingerprint: string; readonly name: string }[]): string[] {
  return [...new Set(artifacts.map(({ fingerprint, name }) => (fingerprint === '' ? `\n${name}` : fingerprint)))];
}
