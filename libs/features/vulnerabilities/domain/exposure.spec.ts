import { accepted, noChange } from '@assurance/kernel';
import { decideFindVulnerabilities, type Exposure, exposure, type NamedFinding, nameOf } from './exposure';

const environment = { name: 'production', snapshot: 3, compliant: true };
const findingOf = (id: string, ...aliases: readonly string[]): NamedFinding => ({
  id,
  aliases,
  severity: 'high',
  purl: 'pkg:npm/lib@1.0.0',
  certain: true,
  artifact: 'web',
});
const event = (names: readonly string[], ...ids: readonly string[]) => {
  const vulnerabilities = ids.map((id) => {
    const { aliases: _, ...finding } = findingOf(id);
    return finding;
  });
  const data = { environment: 'production', snapshot: 3, compliant: true, vulnerabilities, names: names.map(nameOf) };
  return { type: 'VulnerabilitiesFound', version: 1, data } as const;
};
const meta = { org: 'o1', stream: 'exposure/e1', seq: 1, at: 1, actor: 'system' };
const stateAfter = (...events: readonly ReturnType<typeof event>[]) =>
  events.reduce((state: Exposure | null, event) => exposure.evolve(state, event, meta), null);
const find = (state: Exposure | null, ...all: readonly NamedFinding[]) =>
  decideFindVulnerabilities(state, environment, all);

describe('vulnerabilities of what runs in an environment', () => {
  const before = stateAfter(event(['CVE-1', 'GHSA-a'], 'CVE-1'));

  it.each([
    [
      'each is recorded',
      null,
      [findingOf('CVE-1', 'GHSA-a'), findingOf('CVE-2')],
      ['CVE-1', 'GHSA-a', 'CVE-2'],
      ['CVE-1', 'CVE-2'],
    ],
    ['only new ones are', before, [findingOf('CVE-1'), findingOf('CVE-2')], ['CVE-2'], ['CVE-2']],
    // The same vulnerability under another name.
    ['more names are remembered', before, [findingOf('CVE-0', 'ghsa-A')], ['CVE-0'], []],
    [
      'one of two that share a name is',
      null,
      [findingOf('CVE-1', 'GHSA-a'), findingOf('GHSA-a')],
      ['CVE-1', 'GHSA-a'],
      ['CVE-1'],
    ],
  ] as const)('%s', (_, state, all, names, ids) => expect(find(state, ...all)).toEqual(accepted(event(names, ...ids))));

  it.each([
    ['nothing is found', null, []],
    ['all was found before, under any name', before, [findingOf('ghsa-A', 'cve-1'), findingOf('CVE-1')]],
  ] as const)('where %s, nothing is recorded', (_, state, all) => expect(find(state, ...all)).toBe(noChange));

  it('are recorded by several events where they are many, each once', () => {
    const many = Array.from({ length: 250 }, (_, i) => findingOf(`CVE-${i}`));
    const recorded: string[] = [];
    let state: Exposure | null = null;
    for (let next = find(state, ...many); next.kind === 'events'; next = find(state, ...many)) {
      for (const event of next.events) {
        expect(event.data.vulnerabilities.length).toBeLessThanOrEqual(100);
        recorded.push(...event.data.vulnerabilities.map(({ id }) => id));
        state = exposure.evolve(state, event, meta);
      }
    }
    expect(recorded).toEqual(many.map(({ id }) => id));
  });
});
