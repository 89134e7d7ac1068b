import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { plan } from './plan.ts';

type Plan = ReturnType<typeof plan>;

const TOPIC = join(__dirname, '../../libs/storage/kafka/src/topic.ts');

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(__dirname, 'capacity.ts'), ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function planned(...args: string[]): Plan {
  const [one] = JSON.parse(run('--json', ...args).stdout) as Plan[];
  if (one === undefined) throw new Error('no plan');
  return one;
}

const countOf = ({ parts }: Plan, part: string) => parts.find(({ name }) => name === part)?.count ?? 0;

describe('npm run capacity', () => {
  it('gives each part the time that its reports take, and no instance more than it can do', () => {
    const plan = planned('--reports', '2000', '--environments', '20000', '--changed', '0.1');
    expect(plan.commits).toBe(200);
    const gateway = plan.parts.find(({ name }) => name === 'gateway');
    expect(gateway?.needed).toBeCloseTo((2_000 * (0.45 * 0.9 + 0.89 * 0.1)) / 1_000);
    for (const { count, needed, busiest, name } of plan.parts) {
      expect(busiest).toBeLessThan(0.85);
      const cores = name === 'mongodb' ? 16 : name === 'kafka' ? 8 : 1;
      expect(count * cores).toBeGreaterThanOrEqual(needed);
    }
    expect(plan.disk.year).toBeCloseTo((200 * 365 * 86_400 * (1_481 + 3_825) * 3) / 1e9);
    // As topic.ts keeps the topic: nothing ever leaves it.
    expect(readFileSync(TOPIC, 'utf8')).toContain("{ 'retention.ms': '-1', 'retention.bytes': '-1' }");
    expect(plan.disk.kafka).toBeCloseTo((200 * 365 * 86_400 * 1_481 * 3) / 1e9);
  });

  it('is the same each time, and grows with the load', () => {
    const args = ['--reports', '5000', '--environments', '5000'];
    expect(planned(...args)).toEqual(planned(...args));
    const larger = planned('--reports', '20000', '--environments', '5000');
    for (const part of ['gateway', 'ingestion']) {
      expect(countOf(larger, part)).toBeGreaterThan(countOf(planned(...args), part));
    }
  });

  it('needs more instances for the same reports of fewer environments, as these fall to instances unevenly', () => {
    const of = (environments: string) => planned('--reports', '20000', '--environments', environments);
    expect(countOf(of('200'), 'ingestion')).toBeGreaterThan(countOf(of('20000'), 'ingestion'));
  });

  it('names what breaks first: a single environment, or MongoDB', () => {
    const [first] = planned('--reports', '1000', '--environments', '10', '--changed', '0.5').limits;
    expect(first).toMatchObject({ name: 'one environment', used: 1 });
    const [other] = planned('--reports', '50000', '--environments', '50000').limits;
    expect(other?.name).toBe('one replica set of MongoDB');
  });

  it('says what the documentation shows', () => {
    const guide = readFileSync(join(__dirname, '../../docs/capacity.md'), 'utf8');
    const cells = (text: string) => text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    const shown = cells(guide).filter((line) => line.length > 10);
    const answers = cells(run().stdout.trim());
    const withoutRule = (lines: string[][]) => lines.filter(([, first]) => first !== undefined && !/^-+$/.test(first));
    expect(withoutRule(shown)).toEqual(withoutRule(answers));
  });

  it.each([
    ['--reports', '0'],
    ['--changed', '2'],
    ['--environments', 'many'],
  ])('refuses %s %s', (...args) => {
    const { status, stderr } = run(...args);
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${args[0]} must be a number from`)]);
  });
});
