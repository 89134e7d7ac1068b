import type { ListedComponent } from '@assurance/contracts/evidence/events';
import type { ComponentPattern } from '@assurance/contracts/policies/events';
import fc from 'fast-check';
import { deniedIn, readDenyingRule } from './denied';
import { readPattern } from './pattern';

const component = (purl: string | null, version: string | null = purl?.split('@').at(-1) ?? null): ListedComponent => ({
  purl,
  name: 'n',
  version,
  licences: [],
  sha256: null,
});
const pattern = (purl: string, range: string | null = null): ComponentPattern => ({ purl, range });
const denied = (
  deny: readonly ComponentPattern[],
  components: readonly ListedComponent[],
  exceptions: readonly (ComponentPattern | null)[] = [],
) =>
  deniedIn(
    readDenyingRule({ deny, exceptions: exceptions.map((component) => ({ if: null, until: null, component })) }),
    components,
  );

describe('a pattern', () => {
  it.each([
    ['pkg:npm/lodash', null, 'pkg:npm/lodash@4.17.20', true],
    ['pkg:npm/lodash', null, 'pkg:npm/lodash.merge@4.6.2', false],
    ['pkg:npm/lodash', null, 'pkg:npm/%40acme/lodash@1.0.0', false],
    ['pkg:npm/lodash', null, 'pkg:gem/lodash@1.0.0', false],
    ['pkg:npm/lodash@4.17.20', null, 'pkg:npm/lodash@4.17.20', true],
    ['pkg:npm/lodash@4.17.20', null, 'pkg:npm/lodash@4.17.21', false],
    ['pkg:npm/lodash', '<4.17.21', 'pkg:npm/lodash@4.17.9', true],
    ['pkg:npm/lodash', '<4.17.21', 'pkg:npm/lodash@4.17.21', false],
    ['pkg:npm/lodash*', null, 'pkg:npm/lodash.merge@4.6.2', true],
    ['pkg:npm/*', null, 'pkg:npm/%40acme/lodash@1.0.0', true],
    ['pkg:NPM/*', null, 'pkg:npm/left-pad@1.0.0', true],
    ['pkg:npm/*', null, 'pkg:gem/left-pad@1.0.0', false],
    ['pkg:npm/@acme/*', null, 'pkg:npm/%40acme/lodash@1.0.0', true],
    ['pkg:npm/%40acme/*', '>=2', 'pkg:npm/%40acme/lodash@1.0.0', false],
    ['pkg:npm/@acme/core@1.0.0', null, 'pkg:npm/%40acme/core@1.0.0', true],
    ['pkg:maven/*', null, 'pkg:maven/org.example/lib@1', true],
    ['pkg:maven/org.apache.*/log4j-*', '>=2,<2.17', 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1', true],
    ['pkg:maven/org.apache.*/log4j-*', '>=2,<2.17', 'pkg:maven/org.apache.logging.log4j/log4j-core@2.17.1', false],
    ['pkg:maven/org.example/lib@1.0', null, 'pkg:maven/org.example/lib@1', true],
    ['pkg:golang/github.com/acme/*', null, 'pkg:golang/github.com/acme/a/b@v1.0.0', true],
    ['pkg:golang/github.com/*/b', null, 'pkg:golang/github.com/acme/a/b@v1.0.0', true],
    ['pkg:pypi/My_Package', null, 'pkg:pypi/my-package@1.0', true],
    ['pkg:pypi/My_*', null, 'pkg:pypi/my-package@1.0', true],
    ['pkg:pypi/ruamel-yaml', null, 'pkg:pypi/ruamel.yaml@0.15', true],
    ['pkg:pypi/ruamel.yaml', '<1', 'pkg:pypi/ruamel--yaml@0.15', true],
    ['pkg:pypi/ruamel.*', null, 'pkg:pypi/ruamel-yaml@0.15', true],
    ['pkg:pypi/ruamelyaml', null, 'pkg:pypi/ruamel.yaml@0.15', false],
    ['pkg:nuget/newtonsoft.json', null, 'pkg:nuget/Newtonsoft.Json@12.0.3', true],
    ['pkg:nuget/NEWTON*', null, 'pkg:nuget/Newtonsoft.Json@12.0.3', true],
    ['pkg:nuget/newtonsoft-json', null, 'pkg:nuget/Newtonsoft.Json@12.0.3', false],
    ['pkg:npm/A.b', null, 'pkg:npm/a-b@1.0.0', false],
    ['pkg:swift/github.com/acme/*', null, 'pkg:swift/github.com/acme/kit@1.0.0', true],
    ['pkg:deb/debian/openssl', '<3.0.11-1~deb12u2', 'pkg:deb/debian/openssl@3.0.9-1?arch=amd64', true],
    ['pkg:npm/a*a', null, 'pkg:npm/a@1.0.0', false],
    ['pkg:npm/a*b*c', null, 'pkg:npm/a-b-b-c@1.0.0', true],
    ['pkg:npm/a*b*c', null, 'pkg:npm/a-c-b@1.0.0', false],
  ])('%s %s names %s: %j', (purl, range, of, isNamed) => {
    const version = /@([^@?]*)(\?.*)?$/.exec(of)?.[1] ?? null;
    expect(denied([pattern(purl, range)], [component(of, version)])).toHaveLength(isNamed ? 1 : 0);
  });

  it.each([
    ['lodash', null, 'purl', 'Input should be a package URL such as'],
    ['pkg:npm/', null, 'purl', 'Input should be a package URL such as'],
    ['pkg:*/lodash', null, 'purl', 'Input should be a package URL such as'],
    ['pkg:npm/a?arch=x', null, 'purl', 'no qualifiers and no subpath'],
    ['pkg:npm/a#b', null, 'purl', 'no qualifiers and no subpath'],
    ['pkg:maven/log4j', null, 'purl', 'with the parts that its type needs'],
    ['pkg:npm/a\u0007', null, 'purl', 'with the parts that its type needs'],
    ['pkg:npm/a%07', null, 'purl', 'with the parts that its type needs'],
    ['pkg:npm/a@1.*', null, 'purl', 'no * in the version'],
    [`pkg:npm/${'a'.repeat(512)}`, null, 'purl', 'at most 512 characters'],
    ['pkg:npm/a@1.0.0', '<2', 'range', 'not both'],
    ['pkg:npm/a', 'newest', 'range', undefined],
    ['pkg:npm/a', '', 'range', 'a range such as'],
    ['pkg:npm/a', Array(21).fill('1').join('|'), 'range', 'at most 20 bounds'],
  ])('%s %s is refused', (purl, range, field, problem) => {
    const read = readPattern({ purl, range });
    if (problem === undefined) expect(read).not.toHaveProperty('problem');
    else expect(read).toEqual({ field, problem: expect.stringContaining(problem) });
  });

  it('is read or refused, whatever it is, and never takes long', () => {
    const piece = fc.constantFrom(
      'pkg:',
      'npm',
      'maven',
      '/',
      '@',
      '*',
      '**',
      '%',
      '%2a',
      'a',
      '1',
      '?',
      '#',
      ' ',
      'é',
      '.',
    );
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          text.map((end) => `pkg:npm/${end}`),
        ),
        (purl) => {
          const read = readPattern({ purl, range: null });
          if (!('problem' in read))
            denied([{ purl, range: null }], [component('pkg:npm/a@1'), component('pkg:npm/%2a@1')]);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('components that a rule denies', () => {
  const [ALL, LODASH] = [pattern('pkg:npm/*'), pattern('pkg:npm/lodash', '<4')];
  const NAMED = { deny: 0, unsure: false, exceptions: [], count: 1 };

  it('are those of a package URL', () =>
    expect(denied([ALL], [component(null), component('pkg:gem/a@1.0.0')])).toEqual([]));

  it('are the components that cannot be compared with the range', () => {
    const [none, odd] = [component('pkg:npm/lodash', null), component('pkg:npm/lodash@x%20y', 'x y')];
    expect(denied([LODASH], [none, odd])).toEqual([{ ...NAMED, unsure: true, first: [none.purl, odd.purl], count: 2 }]);
    // A certain match takes precedence, and no exception applies to unknown components.
    expect(denied([LODASH, ALL], [none], [LODASH])).toEqual([{ ...NAMED, deny: 1, first: [none.purl] }]);
  });

  it('are grouped by pattern and by the exceptions that name them', () => {
    const [firstComponent, secondComponent, thirdComponent] = ['lodash@3.0.0', 'lodash@4.0.0', 'left-pad@1.0.0'].map(
      (text) => component(`pkg:npm/${text}`),
    ) as [ListedComponent, ListedComponent, ListedComponent];
    const exceptions = [null, pattern('pkg:npm/lodash'), LODASH];
    expect(denied([LODASH, ALL], [firstComponent, secondComponent, thirdComponent], exceptions)).toEqual([
      { ...NAMED, exceptions: [1, 2], first: [firstComponent.purl] },
      { ...NAMED, deny: 1, exceptions: [1], first: [secondComponent.purl] },
      { ...NAMED, deny: 1, first: [thirdComponent.purl] },
    ]);
  });

  it('are named up to five and counted', () => {
    const many = Array.from({ length: 500 }, (_, i) => component(`pkg:npm/a${i}@1.0.0`));
    expect(denied([ALL], many)).toMatchObject([{ first: { length: 5 }, count: 500 }]);
  });
});
