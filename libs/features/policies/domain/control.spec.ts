import { type ChangeTags, decideTagControl } from '@assurance/access/domain/naming/tags';
import type { Control } from '@assurance/contracts/policies/documents';
import type { ControlEvent, ControlSettings } from '@assurance/contracts/policies/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { decideArchiveControl, decideUnarchiveControl, decideUpdateControl } from './change-control';
import { control } from './control';
import { decideCreateControl } from './create-control';

const replay = replayOf(control);
const there = (events: readonly ControlEvent[]): Control => {
  const state = replay(events);
  if (state === null) throw new Error('these events begin with a creation');
  return state;
};

const review = { identifier: 'SDLC-7', name: 'Code review', description: 'Two pairs of eyes', links: {} };
const created = { type: 'ControlCreated', version: 1, data: { id: 'c1', ...review } } as const;
const updated = (data: Partial<ControlSettings>) => ({ type: 'ControlUpdated', version: 1, data }) as const;
const archived = { type: 'ControlArchived', version: 1, data: {} } as const;
const unarchived = { type: 'ControlUnarchived', version: 1, data: {} } as const;

describe('creating a control', () => {
  const spec = deciderSpec({ replay, decide: decideCreateControl });

  it('makes its first version', () => {
    spec.given().when(review, { id: 'c1' }).thenRecords(created);
    expect(there([created])).toMatchObject({ ...review, version: 1, archived: false, createdBy: 'ada' });
  });

  it('has the links that it is given', () => {
    const links = { wiki: 'https://wiki.example.com/review' };
    const withLinks = { ...created, data: { ...created.data, links } };
    spec
      .given()
      .when({ ...review, links }, { id: 'c1' })
      .thenRecords(withLinks);
  });

  it('is refused where there is one, archived or not', () => {
    const refusal = { kind: 'control-exists', identifier: 'SDLC-7' } as const;
    spec.given(created).when(review, { id: 'c2' }).thenRefuses(refusal);
    spec.given(created, archived).when(review, { id: 'c2' }).thenRefuses(refusal);
  });
});

describe('updating a control', () => {
  const spec = deciderSpec({ replay: there, decide: decideUpdateControl });

  it('records what changes and nothing else, as the next version', () => {
    const links = { wiki: 'https://wiki.example.com/review' };
    spec
      .given(created)
      .when({ description: '', links })
      .thenRecords(updated({ description: '', links }));
    expect(there([created, updated({ links })])).toMatchObject({ ...review, links, version: 2 });
    spec
      .given(created, updated({ links }))
      .when({ name: 'Review', links: {} })
      .thenRecords(updated({ name: 'Review', links: {} }));
  });

  it('records nothing if all values are equal or absent', () => {
    spec.given(created).when({}).thenNothing();
    spec
      .given(created)
      .when({ ...review, links: {} })
      .thenNothing();
  });
});

describe('the archive', () => {
  const archiving = deciderSpec({ replay: there, decide: (state, _: null) => decideArchiveControl(state) });
  const unarchiving = deciderSpec({ replay: there, decide: (state, _: null) => decideUnarchiveControl(state) });

  it('archives a control once and restores it once, without a new version', () => {
    archiving.given(created).when(null).thenRecords(archived);
    archiving.given(created, archived).when(null).thenNothing();
    unarchiving.given(created, archived).when(null).thenRecords(unarchived);
    unarchiving.given(created).when(null).thenNothing();
    unarchiving.given(created, archived, unarchived).when(null).thenNothing();
    expect(there([created, archived])).toMatchObject({ version: 1, archived: true });
    expect(there([created, archived, unarchived])).toMatchObject({ version: 1, archived: false });
  });
});

describe('tags of a control', () => {
  const spec = deciderSpec({ replay: there, decide: (state, command: ChangeTags) => decideTagControl(state, command) });

  it('are no version', () => {
    const tagged = { type: 'ControlTagged', version: 1, data: { set: { team: 'shop' }, removed: [] } } as const;
    spec
      .given(created)
      .when({ set: { team: 'shop' }, remove: ['absent'] })
      .thenRecords(tagged);
    spec
      .given(created, tagged)
      .when({ set: { team: 'shop' }, remove: [] })
      .thenNothing();
    expect(there([created, tagged])).toMatchObject({ version: 1, tags: { team: 'shop' } });
  });
});
