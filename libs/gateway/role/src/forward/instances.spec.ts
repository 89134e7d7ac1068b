import { Instances } from './instances';

describe('instances', () => {
  let now = 0;
  const three = () => new Instances(['a', 'b', 'c'], () => now);

  it('are asked in turn, each once', () => {
    const instances = three();
    expect([1, 2, 3, 4].map(() => instances.order().join(''))).toEqual(['abc', 'bca', 'cab', 'abc']);
  });

  it('are asked last for a second after one could not be reached', () => {
    const instances = three();
    instances.passOver('a');
    expect(instances.order().join('')).toBe('bca');
    now += 999;
    expect(instances.order().join('')).toBe('bca');
    now += 1;
    expect(instances.order().join('')).toBe('cab');
    expect(instances.order().join('')).toBe('abc');
  });

  it('are asked all the same when none could be reached', () => {
    const instances = three();
    for (const origin of ['a', 'b', 'c']) instances.passOver(origin);
    expect(instances.order().join('')).toBe('abc');
  });
});
