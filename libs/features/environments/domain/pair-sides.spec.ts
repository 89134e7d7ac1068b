import fc from 'fast-check';
import { baseName, isSameLine, type Origin } from './artifact-line';
import { type ComparedArtifact, PAIR_KINDS, pairSides } from './pair-sides';

const artifact = (name: string, fields: Partial<ComparedArtifact> = {}): ComparedArtifact => ({
  key: name,
  name,
  base: baseName(name),
  origin: null,
  instanceCount: 1,
  startedAt: 0,
  ...fields,
});
const from = (repo: string, template: string | null = null): { readonly origin: Origin } => ({
  origin: { flow: 'f', template, repo },
});
const pairsOf = (left: readonly ComparedArtifact[], right: readonly ComparedArtifact[]) =>
  pairSides(left, right).map((pair) => `${pair.kind} ${pair.from?.name ?? '-'} ${pair.to?.name ?? '-'}`);

describe('what runs on two sides', () => {
  it.each<[string, readonly ComparedArtifact[], readonly ComparedArtifact[], readonly string[]]>([
    ['the same', [artifact('a:1')], [artifact('a:1')], ['same a:1 a:1']],
    ['the same under another name', [artifact('a:1', { key: 'd' })], [artifact('a:2', { key: 'd' })], ['same a:1 a:2']],
    ['in other numbers', [artifact('a:1')], [artifact('a:1', { instanceCount: 2 })], ['scaled a:1 a:1']],
    ['another version', [artifact('a:1')], [artifact('a:2')], ['changed a:1 a:2']],
    ['on one side alone', [artifact('a:1')], [artifact('b:1')], ['only_from a:1 -', 'only_to - b:1']],
    [
      'of other repositories',
      [artifact('a:1', from('r'))],
      [artifact('a:2', from('s'))],
      ['only_from a:1 -', 'only_to - a:2'],
    ],
    ['of one template', [artifact('a', from('r', 'app'))], [artifact('b', from('r', 'app'))], ['changed a b']],
    [
      'paired by name before template',
      [artifact('a:1', from('r', 'app')), artifact('b:1', from('r', 'app'))],
      [artifact('b:2', from('r', 'app'))],
      ['changed a:1 b:2', 'changed b:1 b:2'],
    ],
    [
      'paired with the newest first',
      [artifact('a:1', { startedAt: 1 }), artifact('a:2', { startedAt: 2 })],
      [artifact('a:3', { startedAt: 3 }), artifact('a:4', { startedAt: 4 })],
      ['changed a:1 a:3', 'changed a:2 a:4'],
    ],
    [
      'a second version beside the same one',
      [artifact('a:1')],
      [artifact('a:1'), artifact('a:2')],
      ['changed a:1 a:2', 'same a:1 a:1'],
    ],
    [
      'two versions where the other has one',
      [artifact('a:1'), artifact('a:2')],
      [artifact('a:3')],
      ['changed a:1 a:3', 'changed a:2 a:3'],
    ],
    ['nothing', [], [], []],
  ])('is %s', (_what, left, right, expected) => expect(pairsOf(left, right)).toEqual(expected));

  it('lists what changed first, then by name', () => {
    const left = [artifact('c:1'), artifact('a:1'), artifact('x:1'), artifact('s:1')];
    const right = [artifact('c:2'), artifact('a:2'), artifact('y:1'), artifact('s:1')];
    expect(pairsOf(left, right)).toEqual([
      'changed a:1 a:2',
      'changed c:1 c:2',
      'only_from x:1 -',
      'only_to - y:1',
      'same s:1 s:1',
    ]);
  });

  const side = fc.uniqueArray(
    fc.record({
      key: fc.integer({ min: 0, max: 11 }).map(String),
      base: fc.constantFrom('web', 'api'),
      origin: fc.option(
        fc.record({
          flow: fc.constant('f'),
          template: fc.constantFrom('app', null),
          repo: fc.constantFrom('r', 's', null),
        }),
      ),
      startedAt: fc.integer({ min: 0, max: 3 }),
    }),
    { selector: ({ key }) => key, maxLength: 8 },
  );
  const sides = fc
    .tuple(side, side)
    .map((sides) => sides.map((all) => all.map((one) => artifact(`${one.base}:${one.key}`, one))));

  it('is told of every artifact, and is on one side alone only if nothing of its line is on the other', () => {
    fc.assert(
      fc.property(sides, ([left = [], right = []]) => {
        const pairs = pairSides(left, right);
        expect(new Set(pairs.flatMap((pair) => pair.from ?? []))).toEqual(new Set(left));
        expect(new Set(pairs.flatMap((pair) => pair.to ?? []))).toEqual(new Set(right));
        for (const pair of pairs) {
          if (pair.from !== null && pair.to !== null) {
            expect(pair.from.key === pair.to.key).toBe(pair.kind === 'same' || pair.kind === 'scaled');
            expect(pair.from.key === pair.to.key || isSameLine(pair.from, pair.to)).toBe(true);
          }
          const [alone, others] = pair.from === null ? [pair.to, left] : [pair.from, right];
          if (pair.kind === 'only_from' || pair.kind === 'only_to')
            expect(others.some((other) => alone !== null && isSameLine(alone, other))).toBe(false);
        }
        const order = pairs.map(({ kind }) => PAIR_KINDS.indexOf(kind));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      }),
    );
  });

  it('is the same whatever the order in which it is read', () => {
    fc.assert(
      fc.property(sides, ([left = [], right = []]) => {
        expect(pairSides(left.toReversed(), right.toReversed())).toEqual(pairSides(left, right));
      }),
    );
  });
});
