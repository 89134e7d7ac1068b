import { keyOf } from '../../support/declared';
import { artifact, digest, flow, fresh, post, sbomForm } from '../../support/samples';
import type { Attack, Target } from '../attack';
import { OTHERS } from '../readers';

const VERSIONS = 5_000;
const COMPONENTS = 2_000;
const CIRCLE = 5_000;
/** How many entries have one name. */
const ALIASED = 15_000;
const TRIES = 10;
/** Questions at once, each about all components, with as many bounds as a range may have. */
const QUESTIONS = 4;

/** A version that takes as long to compare as one may: letters and digits in turn. */
const version = (i: number) => `1.${'a1'.repeat(40)}.${i}`;
const entry = (id: string, fields: object) => JSON.stringify({ id, modified: '2024-01-01T00:00:00Z', ...fields });
const packageOf = (name: string) => ({ ecosystem: 'Maven', name: `hostile:${name}` });
const event = (i: number) => (i % 2 === 0 ? { introduced: version(i * 4) } : { fixed: version(i * 4) });

const many = <Item>(count: number, of: (i: number) => Item) => Array.from({ length: count }, (_, i) => of(i));
const WILD = [
  '\u0000\u001b[2J',
  '\ud800',
  '<!DOCTYPE a [<!ENTITY b "c">]>&b;',
  '%00%0d%0a',
  '..%2f..%2f',
  '<img src=x>',
];
const openVex = ([name, ...aliases]: readonly string[], products: number) =>
  JSON.stringify({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    author: 'x'.repeat(1_000_000),
    timestamp: '2024-01-01T00:00:00Z',
    statements: [
      {
        vulnerability: { name, aliases },
        status: 'fixed',
        products: many(products, (i) => ({ '@id': `pkg:maven/hostile/a@${i}` })),
      },
    ],
  });

/** Files of vulnerabilities made to do harm, of a package of this name, and what is answered. */
const files = (
  name: string,
): readonly (readonly [name: string, content: string | Uint8Array<ArrayBuffer>, status: 201 | 400])[] => [
  [
    'a package of 5,000 ranges',
    entry(`${name}-1`, {
      affected: [
        {
          package: packageOf(name),
          ranges: [{ type: 'ECOSYSTEM', events: Array.from({ length: VERSIONS }, (_, i) => event(i)).reverse() }],
        },
      ],
    }),
    201,
  ],
  [
    'one package 200 times',
    entry(`${name}-2`, {
      affected: Array.from({ length: 200 }, (_, i) => ({
        package: packageOf(name),
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: version(i) }, { fixed: version(i + 1) }] }],
      })),
    }),
    201,
  ],
  [
    'a million ranges',
    entry(`${name}-3`, { affected: Array.from({ length: 1_000_000 }, () => ({ package: packageOf(name) })) }).slice(
      0,
      31 * 1024 * 1024,
    ),
    400,
  ],
  [
    'aliases in a circle',
    Array.from({ length: CIRCLE }, (_, i) =>
      entry(`${name}-C${i}`, { aliases: [`${name}-C${(i + 1) % CIRCLE}`] }),
    ).join('\n'),
    201,
  ],
  ['a million aliases', entry(`${name}-4`, { aliases: many(1_000_000, (i) => `A-${i}`) }), 400],
  [
    'names of one vulnerability',
    many(ALIASED, (i) => entry(`${name}-O${i}`, { aliases: [`${name}-ALL`] })).join('\n'),
    201,
  ],
  [
    'a version of 64 KiB',
    entry(`${name}-5`, { affected: [{ package: packageOf(name), versions: ['1'.repeat(65_536)] }] }),
    400,
  ],
  ['a time before all', entry(`${name}-6`, { modified: '0000-00-00T00:00:00Z' }), 400],
  ['a withdrawal at the end of time', entry(`${name}-7`, { withdrawn: '9999-12-31T23:59:59Z' }), 201],
  [
    'a statement about 15,000 products',
    openVex(
      many(20, (i) => `${name}-S${i}`),
      15_000,
    ),
    201,
  ],
  [
    'a statement with 50,000 names',
    openVex(
      many(50_000, (i) => `${name}-S${i}`),
      1,
    ),
    400,
  ],
  [
    'statements about control characters, entities and paths',
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      vulnerabilities: WILD.map((wild) => ({
        id: `${name}${wild}`,
        analysis: { state: 'not_affected', justification: 'code_not_present' },
        affects: [{ ref: `pkg:maven/hostile/${wild}@1` }, { ref: wild }],
      })),
    }),
    201,
  ],
  ['lists in lists', '['.repeat(31 * 1024 * 1024), 400],
  ['bytes of a zip file', Uint8Array.of(0x50, 0x4b, 3, 4, ...Array.from({ length: 1_000 }, (_, i) => i % 256)), 400],
];

/** A package of 5,000 ranges once was sorted again for each component, and a comparison of long versions takes 0.3 ms. */
export const attack: Attack = {
  name: 'vulnerabilities of one package with 5,000 ranges, aliases in circles, and files of nesting come, and 2,000 components are compared with them',
  leavesWork: true,
  afresh: true,
  async prepare(target) {
    const [member, flowName, fingerprint] = [
      target.as('member'),
      await flow(target.as('member')),
      digest(fresh('artifact')),
    ];
    await post(member, flowName, artifact(fingerprint, { trail_name: 'build-1' }));
    // Nothing that an earlier try imported is compared again.
    const hostile = fresh('hostile');
    const components = Array.from({ length: COMPONENTS }, (_, i) => {
      return `{"name":"${hostile}","purl":"pkg:maven/hostile/${hostile}@${version(i)}"}`;
    });
    const bom = `{"bomFormat":"CycloneDX","specVersion":"1.6","components":[${components.join()}]}`;
    const bounds = Array.from({ length: 20 }, (_, i) => `>=1.${'a1'.repeat(20)}.${i}`).join();
    const question = `/components/acme?purl=pkg:maven/hostile/${hostile}&range=${encodeURIComponent(bounds)}`;
    return {
      probe: OTHERS,
      async run() {
        await send(
          target,
          `/attestations/acme/${flowName}/trail/build-1/system`,
          'member',
          () => sbomForm(bom, fingerprint),
          201,
          'a bill of materials',
        );
        for (const [name, content, status] of files(hostile)) {
          await send(target, '/vulnerabilities/acme', 'admin', () => formOf(content), status, name);
        }
        await Promise.all([
          ...Array.from({ length: QUESTIONS }, () => ask(target, question)),
          ...[`${hostile}-1`, `${hostile}-C1`, `${hostile}-ALL`, `${hostile}-S1`].map((id) =>
            ask(target, `/vulnerabilities/acme/${id}`),
          ),
          ask(target, '/vulnerabilities/acme'),
        ]);
      },
    };
  },
};

function formOf(content: string | Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set('data_json', '{}');
  form.append('attachment_file', new Blob([content]), 'db.json');
  return form;
}

/** It may take longer than a `Caller` waits. A caller above its share tries again. */
async function send(
  { url }: Target,
  path: string,
  role: 'member' | 'admin',
  form: () => FormData,
  status: number,
  name: string,
): Promise<void> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const headers = { authorization: `Bearer ${keyOf(role)}` };
    const answer = await fetch(`${url}/api/v2${path}`, { method: 'POST', headers, body: form() }).catch(() => null);
    if (answer === null || answer.status === 429) continue;
    const text = await answer.text();
    // A refusal says which field is wrong.
    if (status === 400 && !/"(?:attachment_file|data_json)/.test(text))
      throw new Error(`${name}: ${text.slice(0, 500)}`);
    if (answer.status !== status) throw new Error(`${name} was answered ${answer.status}: ${text.slice(0, 500)}`);
    return;
  }
}

async function ask({ url }: Target, path: string): Promise<void> {
  const answer = await fetch(`${url}/api/v2${path}`, { headers: { authorization: `Bearer ${keyOf('reader')}` } });
  await answer.text();
  if (![200, 400, 404, 429].includes(answer.status)) throw new Error(`${path} was answered ${answer.status}`);
}
