import fc from 'fast-check';
import { isSameLine, type LineArtifact } from './artifact-line';
import { matchReplacements } from './replaced';

const from = (base: string, repo: string | null, template: string | null = null): LineArtifact => ({
  base,
  origin: { flow: 'f', template, repo },
});
const replaced = (departed: readonly LineArtifact[], arrived: readonly LineArtifact[]) => {
  const pairs = matchReplacements(departed, arrived);
  return departed.map((left) => {
    const result = pairs.get(left);
    return result === undefined ? null : arrived.indexOf(result);
  });
};

describe('what is replaced in a snapshot', () => {
  it.each<[string, readonly LineArtifact[], readonly LineArtifact[], readonly (number | null)[]]>([
    ['nothing, when nothing of its line started', [from('web', 'r')], [from('api', 'r'), from('web', 's')], [null]],
    ['the same name of the same repository', [from('web', 'r')], [from('web', 's'), from('web', 'r')], [1]],
    ['the same template of it', [from('a', 'r', 'app')], [from('b', 'r', 'app')], [0]],
    ['the name before the template', [from('a', 'r', 'app')], [from('b', 'r', 'app'), from('a', 'r', 'app')], [1]],
    ['the name, where a repository is unknown', [from('web', null)], [from('web', 'r')], [0]],
    ['the newest first, each by one', [from('web', 'r'), from('web', 'r')], [from('web', 'r')], [0, null]],
    [
      'each component by itself, where one template names all',
      [from('c3', 'r', 'app'), from('c0', 'r', 'app')],
      [from('c0', 'r', 'app')],
      [null, 0],
    ],
  ])('is %s', (_what, departed, arrived, expected) => expect(replaced(departed, arrived)).toEqual(expected));

  it('is of the same line, once, and nothing of one line is left on both sides', () => {
    const one = fc.record({
      base: fc.constantFrom('web', 'api'),
      origin: fc.option(
        fc.record({
          flow: fc.constant('f'),
          template: fc.constantFrom('app', 'job', null),
          repo: fc.constantFrom('r', 's', null),
        }),
      ),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 8 }), fc.array(one, { maxLength: 8 }), (departed, arrived) => {
        const pairs = matchReplacements(departed, arrived);
        for (const [left, come] of pairs) expect(isSameLine(left, come)).toBe(true);
        expect(new Set(pairs.values()).size).toBe(pairs.size);
        const taken = new Set(pairs.values());
        const left = departed.filter((each) => !pairs.has(each));
        const free = arrived.filter((each) => !taken.has(each));
        expect(left.some((each) => free.some((come) => isSameLine(each, come)))).toBe(false);
      }),
    );
  });
});
