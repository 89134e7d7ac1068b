import { changesOf } from './component-changes';

const npm = (name: string, version: string) => ({ purl: `pkg:npm/${name}@${version}?arch=x#a`, name, version });
const plain = (name: string, version: string) => ({ purl: null, name, version });

describe('components of two snapshots', () => {
  it('are changes of versions where both have the package, and else of one side', () => {
    const first = [npm('a', '1'), npm('b', '1'), plain('c', '1')];
    const second = [npm('a', '2'), npm('a', '3'), plain('c', '2'), plain('d', '1')];
    expect(changesOf(first, second)).toEqual({
      changes: [
        { name: 'a', first: [npm('a', '1')], second: [npm('a', '2'), npm('a', '3')] },
        { name: 'c', first: [plain('c', '1')], second: [plain('c', '2')] },
      ],
      first: [npm('b', '1')],
      second: [plain('d', '1')],
    });
  });

  it('tells packages of one name in two ecosystems apart', () => {
    const [one, other] = [npm('a', '1'), { ...npm('a', '1'), purl: 'pkg:pypi/a@2' }];
    expect(changesOf([one], [other])).toEqual({ changes: [], first: [one], second: [other] });
  });
});
