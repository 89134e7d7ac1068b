import type { RunningArtifact } from '@assurance/contracts/environments/events';
import { environmentDiff } from './answer';

/** The times of instances are seconds after this one. */
const T = 1_700_000_000;
const artifact = (
  name: string,
  instances: readonly number[],
  fields: Partial<RunningArtifact> = {},
): RunningArtifact => ({
  fingerprint: name[0] ?? '',
  name,
  instances: instances.map((at) => at && T + at),
  flows: [],
  compliant: null,
  since: { snapshot: 1, at: T * 1_000 + 9_900, deployedAt: 5 },
  ...fields,
});
const side = (id: string, ...artifacts: readonly RunningArtifact[]) => ({ id, snapshot: { artifacts } });
const recordedName = ({ name }: { readonly name: string }) => name;
const item = (name: string, counts: object, newest: number) => ({
  fingerprint: name[0] ?? '',
  name,
  flow: '',
  git_commit: '',
  commit_url: '',
  most_recent_timestamp: T + newest,
  ...counts,
});

describe('the difference of two snapshots', () => {
  it('tells what runs in one alone, in both in other numbers, and in both alike', async () => {
    const left = side('e#1', artifact('d', [4]), artifact('a', [1, 2]), artifact('b', [3]), artifact('c', [7]));
    const right = side('f#2', artifact('x', [5]), artifact('b', [2, 1]), artifact('c', [6]));
    expect(await environmentDiff(left, right, recordedName, null)).toEqual({
      snappish1: {
        snapshot_id: 'e#1',
        artifacts: [item('a', { instance_count: 2 }, 2), item('d', { instance_count: 1 }, 4)],
      },
      snappish2: { snapshot_id: 'f#2', artifacts: [item('x', { instance_count: 1 }, 5)] },
      changed: { artifacts: [item('b', { s1_instance_count: 1, s2_instance_count: 2 }, 3)] },
      'not-changed': { artifacts: [item('c', { instance_count: 1 }, 7)] },
    });
  });

  it('goes by fingerprint, whatever the name, and by name where the digest is unknown', async () => {
    const left = side('e#1', artifact('a:1', [1]), artifact('a:2', [1]), artifact('x', [1], { fingerprint: '' }));
    const right = side('e#2', artifact('a:3', [1, 1]), artifact('y', [1], { fingerprint: '' }));
    const diff = await environmentDiff(left, right, recordedName, null);
    expect(diff['not-changed'].artifacts).toEqual([item('a:3', { instance_count: 2 }, 1)]);
    expect(diff.snappish1.artifacts.map(({ name }) => name)).toEqual(['x']);
    expect(diff.snappish2.artifacts.map(({ name }) => name)).toEqual(['y']);
  });

  it('has whole numbers where no creation time is known, and pods where there are some', async () => {
    const pod = (name: string) => ({ of: 'pod', pod: name, namespace: 'shop', owners: null }) as const;
    const contexts = [pod('web-2'), pod('web-1')];
    const { snappish2 } = await environmentDiff(
      side('e#1'),
      side('e#2', artifact('w', [0, 0], { contexts })),
      recordedName,
      null,
    );
    expect(snappish2.artifacts).toEqual([{ ...item('w', { instance_count: 2 }, 9), pods: ['web-1', 'web-2'] }]);
  });

  it('of a snapshot and itself is empty', async () => {
    const same = side('e#1', artifact('a', [1]), artifact('b', [1]));
    const { snappish1, snappish2, changed } = await environmentDiff(same, same, recordedName, null);
    expect([snappish1.artifacts, snappish2.artifacts, changed.artifacts]).toEqual([[], [], []]);
  });

  it('has one page of each list where one is asked for', async () => {
    const many = (from: number) =>
      Array.from({ length: 5 }, (_, i) => artifact(String.fromCharCode(97 + from + i), [1]));
    const diff = await environmentDiff(side('e#1', ...many(0)), side('e#2', ...many(2)), recordedName, {
      page: 2,
      perPage: 2,
    });
    const page = (total_pages: number, total_count: number) => ({ page: 2, per_page: 2, total_pages, total_count });
    const lists = Object.values(diff).map(({ artifacts, artifact_page }) => [
      artifacts.map(({ name }) => name),
      artifact_page,
    ]);
    expect(lists).toEqual([
      [[], page(1, 2)],
      [[], page(1, 2)],
      [[], page(0, 0)],
      [['e'], page(2, 3)],
    ]);
  });
});
