import type { EnvironmentEvent } from '@assurance/contracts/environments/answers/environment-event';
import { Caller } from './support/caller';
import { OTHER_KEY } from './support/declared';
import { digest, environment, fresh, item } from './support/samples';
import { seededRandom } from './support/seeded';
import { onEveryDeployment } from './support/world';

const STEPS = 100;
const [web, api] = [digest('web'), digest('api')];

/** Reports: unchanged ones, equal ones in another form, and ones with more or fewer instances. */
const BODIES = [
  [item({ web })],
  [item({ web }), item({ web })],
  [item({ web }), item({ api })],
  [item({ api }), item({ web })],
  [],
].map((artifacts) => JSON.stringify({ artifacts }));

onEveryDeployment((world) => {
  /** Random steps on two equal environments: one gets the same bytes again, the other gets new bytes. */
  it('answers known bodies like unknown ones', async () => {
    const random = seededRandom(20_261_121);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const { url, contract } = world();
    const others = [
      world().as('reader'),
      new Caller(url, contract, `Bearer ${OTHER_KEY}`),
      new Caller(url, contract, null),
    ];
    const caller = world().as('admin');
    let names = [await environment(caller), await environment(caller)];
    const pairs: string[][] = [names];
    let unseen = 0;

    const report = async (from: Caller, kind: string, body: string, query = '') =>
      Promise.all(
        names.map(async (name, twin) => {
          const text = twin === 0 ? body : body + ' '.repeat((unseen += 1));
          const sent = { text, headers: { 'x-request-id': 'twin' } };
          const {
            status,
            headers,
            text: output,
          } = await from.send('PUT', `/environments/acme/${name}/report/${kind}${query}`, sent);
          const otherHeaders = [...headers].filter(
            ([header]) => !['date', 'content-length'].includes(header) && !header.startsWith('ratelimit-'),
          );
          return JSON.stringify([status, otherHeaders, output]).replaceAll(name, 'NAME');
        }),
      );
    const change = (method: string, path: string, json: (name: string) => unknown) =>
      Promise.all(
        names.map((name) =>
          caller.send(method, `/environments/acme${path.replace('NAME', name)}`, { json: json(name) }),
        ),
      );
    const settings = (includes: boolean) =>
      change('PUT', '', (name) => ({ name, type: 'docker', description: '', include_scaling: includes }));
    const answers = new Set<string>();

    for (let step = 0; step < STEPS; step += 1) {
      const chance = random();
      if (chance < 0.03) await change('PUT', '/NAME/archive', () => null);
      else if (chance < 0.12) await settings(pick([true, false]));
      else if (chance < 0.16) {
        const next = [fresh('env'), fresh('env')];
        const renamed = await change('PUT', '/NAME/rename', (name) => ({ new_name: next[names.indexOf(name)] }));
        // An alias reports as well as a name, until settings under it make another environment.
        if (renamed[0]?.status === 200) pairs.push(next);
        if (renamed[0]?.status === 200 && random() < 0.5) names = next;
      }
      const from = chance > 0.9 ? pick(others) : caller;
      const [existing, unknown] = await report(from, chance > 0.85 && chance < 0.9 ? 'server' : 'docker', pick(BODIES));
      expect(existing).toBe(unknown);
      answers.add(String(existing));
    }
    // Without them the steps would show nothing.
    for (const part of ['no new snapshot needed', 'created', 'archived', '[401', '[403', '[400'])
      expect([...answers].some((answer) => answer.includes(part))).toBe(true);

    const changesOf = async (name: string) => {
      const { status, body } = await caller.send('GET', `/environments/acme/${name}/events?per_page=50`);
      if (status !== 200) return [];
      const events = body as EnvironmentEvent[];
      return events.map(({ type, snapshot_index: n, description, sha256 }) => [type, n, description, sha256]);
    };
    let many = 0;
    for (const twins of [...pairs, names]) {
      const [firstChanges = [], secondChanges = []] = await Promise.all(twins.map(changesOf));
      expect(firstChanges).toEqual(secondChanges);
      many += firstChanges.length;
    }
    expect(many).toBeGreaterThan(5);
  }, 240_000);
});
