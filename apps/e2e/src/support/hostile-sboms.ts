/** A bill of materials that somebody sends to do harm, and what is answered. */
export interface HostileSbom {
  readonly name: string;
  readonly content: string;
  readonly status: 201 | 400;
}

const head = '"bomFormat":"CycloneDX","specVersion":"1.6"';
const json = (components: string) => `{${head},"components":[${components}]}`;
const xml = (inner: string, before = '') =>
  `<?xml version="1.0"?>${before}<bom xmlns="http://cyclonedx.org/schema/bom/1.6">${inner}</bom>`;
const many = (count: number, of: (i: number) => string, between = ',') =>
  Array.from({ length: count }, (_, i) => of(i)).join(between);

const LAUGHS = `<!DOCTYPE bom [<!ENTITY a0 "ha">${many(
  30,
  (i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`,
  '',
)}]>`;
const FROM_OUTSIDE =
  '<!DOCTYPE bom [<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "http://127.0.0.1:1/p">%p;]>';
/** Control characters, as they are and escaped in JSON and in a URL, a half of a surrogate pair, and texts of no end. */
const PURLS = [
  'pkg:npm/a\\u0000b@1',
  'pkg:npm/a\\u001bb@1',
  'pkg:npm/a\\u007f@1',
  'pkg:npm/a@1%00',
  'pkg:npm/a%0d%0ab@1',
  'pkg:npm/\\ud800@1',
  'pkg:npm/%ff@1',
  'pkg:npm/a?x=%00',
  'pkg:npm/a#%2e%2e/%0a',
  'pkg:',
  'pkg:npm/..%2f..%2fa@1',
  `pkg:npm/${'%61'.repeat(100_000)}@1`,
  `pkg:npm/a@${'9'.repeat(100_000)}`,
  `pkg:${'/'.repeat(100_000)}a`,
];

/**
 * Bills of materials made to do harm, in every format that is read.
 *
 * @param scale 1 for attacks; less for files that a spec reads in moments
 */
export function hostileSboms(scale: number): readonly HostileSbom[] {
  const count = (full: number) => Math.ceil(full * scale);
  const nested = count(3_000_000);
  // More than may be listed, at least.
  const tooMany = Math.max(300_001, count(1_000_000));
  return [
    { name: 'lists in lists', content: `{${head},"components":${'['.repeat(nested)}`, status: 400 },
    { name: 'objects in objects', content: `{${head},"x":${'{"x":'.repeat(nested)}`, status: 400 },
    {
      name: 'components in components',
      content: json('{"name":"a","components":['.repeat(count(1_000_000))),
      status: 400,
    },
    { name: 'elements in elements', content: xml('<components>'.repeat(count(1_000_000))), status: 400 },
    {
      name: 'a million components',
      content: json(many(tooMany, (i) => `{"name":"a","purl":"pkg:npm/a@${i}"}`)),
      status: 400,
    },
    {
      name: 'a million components in XML',
      content: xml(`<components>${many(tooMany, (i) => `<component><name>${i}</name></component>`, '')}</components>`),
      status: 400,
    },
    {
      name: 'a million packages in tags',
      content: `SPDXVersion: SPDX-2.3\n${many(tooMany, (i) => `PackageName: p${i}\nPackageVersion: 1\n`, '')}`,
      status: 400,
    },
    { name: 'entities of entities', content: xml('<components>&a30;</components>', LAUGHS), status: 400 },
    { name: 'entities from outside', content: xml('<components>&f;</components>', FROM_OUTSIDE), status: 400 },
    {
      name: 'package URLs with control characters',
      content: json(many(PURLS.length, (i) => `{"name":"a","purl":"${PURLS[i]}"}`)),
      status: 201,
    },
    {
      name: 'as many components as are read, each three times',
      content: json(
        many(count(300_000), (i) => `{"name":"a${i % count(100_000)}","purl":"pkg:npm/a@1.${i % count(100_000)}"}`),
      ),
      status: 201,
    },
    {
      name: 'texts of megabytes',
      content: json(`{"name":"${'n'.repeat(count(20_000_000))}","version":"${'9'.repeat(count(20_000_000))}"}`),
      status: 201,
    },
    {
      name: 'a component of a million licences',
      content: json(`{"name":"a","licenses":[${many(count(1_000_000), (i) => `{"license":{"id":"L${i}"}}`)}]}`),
      status: 201,
    },
    { name: 'half a document', content: json('{"name":"a"},').slice(0, -2), status: 400 },
  ];
}
