import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { answerWeight } from '@assurance/contracts/http/large-answers';
import type { Route } from '@assurance/contracts/http/route';
import { routes } from '@assurance/contracts/http/routes/routes';
import { ATTACKED, type Attacked } from './attacks/largest-answers';

const cases = readdirSync(join(__dirname, 'attacks/cases')).map((file) => file.replace(/\.ts$/, ''));
const reads = Object.values<Route>(routes).filter(({ method, owner }) => method === 'GET' || owner === 'projection');
const attacked: Readonly<Record<string, Attacked | undefined>> = ATTACKED;

describe('the attacks', () => {
  it('say of each route that reads by which of them it is read, or why by none', () => {
    expect(Object.keys(ATTACKED).sort()).toEqual(reads.map(({ id }) => id).sort());
    for (const one of Object.values<Attacked>(ATTACKED)) {
      if ('by' in one) expect(cases).toContain(one.by);
      else expect(one.not.length).toBeGreaterThan(10);
    }
  });

  it('read every route whose answer may be large', () => {
    const large = reads.filter((route) => answerWeight(route) > 0).map(({ id }) => id);
    expect(large.length).toBeGreaterThan(0);
    expect(large.filter((id) => !('by' in (attacked[id] ?? {})))).toEqual([]);
  });
});
