import { ROOT_SPACE, type SpaceEvent } from '@assurance/contracts/access/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { decideArchiveSpace, decideMoveSpace, decideRenameSpace } from './change-space';
import { pathTo, shownSpace } from './place';
import { decidePutSpace } from './put-space';
import { SPACE_LEVELS_MAX } from './space-rules';
import { spaceTree } from './tree';

const replay = replayOf(spaceTree);
const created = (id: string, parent = ROOT_SPACE, name = id) =>
  ({ type: 'SpaceCreated', version: 1, data: { id, name, parent } }) as const;
const renamed = (id: string, name: string, previousName: string) =>
  ({ type: 'SpaceRenamed', version: 1, data: { id, name, previousName } }) as const;
const moved = (id: string, parent: string, previousParent: string = ROOT_SPACE) =>
  ({ type: 'SpaceMoved', version: 1, data: { id, parent, previousParent } }) as const;
const archived = (id: string) => ({ type: 'SpaceArchived', version: 1, data: { id } }) as const;
const revived = (id: string) => ({ type: 'SpaceRevived', version: 1, data: { id } }) as const;
/** Spaces `1`, `2`, …. Each is in the one before it. */
const chain = (levels: number): SpaceEvent[] =>
  Array.from({ length: levels }, (_, i) => created(String(i + 1), i === 0 ? ROOT_SPACE : String(i)));

describe('making a space', () => {
  const spec = deciderSpec({ replay, decide: decidePutSpace });
  const facts = { id: 'new', limit: 100 };
  const put = (name: string, parent = ROOT_SPACE) => ({ name, parent });

  it('makes it in the root or in another space', () => {
    spec
      .given()
      .when(put('a'), facts)
      .thenRecords(created('new', ROOT_SPACE, 'a'));
    spec
      .given(created('a'))
      .when(put('a', 'a'), facts)
      .thenRecords(created('new', 'a', 'a'));
  });

  it('changes nothing if the parent has a space of this name', () => {
    spec.given(created('a')).when(put('a'), facts).thenNothing();
    spec
      .given(created('a'), created('b', 'a'))
      .when(put('b'), facts)
      .thenRecords(created('new', ROOT_SPACE, 'b'));
  });

  it('takes an archived one of its name out of the archive, the newest of several', () => {
    spec.given(created('a'), archived('a')).when(put('a'), facts).thenRecords(revived('a'));
    spec
      .given(created('a'), archived('a'), created('b'), renamed('b', 'a', 'b'), archived('b'))
      .when(put('a'), facts)
      .thenRecords(revived('b'));
  });

  it('is refused in a parent that is unknown or archived', () => {
    const refusal = (id: string) => ({ kind: 'space-not-there', field: 'parent_id', id }) as const;
    spec.given().when(put('a', 'x'), facts).thenRefuses(refusal('x'));
    spec.given().when(put('a', 'constructor'), facts).thenRefuses(refusal('constructor'));
    spec.given(created('b'), archived('b')).when(put('a', 'b'), facts).thenRefuses(refusal('b'));
  });

  it('is refused below the deepest level, and when there are as many as may be', () => {
    const deepest = String(SPACE_LEVELS_MAX);
    const tooDeep = { kind: 'space-too-deep', limit: SPACE_LEVELS_MAX } as const;
    spec
      .given(...chain(SPACE_LEVELS_MAX))
      .when(put('a', deepest), facts)
      .thenRefuses(tooDeep);
    spec
      .given(...chain(SPACE_LEVELS_MAX - 1))
      .when(put('a', String(SPACE_LEVELS_MAX - 1)), facts)
      .thenRecords(created('new', String(SPACE_LEVELS_MAX - 1), 'a'));
    spec
      .given(created('a'), created('b'), archived('b'))
      .when(put('c'), { id: 'new', limit: 2 })
      .thenRefuses({ kind: 'too-many-spaces', limit: 2 });
    spec
      .given(created('a'), created('b'), archived('b'))
      .when(put('b'), { id: 'new', limit: 2 })
      .thenRecords(revived('b'));
  });
});

describe('renaming a space', () => {
  const spec = deciderSpec({ replay, decide: decideRenameSpace });

  it('records both names; to the present name changes nothing', () => {
    spec
      .given(created('a'))
      .when({ id: 'a', name: 'b' })
      .thenRecords(renamed('a', 'b', 'a'));
    spec.given(created('a')).when({ id: 'a', name: 'a' }).thenNothing();
  });

  it('is refused where a live space beside it has the name', () => {
    const refusal = { kind: 'space-name-taken', field: 'new_name', name: 'b' } as const;
    spec.given(created('a'), created('b')).when({ id: 'a', name: 'b' }).thenRefuses(refusal);
    spec
      .given(created('a'), created('b'), archived('b'))
      .when({ id: 'a', name: 'b' })
      .thenRecords(renamed('a', 'b', 'a'));
    spec
      .given(created('a'), created('b', 'a'))
      .when({ id: 'a', name: 'b' })
      .thenRecords(renamed('a', 'b', 'a'));
  });

  it('is refused for what is unknown, archived, or the root', () => {
    spec.given().when({ id: 'a', name: 'b' }).thenRefuses({ kind: 'space-unknown', id: 'a' });
    spec.given().when({ id: ROOT_SPACE, name: 'b' }).thenRefuses({ kind: 'space-unknown', id: ROOT_SPACE });
    spec
      .given(created('a'), archived('a'))
      .when({ id: 'a', name: 'b' })
      .thenRefuses({ kind: 'space-archived', id: 'a' });
  });
});

describe('moving a space', () => {
  const spec = deciderSpec({ replay, decide: decideMoveSpace });

  it('moves its content along; to the present parent changes nothing', () => {
    const tree = [created('a'), created('b'), created('c', 'a')];
    spec
      .given(...tree)
      .when({ id: 'a', parent: 'b' })
      .thenRecords(moved('a', 'b'));
    const after = replay([...tree, moved('a', 'b')]);
    expect(after === null ? [] : pathTo(after, 'c').map(({ name }) => name)).toEqual(['b', 'a', 'c']);
    spec
      .given(...tree)
      .when({ id: 'c', parent: 'a' })
      .thenNothing();
    spec
      .given(...tree)
      .when({ id: 'c', parent: ROOT_SPACE })
      .thenRecords(moved('c', ROOT_SPACE, 'a'));
  });

  it('is refused into itself and into what is inside it', () => {
    const inside = (id: string) => ({ kind: 'space-inside-itself', id }) as const;
    const tree = chain(3);
    spec
      .given(...tree)
      .when({ id: '1', parent: '1' })
      .thenRefuses(inside('1'));
    spec
      .given(...tree)
      .when({ id: '1', parent: '3' })
      .thenRefuses(inside('3'));
  });

  it('is refused where it would be too deep, with what is in it', () => {
    const tree = [...chain(SPACE_LEVELS_MAX - 1), created('a'), created('b', 'a')];
    const [two, three] = [String(SPACE_LEVELS_MAX - 2), String(SPACE_LEVELS_MAX - 1)];
    spec
      .given(...tree)
      .when({ id: 'a', parent: two })
      .thenRecords(moved('a', two));
    spec
      .given(...tree)
      .when({ id: 'a', parent: three })
      .thenRefuses({ kind: 'space-too-deep', limit: SPACE_LEVELS_MAX });
    spec
      .given(...tree, archived('b'))
      .when({ id: 'a', parent: three })
      .thenRecords(moved('a', three));
  });

  it('is refused to where its name is taken, and to what is unknown or archived', () => {
    spec
      .given(created('a'), created('b'), created('c', 'b', 'a'))
      .when({ id: 'a', parent: 'b' })
      .thenRefuses({ kind: 'space-name-taken', field: 'parent_id', name: 'a' });
    const refusal = { kind: 'space-not-there', field: 'parent_id', id: 'b' } as const;
    spec.given(created('a')).when({ id: 'a', parent: 'b' }).thenRefuses(refusal);
    spec.given(created('a'), created('b'), archived('b')).when({ id: 'a', parent: 'b' }).thenRefuses(refusal);
    spec.given().when({ id: 'a', parent: ROOT_SPACE }).thenRefuses({ kind: 'space-unknown', id: 'a' });
  });
});

describe('archiving a space', () => {
  const spec = deciderSpec({ replay, decide: decideArchiveSpace });
  const nothingElse = { environments: 0, flows: 0 };

  it('hides an empty space; repeating it changes nothing', () => {
    spec.given(created('a')).when({ id: 'a' }, nothingElse).thenRecords(archived('a'));
    spec.given(created('a'), archived('a')).when({ id: 'a' }, nothingElse).thenNothing();
    spec
      .given(created('a'), created('b', 'a'), archived('b'))
      .when({ id: 'a' }, nothingElse)
      .thenRecords(archived('a'));
  });

  it('is refused while it holds something, and for what is unknown', () => {
    const notEmpty = { kind: 'space-not-empty', name: 'a', spaces: 0, environments: 0, flows: 0 } as const;
    spec
      .given(created('a'), created('b', 'a'))
      .when({ id: 'a' }, nothingElse)
      .thenRefuses({ ...notEmpty, spaces: 1 });
    spec
      .given(created('a'))
      .when({ id: 'a' }, { environments: 2, flows: 3 })
      .thenRefuses({ ...notEmpty, environments: 2, flows: 3 });
    spec.given().when({ id: 'a' }, nothingElse).thenRefuses({ kind: 'space-unknown', id: 'a' });
  });
});

describe('where something is shown', () => {
  it('is the nearest space around it that is not archived', () => {
    const tree = replay([created('a'), created('b', 'a'), created('c', 'b'), archived('c'), archived('b')]);
    if (tree === null) throw new Error('a space was made');
    expect([undefined, 'a', 'b', 'c', 'unknown'].map((id) => shownSpace(tree, id))).toEqual([
      ROOT_SPACE,
      'a',
      'a',
      'a',
      'unknown',
    ]);
  });
});
