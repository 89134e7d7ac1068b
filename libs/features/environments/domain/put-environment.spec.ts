import type {
  EnvironmentEvent,
  EnvironmentRevived,
  EnvironmentSettings,
  EnvironmentUpdated,
} from '@assurance/contracts/environments/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { environmentCreated, PROD } from '@assurance/testing/deciders/samples';
import { environment } from './environment';
import { decidePatchEnvironment } from './patch-environment';
import { decidePutEnvironment } from './put-environment';
import { POLICIES_MAX } from './standards';

const spec = deciderSpec({ replay: replayOf(environment, PROD), decide: decidePutEnvironment });
const fresh = { id: 'prod', mayUpdate: true, attachedPolicies: [] };
const archived = { type: 'EnvironmentArchived', version: 1, data: {} } as const;
const createOnly = { id: 'prod', mayUpdate: false, attachedPolicies: [] };
const docker = { name: 'production', type: 'docker' } as const;
const logical = { name: 'all', type: 'logical' } as const;
const updated = (data: Partial<EnvironmentSettings>): EnvironmentUpdated => ({
  type: 'EnvironmentUpdated',
  version: 1,
  data,
});

describe('putting an environment that is not there', () => {
  it('creates it with defaults', () => {
    spec.given().when(docker, fresh).thenRecords(environmentCreated());
  });

  it('creates it as given', () => {
    const input = { description: 'live', includeScaling: true, requireProvenance: true };
    spec
      .given()
      .when({ ...docker, ...input }, fresh)
      .thenRecords(environmentCreated(input));
  });

  it('keeps the members of a logical one, none if none are given', () => {
    const all = (includedEnvironments: readonly string[]) => environmentCreated({ ...logical, includedEnvironments });
    spec.given().when(logical, fresh).thenRecords(all([]));
    spec
      .given()
      .when({ ...logical, includedEnvironments: ['a', 'b'] }, fresh)
      .thenRecords(all(['a', 'b']));
  });

  it('ignores members of an environment that is not logical', () => {
    spec
      .given()
      .when({ ...docker, includedEnvironments: ['a'] }, fresh)
      .thenRecords(environmentCreated());
  });
});

describe('putting an environment that is there', () => {
  const live = environmentCreated({ description: 'live', includeScaling: true });

  it('changes nothing when all is as it was', () => {
    spec
      .given(live)
      .when({ ...docker, description: 'live', includeScaling: true }, fresh)
      .thenNothing();
  });

  it('leaves alone what is not given', () => spec.given(live).when(docker, fresh).thenNothing());

  it('does not wipe a description with an empty one', () => {
    spec
      .given(live)
      .when({ ...docker, description: '' }, fresh)
      .thenNothing();
  });

  it('records what changes and nothing else', () => {
    spec
      .given(live)
      .when({ ...docker, description: 'live', includeScaling: false }, fresh)
      .thenRecords(updated({ includeScaling: false }));
    spec
      .given(live, updated({ includeScaling: false }))
      .when({ ...docker, includeScaling: true, requireProvenance: true, description: 'new' }, fresh)
      .thenRecords(updated({ description: 'new', includeScaling: true, requireProvenance: true }));
  });

  it('replaces the members of a logical one, down to none', () => {
    const all = environmentCreated({ ...logical, includedEnvironments: ['a', 'b'] });
    const members = (...includedEnvironments: string[]) => ({ ...logical, includedEnvironments });
    spec
      .given(all)
      .when(members('b'), fresh)
      .thenRecords(updated({ includedEnvironments: ['b'] }));
    spec
      .given(all)
      .when(members(), fresh)
      .thenRecords(updated({ includedEnvironments: [] }));
    spec.given(all).when(members('a', 'b'), fresh).thenNothing();
    spec.given(all).when(logical, fresh).thenNothing();
  });

  it('refuses another type, whatever else is given', () => {
    const refusal = { kind: 'environment-type-changed', current: 'docker', requested: 'K8S' } as const;
    spec.given(live).when({ name: 'production', type: 'K8S', description: 'new' }, fresh).thenRefuses(refusal);
  });
});

describe('putting an environment that is archived', () => {
  const past = [environmentCreated({ description: 'live' }), archived] as const;
  const revived = (data: EnvironmentRevived['data'] = {}) =>
    ({ type: 'EnvironmentRevived', version: 1, data }) as const;

  it('revives it as it was', () =>
    spec
      .given(...past)
      .when(docker, fresh)
      .thenRecords(revived()));

  it('revives it with another type, and with members where that is logical', () => {
    spec
      .given(...past)
      .when({ ...docker, type: 'K8S' }, fresh)
      .thenRecords(revived({ type: 'K8S' }));
    spec
      .given(...past)
      .when({ ...logical, includedEnvironments: ['a'] }, fresh)
      .thenRecords(revived({ type: 'logical' }), updated({ includedEnvironments: ['a'] }));
  });

  it('changes the type only while it is revived', () => {
    const revivedSpec = spec.given(...past, revived({ type: 'K8S' }));
    revivedSpec.when({ ...docker, type: 'K8S' }, fresh).thenNothing();
    revivedSpec
      .when(docker, fresh)
      .thenRefuses({ kind: 'environment-type-changed', current: 'K8S', requested: 'docker' });
  });
});

describe('putting an environment by somebody who may only create', () => {
  const forbidden = { kind: 'forbidden' } as const;

  it('creates one', () => spec.given().when(docker, createOnly).thenRecords(environmentCreated()));

  it('refuses to overwrite, revive or empty one', () => {
    const all = environmentCreated({ ...logical, includedEnvironments: ['a'] });
    spec
      .given(environmentCreated())
      .when({ ...docker, description: 'mine' }, createOnly)
      .thenRefuses(forbidden);
    spec.given(environmentCreated(), archived).when(docker, createOnly).thenRefuses(forbidden);
    spec
      .given(all)
      .when({ ...logical, includedEnvironments: [] }, createOnly)
      .thenRefuses(forbidden);
  });

  it('changes nothing where nothing would change', () =>
    spec.given(environmentCreated()).when(docker, createOnly).thenNothing());
});

describe('policies in the body', () => {
  const [firstPolicy, secondPolicy] = [
    { id: 'p1', name: 'one' },
    { id: 'p2', name: 'two' },
  ];
  const change = (type: 'PolicyAttached' | 'PolicyDetached', policy: typeof firstPolicy) =>
    ({ type, version: 1, data: { policy, environment: 'production' } }) as const;
  const attached = (policy: typeof firstPolicy) => change('PolicyAttached', policy);
  const detached = (policy: typeof firstPolicy) => change('PolicyDetached', policy);
  const many = Array.from({ length: POLICIES_MAX + 1 }, (_, i) => ({ id: `m${i}`, name: `m${i}` }));
  const tooMany = { kind: 'too-many-policies', count: many.length, limit: POLICIES_MAX, field: 'policies' } as const;
  const attachedSpec = spec.given(environmentCreated(), attached(firstPolicy));
  const facts = { ...fresh, attachedPolicies: [firstPolicy] };

  it('of a new environment are attached in their order, each once', () => {
    spec
      .given()
      .when({ ...docker, policies: [secondPolicy, firstPolicy, secondPolicy] }, fresh)
      .thenRecords(environmentCreated(), attached(secondPolicy), attached(firstPolicy));
  });

  it('are those of the environment afterwards', () => {
    attachedSpec
      .when({ ...docker, policies: [secondPolicy] }, facts)
      .thenRecords(detached(firstPolicy), attached(secondPolicy));
    attachedSpec.when({ ...docker, policies: [] }, facts).thenRecords(detached(firstPolicy));
    attachedSpec.when({ ...docker, policies: [firstPolicy] }, facts).thenNothing();
    attachedSpec.when(docker, facts).thenNothing();
  });

  it('come after what is changed with them', () => {
    attachedSpec
      .when({ ...docker, description: 'new', policies: [] }, facts)
      .thenRecords(updated({ description: 'new' }), detached(firstPolicy));
    spec
      .given(environmentCreated(), attached(firstPolicy), archived)
      .when({ ...docker, policies: [firstPolicy, secondPolicy] }, facts)
      .thenRecords({ type: 'EnvironmentRevived', version: 1, data: {} }, attached(secondPolicy));
  });

  it('are limited in number', () => {
    spec
      .given()
      .when({ ...docker, policies: many }, fresh)
      .thenRefuses(tooMany);
    attachedSpec.when({ ...docker, policies: many }, facts).thenRefuses(tooMany);
  });

  it('are not for somebody who may only create', () => {
    const forbidden = { kind: 'forbidden' } as const;
    spec
      .given()
      .when({ ...docker, policies: [firstPolicy] }, createOnly)
      .thenRefuses(forbidden);
    attachedSpec
      .when({ ...docker, policies: [] }, { ...createOnly, attachedPolicies: [firstPolicy] })
      .thenRefuses(forbidden);
    attachedSpec
      .when({ ...docker, policies: [firstPolicy] }, { ...createOnly, attachedPolicies: [firstPolicy] })
      .thenNothing();
    spec
      .given()
      .when({ ...docker, policies: [] }, createOnly)
      .thenRecords(environmentCreated());
  });

  describe('of a PATCH', () => {
    const patching = deciderSpec({
      replay: (events: readonly EnvironmentEvent[]) => {
        const state = replayOf(environment, PROD)(events);
        if (state === null) throw new Error('there is no environment');
        return state;
      },
      decide: decidePatchEnvironment,
    }).given(environmentCreated(), attached(firstPolicy));

    it('are those of the environment afterwards; absent, those that it has', () => {
      patching
        .when({ description: 'new', policies: [secondPolicy] }, facts)
        .thenRecords(updated({ description: 'new' }), detached(firstPolicy), attached(secondPolicy));
      patching.when({ policies: [firstPolicy] }, facts).thenNothing();
      patching.when({}, facts).thenNothing();
    });

    it('are limited in number', () => patching.when({ policies: many }, facts).thenRefuses(tooMany));
  });
});
