import type { RunningArtifact } from '@assurance/contracts/environments/events';
import { sha256 } from '@assurance/kernel';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { comparisonOf, type ComparisonRequest } from './comparison';

const T = 1_700_000_000;
const SITE = { publicUrl: 'https://assurance.example.com', org: 'acme' };
const WHOLE: ComparisonRequest = { kinds: [], page: { page: 1, perPage: 100 } };

const artifact = (name: string, fields: Partial<RunningArtifact> = {}): RunningArtifact => ({
  fingerprint: name,
  name,
  instances: [T],
  flows: [],
  compliant: null,
  since: { snapshot: 1, at: T * 1_000, deployedAt: T },
  ...fields,
});
const side = (id: string, artifacts: readonly RunningArtifact[]) => ({ id, snapshot: { artifacts } });
const compare = (
  left: readonly RunningArtifact[],
  right: readonly RunningArtifact[],
  request: Partial<ComparisonRequest> = {},
) => comparisonOf(SITE, [side('e#1', left), side('f#2', right)], ({ name }) => name, { ...WHOLE, ...request });

describe('a comparison of two snapshots', () => {
  it('pairs over all artifacts, whatever page is asked for', async () => {
    const many = Array.from({ length: 25 }, (_, i) => artifact(`a-${i}:1`));
    const page = { page: 2, perPage: 10 };
    const answer = await compare([artifact('zed:1')], [...many, artifact('zed:2')], { page });
    expect(answer).toMatchObject({
      from: 'e#1',
      to: 'f#2',
      counts: { changed: 1, only_from: 0, only_to: 25, scaled: 0, same: 0 },
      page: 2,
      per_page: 10,
      total_pages: 3,
      total_count: 26,
    });
    expect(answer.pairs).toHaveLength(10);
    const [first] = (await compare([artifact('zed:1')], [...many, artifact('zed:2')])).pairs;
    expect(first).toMatchObject({ kind: 'changed', service: 'zed', from: { name: 'zed:1' }, to: { name: 'zed:2' } });
  });

  it('has pairs of the requested kinds alone, and counts all', async () => {
    const answer = await compare([artifact('a:1'), artifact('b:1')], [artifact('a:2'), artifact('b:1')], {
      kinds: ['same'],
    });
    expect(answer.pairs.map(({ kind }) => kind)).toEqual(['same']);
    expect(answer).toMatchObject({ total_count: 1, counts: { changed: 1, same: 1 } });
    const links = 'https://assurance.example.com/api/v2/compare/acme?page=1&per_page=100&from=e%231&to=f%232&kind=same';
    expect(answer._links).toEqual({ self: links, first: links, last: links });
  });

  it('says of each side what runs, with the worst verdict of its names, and links the code between', async () => {
    const built = (gitCommit: string) => {
      const repo = { id: 'r', url: 'https://github.com/acme/shop', provider: 'github' };
      return [{ flow: { id: 'f', name: 'shop' }, template: 'web', gitCommit, commitUrl: null, repo }];
    };
    const flows = (commit: string) => ({ flows: built(commit) as unknown as RunningArtifact['flows'] });
    const { pairs } = await compare(
      [artifact('web:1', { ...flows('aa'), compliant: true })],
      [
        artifact('web:2', { fingerprint: 'x', ...flows('bb'), compliant: true }),
        artifact('web:3', { fingerprint: 'x', ...flows('bb'), compliant: false }),
      ],
    );
    const fields = { flow: 'shop', commit_url: '', most_recent_timestamp: T };
    expect(pairs).toEqual([
      {
        kind: 'changed',
        service: 'web',
        from: { ...fields, fingerprint: 'web:1', name: 'web:1', git_commit: 'aa', instance_count: 1, compliant: true },
        to: { ...fields, fingerprint: 'x', name: 'web:2', git_commit: 'bb', instance_count: 2, compliant: false },
        diff_url: 'https://github.com/acme/shop/compare/aa...bb',
      },
    ]);
  });

  it('of 10,000 artifacts on each side holds the thread for less than 50 ms at once', async () => {
    const many = (version: number) =>
      Array.from({ length: 10_000 }, (_, i) => {
        const name = `registry.example.com/team/service-${i}:${version}`;
        return artifact(name, { fingerprint: sha256(name) });
      });
    const [left, right] = [many(1), many(2)];
    const holds: number[] = [];
    for (let round = 0; round < 10 && !(Math.min(...holds) < 50); round += 1) {
      let [compared, longest, before] = [false, 0, process.threadCpuUsage()];
      const comparison = compare(left, right).finally(() => (compared = true));
      while (!compared) {
        await nextTurn();
        const { user, system } = process.threadCpuUsage(before);
        longest = Math.max(longest, (user + system) / 1_000);
        before = process.threadCpuUsage();
      }
      expect((await comparison).counts).toMatchObject({ changed: 10_000, only_from: 0, only_to: 0 });
      holds.push(longest);
    }
    // The first round is not compiled yet, and collections of garbage fall into some. CPU time leaves out what other processes do meanwhile.
    expect(Math.min(...holds)).toBeLessThan(50);
  });
});
