import type { OmittedParts, OrganizationCreated, OrganizationErased } from '@assurance/contracts/access/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { decideEraseOrganization } from './erase-organization';
import { organization } from './organization';

const created = (personal: boolean): OrganizationCreated => ({
  type: 'OrganizationCreated',
  version: 1,
  data: { id: 'o1', name: 'acme', personal },
});
const erased = (streams: number, leftOut: OmittedParts | null): OrganizationErased => ({
  type: 'OrganizationErased',
  version: 1,
  data: {
    record: {
      organization: 'o1',
      name: 'acme',
      at: 7,
      by: 'operator',
      despiteHolds: false,
      leftOut,
      streams,
      commits: streams,
      events: streams,
      removed: [],
      key: 'k',
    },
    signature: 's',
  },
});
const signed = erased(1, null);
const facts = { holds: 0, sign: () => signed };
const begin = { despiteHolds: false, removed: 0, leftOut: null };
const leftOut = { parts: 3, digest: 'd' };

describe('erasing an organization', () => {
  const spec = deciderSpec({ replay: replayOf(organization, { key: 'o1' }), decide: decideEraseOrganization });

  it('records that it begins, which streams go, and that nothing is left', () => {
    spec.given(created(false)).when(begin, facts).thenRecords(signed);
    spec
      .given(created(false), erased(0, null))
      .when({ ...begin, removed: 2 }, facts)
      .thenRecords(signed);
    spec
      .given(created(false), erased(2, null))
      .when({ ...begin, leftOut }, facts)
      .thenRecords(signed);
  });

  it('records data that is found after its end, and data that was not left out yet', () => {
    const ended = [created(false), erased(0, leftOut)];
    spec
      .given(...ended)
      .when({ ...begin, removed: 1 }, facts)
      .thenRecords(signed);
    spec
      .given(...ended)
      .when({ ...begin, leftOut: { ...leftOut, parts: 4 } }, facts)
      .thenRecords(signed);
    spec
      .given(...ended)
      .when({ ...begin, leftOut: { ...leftOut, digest: 'e' } }, facts)
      .thenRecords(signed);
  });

  it('does nothing again', () => {
    spec.given(created(false), erased(0, null)).when(begin, facts).thenNothing();
    spec
      .given(created(false), erased(0, leftOut))
      .when({ ...begin, leftOut }, facts)
      .thenNothing();
  });

  it('is refused where there is none, of a person, and under legal holds unless they are overridden', () => {
    spec.given().when(begin, facts).thenRefuses({ kind: 'no-organization' });
    spec.given(created(true)).when(begin, facts).thenRefuses({ kind: 'personal-organization' });
    const withHolds = { ...facts, holds: 2 };
    spec.given(created(false)).when(begin, withHolds).thenRefuses({ kind: 'holds-in-force', count: 2 });
    spec
      .given(created(false))
      .when({ ...begin, despiteHolds: true }, withHolds)
      .thenRecords(signed);
  });

  it('goes on under holds once it was begun', () => {
    const going = { ...begin, removed: 1 };
    spec
      .given(created(false), erased(0, null))
      .when(going, { ...facts, holds: 1 })
      .thenRecords(signed);
  });
});
