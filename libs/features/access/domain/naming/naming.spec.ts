import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import type { FlowEvent } from '@assurance/contracts/flows/events';
import { environment } from '@assurance/environments/domain/environment';
import { decidePatchEnvironment, type PatchEnvironment } from '@assurance/environments/domain/patch-environment';
import { decidePutEnvironment } from '@assurance/environments/domain/put-environment';
import { flow } from '@assurance/flows/domain/flow';
import { decidePutFlow } from '@assurance/flows/domain/put-flow';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { environmentCreated, PROD } from '@assurance/testing/deciders/samples';
import { isAlias } from './alias';
import { decideArchiveEnvironment, decideArchiveFlow } from './archive';
import { decideRenameEnvironment, decideRenameFlow, type RenameFacts } from './rename';
import { type ChangeTags, decideTagEnvironment, decideTagFlow, TAGS_MAX } from './tags';

function requireState<T>(state: T | null): T {
  if (state === null) throw new Error('these events begin with a creation');
  return state;
}
const production = (events: readonly EnvironmentEvent[]) => requireState(replayOf(environment, PROD)(events));
const shop = (events: readonly FlowEvent[]) => requireState(replayOf(flow)(events));

const live = environmentCreated({ description: 'live' });
const archived = { type: 'EnvironmentArchived', version: 1, data: {} } as const;
const revived = { type: 'EnvironmentRevived', version: 1, data: {} } as const;
const renamed = (name: string, previousName: string) =>
  ({ type: 'EnvironmentRenamed', version: 1, data: { name, previousName } }) as const;
const tagged = (set: Record<string, string>, ...removed: string[]) =>
  ({ type: 'EnvironmentTagged', version: 1, data: { set, removed } }) as const;
const updated = (data: object) => ({ type: 'EnvironmentUpdated', version: 1, data }) as const;

const flowCreated = {
  type: 'FlowCreated',
  version: 1,
  data: {
    id: 'shop',
    name: 'shop',
    description: '',
    visibility: 'private',
    template: { yaml: 'version: 1\n' },
    templateId: 't1',
  },
} as const;
const flowArchived = { type: 'FlowArchived', version: 1, data: {} } as const;

describe('archiving an environment', () => {
  const spec = deciderSpec({ replay: production, decide: (state, _: null) => decideArchiveEnvironment(state) });

  it('archives it once', () => {
    spec.given(live).when(null).thenRecords(archived);
    spec.given(live, archived).when(null).thenNothing();
    spec.given(live, archived, revived).when(null).thenRecords(archived);
  });

  const putting = deciderSpec({ replay: production, decide: decidePutEnvironment });
  const put = { name: 'production', type: 'docker' } as const;

  it('is undone by a put, which also applies its changes', () => {
    const facts = { id: 'x', mayUpdate: true, attachedPolicies: [] };
    putting.given(live, archived).when(put, facts).thenRecords(revived);
    putting
      .given(live, archived)
      .when({ ...put, description: 'again' }, facts)
      .thenRecords(revived, updated({ description: 'again' }));
    putting.given(live, archived, revived).when(put, facts).thenNothing();
  });

  it('is undone by a put of another type too, which it has then', () => {
    putting
      .given(live, archived)
      .when({ ...put, type: 'K8S' }, { id: 'x', mayUpdate: true, attachedPolicies: [] })
      .thenRecords({ ...revived, data: { type: 'K8S' } });
  });
});

describe('archiving a flow', () => {
  const spec = deciderSpec({ replay: shop, decide: (state, _: null) => decideArchiveFlow(state) });

  const putting = deciderSpec({ replay: shop, decide: decidePutFlow });

  it('archives it once, until a put revives it', () => {
    spec.given(flowCreated).when(null).thenRecords(flowArchived);
    spec.given(flowCreated, flowArchived).when(null).thenNothing();
    const facts = { id: 'x', templateId: 't2', template: flowCreated.data.template };
    const flowRevived = { type: 'FlowRevived', version: 1, data: {} } as const;
    putting.given(flowCreated, flowArchived).when({ name: 'shop' }, facts).thenRecords(flowRevived);
    putting
      .given(flowCreated, flowArchived)
      .when({ name: 'shop', description: 'x' }, facts)
      .thenRecords(flowRevived, { type: 'FlowUpdated', version: 1, data: { description: 'x' } });
    putting.given(flowCreated, flowArchived, flowRevived).when({ name: 'shop' }, facts).thenNothing();
  });
});

describe('renaming', () => {
  const spec = deciderSpec({
    replay: production,
    decide: (state, to: { readonly name: string }, facts: RenameFacts) => decideRenameEnvironment(state, to, facts),
  });

  const flows = deciderSpec({
    replay: shop,
    decide: (state, to: { readonly name: string }, facts: RenameFacts) => decideRenameFlow(state, to, facts),
  });

  it('records the new and the previous name', () => {
    spec.given(live).when({ name: 'eu' }, { isOwn: true }).thenRecords(renamed('eu', 'production'));
    spec
      .given(live, renamed('eu', 'production'))
      .when({ name: 'us' }, { isOwn: true })
      .thenRecords(renamed('us', 'eu'));
    const data = { name: 'front', previousName: 'shop' };
    flows
      .given(flowCreated)
      .when({ name: 'front' }, { isOwn: true })
      .thenRecords({ type: 'FlowRenamed', version: 1, data });
    flows.given(flowCreated).when({ name: 'shop' }, { isOwn: true }).thenNothing();
    flows
      .given(flowCreated)
      .when({ name: 'front' }, { isOwn: false })
      .thenRefuses({ kind: 'name-taken', name: 'front' });
  });

  it('to the present name changes nothing', () => {
    spec.given(live).when({ name: 'production' }, { isOwn: true }).thenNothing();
  });

  it('refuses the name of another', () => {
    spec.given(live).when({ name: 'eu' }, { isOwn: false }).thenRefuses({ kind: 'name-taken', name: 'eu' });
  });
});

describe('a name in the register', () => {
  it.each([
    ['that its holder has', { id: '1' }, { name: 'a', seq: 3 }, false],
    ['whose holder is called otherwise', { id: '1' }, { name: 'b', seq: 3 }, true],
    ['whose holder has no commit yet', { id: '1' }, null, false],
    ['that a rename under way is about to take', { id: '1', at: 3 }, { name: 'b', seq: 3 }, false],
    ['that a rename claimed and never took', { id: '1', at: 3 }, { name: 'b', seq: 4 }, true],
  ])('%s', (_, held, holder, alias) => {
    expect(isAlias('a', held, holder)).toBe(alias);
  });
});

describe('tags', () => {
  const spec = deciderSpec({
    replay: production,
    decide: (state, command: ChangeTags) => decideTagEnvironment(state, command),
  });

  const flows = deciderSpec({ replay: shop, decide: (state, command: ChangeTags) => decideTagFlow(state, command) });

  it('record only real changes', () => {
    const set = { team: 'shop', tier: '1' };
    spec
      .given(live)
      .when({ set, remove: ['absent'] })
      .thenRecords(tagged(set));
    spec
      .given(live, tagged(set))
      .when({ set: { team: 'shop', tier: '2' }, remove: ['team', 'tier'] })
      .thenRecords(tagged({ tier: '2' }));
    spec
      .given(live, tagged(set))
      .when({ set: {}, remove: ['tier', 'tier'] })
      .thenRecords(tagged({}, 'tier'));
    spec
      .given(live, tagged(set))
      .when({ set: { tier: '1' }, remove: ['absent'] })
      .thenNothing();
    flows.given(flowCreated).when({ set: {}, remove: [] }).thenNothing();
  });

  it('are bounded in number and length; removing is always possible', () => {
    const keys = Array.from({ length: TAGS_MAX }, (_, i) => `k${i}`);
    const all = Object.fromEntries(keys.map((key) => [key, 'v']));
    const more = { kind: 'too-many-tags', tags: TAGS_MAX + 1, characters: 190 + 2 } as const;
    spec
      .given(live, tagged(all))
      .when({ set: { z: 'v' }, remove: [] })
      .thenRefuses(more);
    spec
      .given(live, tagged(all))
      .when({ set: { z: 'v' }, remove: ['k0'] })
      .thenRecords(tagged({ z: 'v' }, 'k0'));
    const long = { kind: 'too-many-tags', tags: 1, characters: 4_097 } as const;
    spec
      .given(live)
      .when({ set: { a: 'x'.repeat(4_096) }, remove: [] })
      .thenRefuses(long);
    spec
      .given(live, tagged({ ...all, z: 'x'.repeat(5_000) }))
      .when({ set: {}, remove: ['k0'] })
      .thenRecords(tagged({}, 'k0'));
  });
});

describe('patching an environment', () => {
  const spec = deciderSpec({
    replay: production,
    decide: (state, command: PatchEnvironment) => decidePatchEnvironment(state, command, { attachedPolicies: [] }),
  });

  it('clears a description with an empty one, and leaves alone what is not given', () => {
    spec
      .given(live)
      .when({ description: '' })
      .thenRecords(updated({ description: '' }));
    spec.given(live).when({}).thenNothing();
    spec.given(live).when({ description: 'live', includeScaling: false }).thenNothing();
  });

  it('replaces members of a logical environment alone', () => {
    const logical = environmentCreated({ type: 'logical', includedEnvironments: ['a'] });
    spec
      .given(logical)
      .when({ includedEnvironments: [] })
      .thenRecords(updated({ includedEnvironments: [] }));
    spec
      .given(live)
      .when({ includedEnvironments: ['a'] })
      .thenNothing();
  });
});
