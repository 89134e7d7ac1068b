import fc from 'fast-check';
import type { InstanceContext } from '@assurance/contracts/environments/events';
import { canonicalJson, sha256 } from '@assurance/kernel';
import { baseName } from './artifact-line';
import { byKey, contextsKey, keyText, runsDigest, runsDigests } from './runs';

const artifact = fc.record({
  fingerprint: fc.constantFrom('', 'aa', 'bb', 'cc'),
  name: fc.constantFrom('web', 'web:1', 'api', '€', '\ufb33', '😀'),
  instances: fc.array(fc.nat(100), { minLength: 1, maxLength: 4 }),
});
const artifacts = fc.uniqueArray(artifact, { selector: keyText, maxLength: 8 });
const shuffled = artifacts.chain((all) =>
  fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
);

const countOf = (all: readonly { fingerprint: string; instances: readonly number[] }[], of: string) =>
  all.reduce((sum, { fingerprint, instances }) => sum + (fingerprint === of ? instances.length : 0), 0);

describe('the digests of running artifacts', () => {
  it('do not depend on its order', () => {
    fc.assert(fc.property(shuffled, ([all, turned]) => expect(runsDigests(turned)).toEqual(runsDigests(all))));
  });

  it('differ exactly when the artifacts differ, and counted when artifacts or counts do', () => {
    const linesOf = (
      all: readonly { fingerprint: string; name: string; instances: readonly number[] }[],
      counted: boolean,
    ) =>
      JSON.stringify(
        [...all]
          .sort(byKey)
          .filter(
            ({ fingerprint, name }) =>
              fingerprint !== '' || !all.some((run) => run.fingerprint !== '' && run.name === name),
          )
          .map(({ fingerprint, name, instances }) => [
            fingerprint,
            fingerprint === '' ? name : '',
            counted ? (fingerprint === '' ? instances.length : countOf(all, fingerprint)) : 0,
          ])
          .filter(([fingerprint], i, sorted) => fingerprint === '' || sorted[i - 1]?.[0] !== fingerprint),
      );
    fc.assert(
      fc.property(artifacts, artifacts, (a, b) => {
        const [left, right] = [runsDigests(a), runsDigests(b)];
        expect(left.runs === right.runs).toBe(linesOf(a, false) === linesOf(b, false));
        expect(left.runsCounted === right.runsCounted).toBe(linesOf(a, true) === linesOf(b, true));
      }),
    );
  });

  it('tell counts apart only where they are counted, and never times', () => {
    const web = { fingerprint: 'aa', name: 'web', instances: [1, 2] };
    const [two, three, later] = [web, { ...web, instances: [1, 2, 3] }, { ...web, instances: [8, 9] }].map((run) =>
      runsDigests([run]),
    );
    expect(three?.runs).toBe(two?.runs);
    expect(three?.runsCounted).not.toBe(two?.runsCounted);
    expect(later).toEqual(two);
  });

  it('go by fingerprint, and by name where the digest is unknown and nothing is known under that name', () => {
    const of = (...all: readonly (readonly [string, string])[]) =>
      runsDigest(
        all.map(([fingerprint, name]) => ({ fingerprint, name, instances: [1] })),
        'runs',
      );
    expect(of(['aa', 'web:1'])).toBe(of(['aa', 'web:2'], ['aa', 'web:3']));
    expect(of(['aa', 'web'], ['', 'web'])).toBe(of(['aa', 'web']));
    expect(of(['', 'web'])).not.toBe(of(['', 'api']));
  });

  it.each([63, 64, 65, 200])('of %s artifacts equal those of canonical JSON', (many) => {
    const all = Array.from({ length: many }, (_, i) => ({
      fingerprint: `${i}`,
      name: `w"eb-${i}`,
      instances: [i],
    }));
    const values = [...all].sort(byKey).map(({ fingerprint }) => [fingerprint]);
    expect(runsDigest(all, 'runs')).toBe(sha256(canonicalJson(values)));
  });

  it('of earlier versions equal those of canonical JSON, also if only one is computed', () => {
    fc.assert(
      fc.property(artifacts, (all) => {
        const values = [...all].sort(byKey).map((run) => [run.fingerprint, run.name, run.instances.length]);
        const runs = sha256(canonicalJson(values.map(([fingerprint, name]) => [fingerprint, name])));
        expect(runsDigests(all, {}, 'name')).toEqual({ runs, runsCounted: sha256(canonicalJson(values)) });
        expect(runsDigest(all, 'runs', 'name')).toBe(runs);
        expect(runsDigest(all, 'runsCounted', 'name')).toBe(sha256(canonicalJson(values)));
      }),
    );
  });

  it('are not made again where they are known', () => {
    const web = [{ fingerprint: 'aa', name: 'web', instances: [1] }];
    const { runs, runsCounted } = runsDigests(web);
    expect(runsDigests(web, { runs: 'known' })).toEqual({ runs: 'known', runsCounted });
    expect(runsDigests(web, { runsCounted: 'known' })).toEqual({ runs, runsCounted: 'known' });
  });

  it('never change, because they are stored', () => {
    expect(runsDigests([])).toEqual({
      runs: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
      runsCounted: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    });
    const web = [{ fingerprint: 'aa', name: 'web', instances: [1, 2] }];
    expect(runsDigests(web)).toEqual({
      runs: '3305148cd434cc07af5bde6c578a41e1dc095fa5fa5d4b93c78d96986a20a161',
      runsCounted: '571789c83664e1f48b5fb0723a06e6608cfe1c7e3ca27d6f785d191f1fc15f2d',
    });
    expect(runsDigests(web, {}, 'name')).toEqual({
      runs: '13e49e73f20cf2c6fe644501ac565e1ba61cf75dc67acc216ea8420a1a2aeead',
      runsCounted: 'deaf719a27143cd860816fdbc186b4f957f10d4afa7b774b5546015c4b33f226',
    });
  });
});

describe('the order of artifacts', () => {
  it('is by fingerprint, then name, by UTF-16 code units', () => {
    const ordered = [
      ['', 'b'],
      ['aa', 'B'],
      ['aa', 'a'],
      ['aa', '😀'],
      ['aa', '\ufb33'],
      ['b', 'a'],
    ].map(([fingerprint, name]) => ({
      fingerprint: fingerprint ?? '',
      name: name ?? '',
    }));
    expect([...ordered].reverse().sort(byKey)).toEqual(ordered);
  });

  it('is 0 only for the same artifact, and so is the one text', () => {
    fc.assert(fc.property(artifact, artifact, (a, b) => expect(byKey(a, b) === 0).toBe(keyText(a) === keyText(b))));
  });
});

describe('a name without tag and digest', () => {
  const digest = `sha256:${'0a'.repeat(32)}`;
  it.each([
    ['web', 'web'],
    ['web:1.2', 'web'],
    ['shop/web', 'shop/web'],
    ['shop/web:latest', 'shop/web'],
    ['registry.example/shop/web:1.2', 'registry.example/shop/web'],
    ['registry:5000/shop/web', 'registry:5000/shop/web'],
    ['registry:5000/shop/web:1.2', 'registry:5000/shop/web'],
    [`web@${digest}`, 'web'],
    [`web:1.2@${digest}`, 'web'],
    [`registry:5000/shop/web:1.2@${digest}`, 'registry:5000/shop/web'],
    [`registry:5000/shop/web@${digest}`, 'registry:5000/shop/web'],
    ['ada@home/web', 'ada@home/web'],
    ['', ''],
  ])('of %j is %j', (name, base) => expect(baseName(name)).toBe(base));

  it('has none of its own', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9./-]{0,12}(:[a-z0-9.]{1,6})?(@sha256:[0-9a-f]{64})?$/), (name) =>
        expect(baseName(baseName(name))).toBe(baseName(name)),
      ),
    );
  });
});

describe('the key of details', () => {
  const pod = {
    of: 'pod',
    pod: 'web-0',
    namespace: 'shop',
    owners: [{ apiVersion: 'v1', kind: 'Set', name: 'a', uid: '1' }],
  } as const;

  it('is the same for fields in any order, and another for other details', () => {
    const stored = JSON.parse(canonicalJson([pod])) as (typeof pod)[];
    expect(contextsKey(stored)).toBe(contextsKey([pod]));
    expect(contextsKey([{ ...pod, pod: 'web-1' }])).not.toBe(contextsKey([pod]));
    expect(contextsKey([{ ...pod, owners: null }])).not.toBe(contextsKey([pod]));
  });

  // Of new details: the key that a first run prints.
  it('never changes, because states store it', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u' };
    const owners = [{ ...owner, controller: true, blockOwnerDeletion: false }, owner];
    const kinds: readonly (readonly InstanceContext[])[] = [
      [],
      [{ of: 'pod', pod: 'web-0', namespace: 'shop', owners }],
      [{ of: 'pod', pod: 'web-0', namespace: 'shop', owners: null }],
      [{ of: 'task', arn: 'arn:aws:ecs:task/1', cluster: 'shop', service: null }],
      [{ of: 'azure-app', app: 'web', kind: 'app,linux', digestsSource: 'acr' }],
      [{ of: 'cloud-run', kind: 'service', service: 'web', revision: 'web-1', job: null }],
    ];
    expect(kinds.map(contextsKey)).toEqual([
      '1ryy6zgcqha',
      '1ss74vyt3v3',
      '1dronbpelof',
      'i6jpfmgbed',
      '1elyo2jfgmv',
      '10z2x2is97r',
    ]);
  });

  it('exists where a newer process recorded a kind that this one does not know', () => {
    const newer = { of: 'container', host: 'edge-1' } as unknown as InstanceContext;
    expect(contextsKey([newer])).not.toBe(contextsKey([]));
  });

  it('is another for each of many', () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => contextsKey([{ ...pod, pod: `web-${i}` }]));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
