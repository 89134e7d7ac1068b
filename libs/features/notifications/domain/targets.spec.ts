import type { SecretRef, Target } from '@assurance/contracts/notifications/events';
import { type TargetUpdate, type StoredTarget, planTargets } from './targets';

const URL = 'https://hooks.example/shop';
const hook = (id: string, secret: string, last4 = 'shop'): Target => ({
  id,
  type: 'WEBHOOK',
  webhook: { id: secret, last4 },
  payloadVersion: null,
});
const update = (webhook: string | null, more: Partial<TargetUpdate> = {}): TargetUpdate =>
  ({ type: 'WEBHOOK', webhook, payloadVersion: null, ...more }) as TargetUpdate;
const storedTarget = (target: Target, url: string | null): StoredTarget => ({ target, url });
const mail = (id: string, emails: string): Target => ({ id, type: 'EMAIL', emails });

/** The ids that the plan keeps, each with the planned URL of the webhook. */
const plan = (expected: readonly TargetUpdate[], there: readonly StoredTarget[]) =>
  planTargets(expected, there).map((planned) => {
    if (planned === null) return null;
    const { target } = planned;
    return [planned.id, 'webhook' in target ? target.webhook : null];
  });

describe('targets that are given', () => {
  const there = [storedTarget(hook('t1', 's1'), URL), storedTarget(mail('t2', 'a@b.c'), null)];

  it('are new where there is none of their kind', () => {
    expect(plan([update(URL)], [])).toEqual([[null, { url: URL }]]);
  });

  it('keep id and sealed URL when they are the same again, in any order', () => {
    const same = [{ type: 'EMAIL', emails: 'a@b.c' } as const, update(URL)];
    expect(plan(same, there)).toEqual([
      ['t2', null],
      ['t1', { id: 's1', last4: 'shop' }],
    ]);
  });

  it('keep the URL that is there where none is given', () => {
    expect(plan([update(null)], there)).toEqual([['t1', { id: 's1', last4: 'shop' }]]);
    expect(plan([update(null), update(null)], there)).toEqual([['t1', { id: 's1', last4: 'shop' }], null]);
    expect(plan([update(null)], [])).toEqual([null]);
  });

  it('keep each its own URL where several come without: by id, by hint, else in order', () => {
    const two = [storedTarget(hook('t1', 's1'), URL), storedTarget(hook('t2', 's2', 'tea!'), `${URL}/tea!`)];
    const [first, second] = [
      ['t1', { id: 's1', last4: 'shop' }],
      ['t2', { id: 's2', last4: 'tea!' }],
    ];
    expect(plan([update(null), update(null)], two)).toEqual([first, second]);
    expect(plan([update(null, { id: 't2' })], two)).toEqual([second]);
    expect(plan([update(null), update(null, { id: 't1' })], two)).toEqual([second, first]);
    expect(plan([update(null), update(null, { hint: '****shop' })], two)).toEqual([second, first]);
    expect(plan([update(`${URL}/tea!`), update(null)], two)).toEqual([second, first]);
    expect(plan([update(URL), update(null)], two)).toEqual([first, second]);
  });

  it('of Slack keep their URL, or that an app posts for them', () => {
    const slack = (id: string, webhook: SecretRef | null, channel_id: string): Target => ({
      id,
      type: 'SLACK',
      webhook,
      context: { channel_id },
    });
    const to = (channel_id: string, id?: string): TargetUpdate => ({
      type: 'SLACK',
      webhook: null,
      context: { channel_id },
      ...(id === undefined ? {} : { id }),
    });
    const ref = { id: 's1', last4: 'shop' };
    const storedTargets = [storedTarget(slack('k1', ref, 'C1'), URL), storedTarget(slack('k2', null, 'C2'), null)];
    expect(plan([to('C2'), to('C1')], storedTargets)).toEqual([
      ['k2', null],
      ['k1', ref],
    ]);
    expect(plan([to('C3', 'k2')], storedTargets)).toEqual([['k2', null]]);
    expect(plan([to('C3')], [])).toEqual([[null, null]]);
    expect(plan([{ type: 'SLACK', webhook: null, context: null }], [])).toEqual([null]);
  });

  it('keep their id when their URL changes', () => {
    expect(plan([update('https://other.example/x')], there)).toEqual([['t1', { url: 'https://other.example/x' }]]);
  });

  it('go by the id that the caller names before their place', () => {
    const two = [storedTarget(mail('m1', 'a@b.c'), null), storedTarget(mail('m2', 'd@e.f'), null)];
    const expected: TargetUpdate[] = [
      { type: 'EMAIL', emails: 'x@y.z', id: 'm2' },
      { type: 'EMAIL', emails: 'q@r.s' },
    ];
    expect(plan(expected, two).map((target) => target?.[0])).toEqual(['m2', 'm1']);
  });

  it('match one existing target each when several are equal', () => {
    const two = [storedTarget(hook('t1', 's1'), URL), storedTarget(hook('t2', 's2'), URL)];
    expect(plan([update(URL), update(URL), update(URL)], two).map((target) => target?.[0])).toEqual(['t1', 't2', null]);
  });

  it('of one kind do not take the URL of another', () => {
    const slack: TargetUpdate = { type: 'SLACK', webhook: null, context: null };
    expect(plan([slack], there)).toEqual([null]);
  });
});
