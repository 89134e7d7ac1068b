import { ROOT_SPACE, type SpaceEvent } from '@assurance/contracts/access/events';
import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import type { FlowEvent } from '@assurance/contracts/flows/events';
import { environment } from '@assurance/environments/domain/environment';
import { flow } from '@assurance/flows/domain/flow';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { environmentCreated, PROD } from '@assurance/testing/deciders/samples';
import { NO_SPACES } from '../place';
import { spaceTree } from '../tree';
import { decideMoveEnvironment, decideMoveFlow } from './move';

function requireState<T>(state: T | null): T {
  if (state === null) throw new Error('these events begin with a creation');
  return state;
}
const tree = (...events: readonly SpaceEvent[]) => ({ tree: replayOf(spaceTree)(events) ?? NO_SPACES });
const a = { type: 'SpaceCreated', version: 1, data: { id: 'a', name: 'a', parent: ROOT_SPACE } } as const;
const archived = { type: 'SpaceArchived', version: 1, data: { id: 'a' } } as const;
const refusal = (id: string) => ({ kind: 'space-not-there', field: 'space_id', id }) as const;
const to = (space: string, previousSpace: string) => ({ space, previousSpace });

describe('moving an environment', () => {
  const spec = deciderSpec({
    replay: (events: readonly EnvironmentEvent[]) => requireState(replayOf(environment, PROD)(events)),
    decide: decideMoveEnvironment,
  });
  const creation = environmentCreated({});
  const moved = (data: ReturnType<typeof to>) => ({ type: 'EnvironmentMoved', version: 1, data }) as const;

  it('starts in the root and records the new and the previous space', () => {
    spec
      .given(creation)
      .when({ space: 'a' }, tree(a))
      .thenRecords(moved(to('a', ROOT_SPACE)));
    spec
      .given(creation, moved(to('a', ROOT_SPACE)))
      .when({ space: ROOT_SPACE }, tree(a, archived))
      .thenRecords(moved(to(ROOT_SPACE, 'a')));
  });

  it('to the present space changes nothing', () => {
    spec.given(creation).when({ space: ROOT_SPACE }, tree()).thenNothing();
    spec
      .given(creation, moved(to('a', ROOT_SPACE)))
      .when({ space: 'a' }, tree(a))
      .thenNothing();
  });

  it('is refused to a space that is unknown or archived', () => {
    spec.given(creation).when({ space: 'a' }, tree()).thenRefuses(refusal('a'));
    spec.given(creation).when({ space: 'a' }, tree(a, archived)).thenRefuses(refusal('a'));
  });
});

describe('moving a flow', () => {
  const spec = deciderSpec({
    replay: (events: readonly FlowEvent[]) => requireState(replayOf(flow)(events)),
    decide: decideMoveFlow,
  });
  const creation = {
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
  const moved = { type: 'FlowMoved', version: 1, data: to('a', ROOT_SPACE) } as const;

  it('follows the same rules', () => {
    spec.given(creation).when({ space: 'a' }, tree(a)).thenRecords(moved);
    spec.given(creation, moved).when({ space: 'a' }, tree(a)).thenNothing();
    spec.given(creation).when({ space: 'b' }, tree(a)).thenRefuses(refusal('b'));
  });
});
