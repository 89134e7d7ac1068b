import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { answerWeight } from '@assurance/contracts/http/large-answers';
import type { Route } from '@assurance/contracts/http/route';
import { routes } from '@assurance/contracts/http/routes/routes';
import { ATTACKED, type AttackCoverage } from './attacks/largest-answers';

const cases = readdirSync(join(__dirname, 'attacks/cases')).map((file) => file.replace(/\.ts$/, ''));
const reads = Object.values<Route>(routes).filter(({ method, owner }) => method === 'GET' || owner === 'projection');
const attacked: Readonly<Record<string, AttackCoverage | undefined>> = ATTACKED;

/** Pages of at most 100 rows, a stream of changes, and a document that is built once. */
const WEIGHTLESS = [
  'followChanges',
  'listDeployments',
  'listDetailedDeployments',
  'listRepoDeployments',
  'listSnapshots',
  'openapi',
];

describe('the attacks', () => {
  it('say of each route that reads by which of them it is read, or why by none', () => {
    expect(Object.keys(ATTACKED).sort()).toEqual(reads.map(({ id }) => id).sort());
    for (const attackedRoute of Object.values<AttackCoverage>(ATTACKED)) {
      if ('by' in attackedRoute) expect(cases).toContain(attackedRoute.by);
      else expect(attackedRoute.not.length).toBeGreaterThan(10);
    }
  });

  it('read every route whose answer may be large', () => {
    const large = reads.filter((route) => answerWeight(route) > 0).map(({ id }) => id);
    expect(large.length).toBeGreaterThan(0);
    expect(large.filter((id) => !('by' in (attacked[id] ?? {})))).toEqual([]);
  });

  it('read no large answer that is not made a few at a time, but for pages and a document that is made once', () => {
    const weightless = reads.filter((route) => 'by' in (attacked[route.id] ?? {}) && answerWeight(route) === 0);
    expect(weightless.map(({ id }) => id).sort()).toEqual(WEIGHTLESS);
  });
});
