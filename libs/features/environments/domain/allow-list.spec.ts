import type { AllowedDocument, Environment } from '@assurance/contracts/environments/documents';
import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import type { EndingAllowance } from '@assurance/contracts/policies/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { FIRST_AT, replayOf } from '@assurance/testing/deciders/replay';
import { environmentCreated, PROD } from '@assurance/testing/deciders/samples';
import { decideAllowArtifact, decideEndAllowance, firstDue, isInForce, WARNING_MS } from './allow-list';
import { environment } from './environment';

const replay = (events: readonly EnvironmentEvent[]) => replayOf(environment, PROD)(events) as Environment;
const created = environmentCreated();
const AT = FIRST_AT + 10_000;
const LATE = AT + 3 * WARNING_MS;

const data = { fingerprint: 'aa', name: 'nginx', description: '' };
const entry = { name: 'nginx', description: '', at: AT - 1_000, by: 'u1' };
const ending = (expiresAt: number, due = expiresAt) => ({ ...entry, expiresAt, due });
const endingAllowance = (expiresAt: number): EndingAllowance => ({
  ...data,
  expiresAt,
  allowedAt: AT - 1_000,
  allowedBy: 'u1',
});
const allowed = (rest: object = {}) => ({ type: 'ArtifactAllowed', version: 1, data: { ...data, ...rest } }) as const;
const revised = (rest: object) => ({ type: 'AllowanceRevised', version: 1, data: { ...data, ...rest } }) as const;

describe('allowing an artifact', () => {
  const spec = deciderSpec({ replay, decide: decideAllowArtifact });

  it('records it, with its end if it has one', () => {
    spec.given(created).when(data, { entry: null, at: AT }).thenRecords(allowed());
    spec
      .given(created)
      .when({ fingerprint: 'aa' }, { entry: null, at: AT })
      .thenRecords(allowed({ name: '' }));
    const until = { ...data, expiresAt: LATE };
    spec
      .given(created)
      .when(until, { entry: null, at: AT })
      .thenRecords(allowed({ expiresAt: LATE }));
    spec
      .given(created)
      .when({ ...data, expiresAt: null }, { entry: null, at: AT })
      .thenRecords(allowed());
  });

  it('again changes its name, reason or end, and keeps what is left out', () => {
    const facts = { entry: ending(LATE), at: AT };
    const ask = { fingerprint: 'aa', description: 'by its vendor' };
    spec
      .given(created)
      .when(ask, facts)
      .thenRecords(revised({ description: 'by its vendor', expiresAt: LATE }));
    const later = { fingerprint: 'aa', expiresAt: LATE + 1 };
    spec
      .given(created)
      .when(later, facts)
      .thenRecords(revised({ expiresAt: LATE + 1 }));
    spec.given(created).when({ fingerprint: 'aa', expiresAt: null }, facts).thenRecords(revised({}));
    const first = { fingerprint: 'aa', expiresAt: LATE };
    spec
      .given(created)
      .when(first, { entry, at: AT })
      .thenRecords(revised({ expiresAt: LATE }));
  });

  it('again with the same values changes nothing', () => {
    spec
      .given(created)
      .when({ fingerprint: 'aa' }, { entry: ending(LATE), at: AT })
      .thenNothing();
    spec
      .given(created)
      .when({ ...data, expiresAt: LATE }, { entry: ending(LATE), at: AT })
      .thenNothing();
    spec
      .given(created)
      .when({ ...data, expiresAt: null }, { entry, at: AT })
      .thenNothing();
  });

  it('is a new entry where the end of the old one has come, also before the service recorded that', () =>
    spec
      .given(created)
      .when({ fingerprint: 'aa' }, { entry: ending(AT), at: AT })
      .thenRecords(allowed({ name: '' })));

  it('until a moment that has passed is refused', () => {
    const refusal = { kind: 'allowance-expired', expiresAt: AT / 1_000 } as const;
    spec
      .given(created)
      .when({ ...data, expiresAt: AT }, { entry: null, at: AT })
      .thenRefuses(refusal);
    spec
      .given(created)
      .when({ ...data, expiresAt: AT }, { entry: ending(LATE), at: AT })
      .thenRefuses(refusal);
  });
});

describe('the end of an entry', () => {
  const spec = deciderSpec({ replay, decide: decideEndAllowance });
  const ask = { fingerprint: 'aa' };

  it('is announced when it is near, and recorded when it has come', () => {
    const near = ending(AT + WARNING_MS, AT);
    const announced = { type: 'AllowanceEnding', version: 1, data: endingAllowance(AT + WARNING_MS) } as const;
    spec.given(created).when(ask, { entry: near, at: AT }).thenRecords(announced);
    const ended = { type: 'AllowanceEnded', version: 1, data: endingAllowance(AT) } as const;
    spec
      .given(created, announced)
      .when(ask, { entry: ending(AT), at: AT })
      .thenRecords(ended);
  });

  it('is not announced if the environment is archived', () => {
    const archived = { type: 'EnvironmentArchived', version: 1, data: {} } as const;
    const data = { ...endingAllowance(AT + WARNING_MS), untold: true } as const;
    spec
      .given(created, archived)
      .when(ask, { entry: ending(AT + WARNING_MS, AT), at: AT })
      .thenRecords({ type: 'AllowanceEnding', version: 1, data });
  });

  it('is recorded without an announcement if the service did not run meanwhile', () =>
    spec
      .given(created)
      .when(ask, { entry: ending(AT - 1, AT - 1 - WARNING_MS), at: AT })
      .thenRecords({ type: 'AllowanceEnded', version: 1, data: endingAllowance(AT - 1) }));

  it('is not recorded too early, twice, or for an entry without an end', () => {
    spec
      .given(created)
      .when(ask, { entry: ending(AT + 1), at: AT })
      .thenNothing();
    spec.given(created).when(ask, { entry: null, at: AT }).thenNothing();
    spec.given(created).when(ask, { entry, at: AT }).thenNothing();
  });

  it('voids it from that moment on', () => {
    expect([AT - 1, AT].map((at) => isInForce({ expiresAt: AT }, at))).toEqual([true, false]);
    expect(isInForce({}, AT)).toBe(true);
  });

  it('is announced a day before, but not of an entry that was made later than that', () => {
    expect(firstDue(LATE, AT)).toBe(LATE - WARNING_MS);
    expect(firstDue(AT + WARNING_MS, AT)).toBe(AT + WARNING_MS);
  });
});

describe('the document of an entry', () => {
  const { inlineProjections } = environment;
  const meta = { org: 'o1', stream: 'environment/e1', seq: 7, at: AT, actor: 'u2' };
  const docOf = (event: EnvironmentEvent) => {
    const state = replay([created]);
    const [projection] = [...(inlineProjections?.(state, event, meta, state) ?? [])];
    return projection?.doc as AllowedDocument | null;
  };

  it('is due a day before the end, then at the end, and then it is gone', () => {
    expect(docOf(allowed({ expiresAt: LATE }))).toMatchObject({ at: AT, by: 'u2', seq: 7, due: LATE - WARNING_MS });
    expect(docOf(allowed())).not.toHaveProperty('due');
    expect(docOf({ type: 'AllowanceEnding', version: 1, data: endingAllowance(LATE) })).toMatchObject({
      at: AT - 1_000,
      by: 'u1',
      seq: 7,
      expiresAt: LATE,
      due: LATE,
    });
    expect(docOf({ type: 'AllowanceEnded', version: 1, data: endingAllowance(LATE) })).toBeNull();
  });
});
