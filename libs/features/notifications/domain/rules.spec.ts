import type { SnapshotChange } from '@assurance/contracts/environments/events';
import type { DomainEvent } from '@assurance/contracts/events/event';
import type { Trigger } from '@assurance/contracts/notifications/events';
import { digest, LISTED_MAX, messagePerEvent } from './messages';
import { occurrencesFor, occurrencesOf, UNWATCHED, watchedAfter } from './occurrences';
import { backoff, retryAfter } from './retry';

const FINGERPRINT = 'ab'.repeat(32);
const change = (fields: Partial<SnapshotChange>): SnapshotChange => ({
  fingerprint: FINGERPRINT,
  name: 'shop/web:1',
  instances: [1],
  flows: [],
  compliant: null,
  since: { snapshot: 1, at: 0, deployedAt: 0 },
  change: 'started',
  was: 0,
  now: 1,
  wholly: true,
  replacedBy: null,
  ...fields,
});
const META = { at: 1_700_000_000_000 };
const recorded = (changes: readonly SnapshotChange[], compliant?: boolean): DomainEvent => ({
  type: 'SnapshotRecorded',
  version: 1,
  data: {
    snapshot: 2,
    environment: 'production',
    type: 'docker',
    changes,
    ...(compliant === undefined ? {} : { judged: { compliant } }),
  },
});
const summary = (event: DomainEvent, compliant: boolean | null = null) =>
  occurrencesOf({ ...UNWATCHED, compliant }, event, META).map(({ trigger, type, description }) => [
    trigger,
    type,
    description,
  ]);

describe('a change', () => {
  it.each([
    [{ now: 1 }, 'ON_STARTED_ARTIFACT', 'ARTIFACT_STARTED', '1 instance started running (from 0 to 1)'],
    [
      { change: 'changed', was: 3, now: 2 },
      'ON_STARTED_ARTIFACT',
      'ARTIFACT_STARTED',
      '2 instances started running (from 0 to 2)',
    ],
    [
      { change: 'exited', was: 2, now: 0 },
      'ON_EXITED_ARTIFACT',
      'ARTIFACT_EXITED',
      '2 instances stopped running (from 2 to 0)',
    ],
    [
      { change: 'scaled', was: 1, now: 4, wholly: false },
      'ON_SCALED_ARTIFACT',
      'ARTIFACT_SCALED',
      '3 instances started running (from 1 to 4)',
    ],
  ] as const)('%j is %s', (fields, ...results) => {
    expect(summary(recorded([change(fields)]))).toEqual([results]);
  });

  it.each([
    ['a second name of what runs', { wholly: false }],
    ['an unknown digest that comes', { wholly: false, fingerprint: '' }],
    ['an unknown digest in other numbers', { change: 'scaled', wholly: false, fingerprint: '' }],
    ['an unknown digest that goes', { change: 'exited', was: 1, now: 0, wholly: false, fingerprint: '' }],
    ['a name that went while another stays', { change: 'exited', was: 1, now: 0, wholly: false }],
    ['provenance that arrived', { change: 'updated-provenance' }],
  ] as const)('that is %s fires nothing', (_, fields) => {
    expect(summary(recorded([change(fields)]))).toEqual([]);
  });
});

it.each([
  ['without provenance', []],
  ['with provenance', [{ flow: { name: 'shop' } }]],
])('that starts an artifact %s is told with its kind, where that is known', (_, flows) => {
  const kindIn = (fields: object) =>
    occurrencesOf(UNWATCHED, recorded([change({ ...fields, flows: flows as never })]), META).map(
      ({ artifact }) => artifact,
    );
  expect(kindIn({ kind: 'rollback' })).toMatchObject([{ kind: 'rollback' }]);
  expect(kindIn({})[0]).not.toHaveProperty('kind');
});

it('is sent for observations within the last hour, and for no history', () => {
  const observed = (ago: number) => {
    const event = recorded([change({})], false);
    const history = { ...event, data: { ...(event.data as object), observedAt: META.at - ago } };
    return summary(history as DomainEvent).length;
  };
  expect([0, 3_600_000, 3_600_001].map(observed)).toEqual([2, 2, 0]);
});

it('that finds vulnerabilities tells each of them, about no artifact, as the environment was then', () => {
  const result = { id: 'CVE-1', severity: null, purl: 'pkg:npm/lib@1.0.0', certain: false, artifact: 'web:1' };
  const sure = { ...result, id: 'CVE-2', severity: 'high', certain: true };
  const data = { environment: 'eu', snapshot: 7, compliant: false, vulnerabilities: [result, sure], names: [] };
  const event = { type: 'VulnerabilitiesFound', version: 1, data } as const;
  const base = { trigger: 'ON_VULNERABLE_ENV', type: 'VULNERABLE_ENV', artifact: null };
  expect(occurrencesOf(UNWATCHED, event, META)).toEqual([
    {
      ...base,
      description: 'pkg:npm/lib@1.0.0 in web:1 may have CVE-1 (of unknown severity)',
      vulnerability: { id: 'CVE-1', severity: null, component: 'pkg:npm/lib@1.0.0', certain: false },
    },
    {
      ...base,
      description: 'pkg:npm/lib@1.0.0 in web:1 has CVE-2 (high)',
      vulnerability: { id: 'CVE-2', severity: 'high', component: 'pkg:npm/lib@1.0.0', certain: true },
    },
  ]);
  expect(watchedAfter(UNWATCHED, event)).toEqual({ name: 'eu', snapshot: 7, compliant: false });
});

describe('a verdict', () => {
  const non = ['ON_NON_COMPLIANT_ENV', 'NON_COMPLIANT_ENV'];
  const never = [...non, 'The environment is not compliant'];
  const noMore = [...non, 'The environment is not compliant any more'];
  // It may never have been compliant before.
  const good = ['ON_COMPLIANT_ENV', 'COMPLIANT_ENV', 'The environment is compliant now'];
  it.each([
    [null, undefined, []],
    [null, true, []],
    [null, false, [never]],
    [true, false, [noMore]],
    [true, true, []],
    [true, undefined, []],
    [false, true, [good]],
    [false, false, []],
    [false, undefined, []],
  ])('from %s to %s', (was, now, expected) => {
    expect(summary(recorded([], now), was)).toEqual(expected);
  });

  it('is remembered, with name and snapshot', () => {
    const created = { type: 'EnvironmentCreated', version: 1, data: { id: 'e', name: 'production' } };
    const renamed = { type: 'EnvironmentRenamed', version: 1, data: { name: 'eu', previousName: 'production' } };
    const after = [created, recorded([], false), renamed].reduce(watchedAfter, UNWATCHED);
    expect(after).toEqual({ name: 'eu', snapshot: 2, compliant: false });
  });
});

it('tells every entry of an allow-list', () => {
  const event = {
    type: 'ArtifactAllowed',
    version: 1,
    data: { fingerprint: FINGERPRINT, name: 'web', description: '' },
  };
  expect(occurrencesOf(UNWATCHED, event, META)).toMatchObject([
    { trigger: 'ON_ALLOWED_ARTIFACT', type: 'ARTIFACT_ALLOWED', artifact: { name: 'web', fingerprint: FINGERPRINT } },
  ]);
});

describe('who hears', () => {
  const all = occurrencesOf(
    { ...UNWATCHED, compliant: true },
    recorded([change({}), change({ change: 'exited', now: 0 })], false),
    META,
  );
  const notification = (environments: string[], triggers: Trigger[], deleted = false) => ({
    environments,
    triggers,
    deleted,
  });
  it.each([
    ['its environment and trigger', notification(['a', 'e'], ['ON_EXITED_ARTIFACT']), ['ON_EXITED_ARTIFACT']],
    [
      'two triggers',
      notification(['e'], ['ON_NON_COMPLIANT_ENV', 'ON_STARTED_ARTIFACT']),
      ['ON_STARTED_ARTIFACT', 'ON_NON_COMPLIANT_ENV'],
    ],
    ['another environment', notification(['a'], ['ON_EXITED_ARTIFACT']), []],
    ['no environment', notification([], ['ON_EXITED_ARTIFACT']), []],
    ['no trigger', notification(['e'], []), []],
    ['what is deleted', notification(['e'], ['ON_EXITED_ARTIFACT'], true), []],
  ])('of %s', (_, candidate, expected) => {
    expect(occurrencesFor(candidate, 'e', all).map(({ trigger }) => trigger)).toEqual(expected);
  });
});

it('puts many events into one message up to a limit, or each into its own', () => {
  const about = { org: 'acme', notification: 'n', environment: 'e', at: 1, snapshot: null };
  const many = occurrencesOf(UNWATCHED, recorded(Array.from({ length: 30 }, () => change({}))), META);
  const message = digest(about, many);
  expect([message.told.length, message.counts]).toEqual([LISTED_MAX, { ARTIFACT_STARTED: 30 }]);
  expect(message.told[0]).not.toHaveProperty('trigger');
  expect(messagePerEvent(about, many).map(({ told }) => told.length)).toEqual(Array.from({ length: 30 }, () => 1));
});

it('waits twice as long each time, up to an hour, with half of it by chance', () => {
  expect([1, 2, 3, 12, 13, 50].map((tries) => [backoff(tries, 0), backoff(tries, 1)])).toEqual([
    [500, 1_000],
    [1_000, 2_000],
    [2_000, 4_000],
    [1_024_000, 2_048_000],
    [1_800_000, 3_600_000],
    [1_800_000, 3_600_000],
  ]);
});

it.each([
  [null, null],
  ['120', 120_000],
  ['0', 0],
  ['soon', null],
  ['-5', null],
  ['Tue, 14 Nov 2023 22:13:30 GMT', 10_000],
  ['Tue, 14 Nov 2023 22:13:10 GMT', 0],
  ['999999999', 86_400_000],
])('reads Retry-After %s', (text, wait) => {
  const parse = (input: string) => (input.endsWith('GMT') ? Date.parse(input) : NaN);
  expect(retryAfter(text, 1_700_000_000_000, parse)).toBe(wait);
});
